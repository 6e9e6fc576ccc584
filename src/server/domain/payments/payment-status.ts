import { toDecimalText } from '../../../base/money.ts';
import type { Adjustment, Payment } from '../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { fillTemplate } from '../../config/template.ts';
import { remainderOf } from './adjustments.ts';

/** The status of a paid payment by the kind of its last adjustment: while a part is left, and when nothing is left. */
const ADJUSTED_STATES = {
  refund: ['PartlyRefunded', 'Refunded'],
  reversal: ['PartlyReversed', 'Reversed'],
  chargeback: ['PartlyChargedBack', 'ChargedBack'],
  'chargeback-reversed': ['ChargebackReversed', 'ChargebackReversed'],
} as const satisfies Record<Exclude<Adjustment['kind'], 'late-failure'>, readonly (keyof Fixtures['paymentStates'])[]>;

export function paymentStatus(payment: Payment, { paymentStates }: Pick<Fixtures, 'paymentStates'>) {
  const { state, history, adjustments, currency } = payment;
  const reason = history.at(-1)?.description ?? null;
  const lastAdjustment = adjustments?.at(-1);
  // A late failure is reported like any failure.
  if (!lastAdjustment || lastAdjustment.kind === 'late-failure') {
    const { word, description } = paymentStates[state];
    return { status: word, description: reason ?? description };
  }
  const left = remainderOf(payment).left.amount;
  const { word, description } = paymentStates[ADJUSTED_STATES[lastAdjustment.kind][left > 0 ? 0 : 1]];
  const facts = { reason: reason ?? '', currency, amount: toDecimalText(lastAdjustment.amount) };
  const sums = { paid: toDecimalText(payment.amount), left: toDecimalText(left) };
  return { status: word, description: String(fillTemplate(description, { ...facts, ...sums })) };
}
