import { toDecimalText, toMinorUnits } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Adjustment, Payment } from '../../../base/schema/generated/records.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { ADJUSTMENT_EVENTS } from '../books/ledger/payment-movements.ts';
import { addToOpenSettlement } from '../books/settlements/settlements.ts';
import { partOf, type Remainder, remainderAfter, remainderOf } from './adjustments.ts';
import { reopenUnpaidLink } from './link-of-payment.ts';
import { factsOf, wasPaid } from './payment.ts';
import { changeState } from './transitions.ts';

type Kind = Adjustment['kind'];

const STATE_WHEN_NOTHING_IS_LEFT = {
  refund: 'Refunded',
  reversal: 'Reversed',
  chargeback: 'ChargedBack',
  'chargeback-reversed': 'Paid',
  'late-failure': 'Failed',
} as const satisfies Record<Kind, Payment['state']>;

export interface AdjustmentOrder {
  kind: Kind;
  /** null: all that is left of the payment or, for `chargeback-reversed`, all that was charged back. */
  amount: number | null;
  cause: Adjustment['cause'];
  code?: string | null;
  description?: string | null;
}

/** Throws `conflict` if the payment was never paid, the amount exceeds the remainder, or the kind allows no partial amount. */
export function addAdjustment(transaction: Transaction, payment: Payment, order: AdjustmentOrder): Payment {
  const { kind, cause, code = null } = order;
  const { now: at, fixtures } = transaction;
  if (!wasPaid(payment)) {
    throw new Refusal('conflict', `${payment.id} is ${payment.state}: only a paid payment can have a ${kind}`);
  }
  const remainder = remainderOf(payment);
  const amount = validateAmount(transaction, payment, order, remainder);
  const { left } = remainderAfter(remainder, { kind, amount });
  const to = left.amount > 0 ? 'Paid' : STATE_WHEN_NOTHING_IS_LEFT[kind];
  const description = order.description ?? fixtures.adjustments[kind].description;
  const moveMember = payment.testMode ? {} : { move: transaction.next('move') };
  const adjustment: Adjustment = {
    kind,
    amount,
    fee: feeOf(transaction, kind, { currency: payment.currency, left: remainder.left, amount }),
    at,
    ...moveMember,
    cause,
    code,
    description,
  };
  const changed: Payment = {
    ...changeState(payment, { to, at, cause, code, description, ...moveMember }, kind),
    adjustments: [...(payment.adjustments ?? []), adjustment],
    // changeState clears it, but other adjustments may be planned.
    dueAt: payment.dueAt,
  };
  transaction.put('payments', changed);
  if (kind === 'late-failure') {
    reopenUnpaidLink(transaction, changed);
  }
  if (adjustment.move !== undefined) {
    addToOpenSettlement(transaction, 'payments', changed, adjustment.move);
  }
  transaction.emit(ADJUSTMENT_EVENTS[kind], 'payments', payment.id, {
    cause,
    ...factsOf(payment),
    amount: toDecimalText(amount),
    left: toDecimalText(left.amount),
    fee: toDecimalText(adjustment.fee),
    code,
    description,
  });
  return changed;
}

function feeOf(
  { fixtures }: Transaction,
  kind: Kind,
  { currency, left, amount }: Pick<Remainder, 'left'> & Pick<Payment, 'currency'> & Pick<Adjustment, 'amount'>,
): number {
  switch (kind) {
    case 'reversal':
    case 'late-failure':
      return partOf(left, amount).feeTotal;
    case 'chargeback':
      return toMinorUnits(fixtures.adjustments.chargeback.fees[currency] ?? 0);
    default:
      return 0;
  }
}

function validateAmount(
  { fixtures }: Transaction,
  { id, currency }: Payment,
  { kind, amount }: AdjustmentOrder,
  { left, chargedBack }: Remainder,
): number {
  const isChargebackReversal = kind === 'chargeback-reversed';
  const available = (isChargebackReversal ? chargedBack : left).amount;
  const verb = isChargebackReversal ? 'was charged back' : 'is left';
  if (available === 0) {
    throw new Refusal('conflict', `nothing of ${id} ${verb}`);
  }
  const requested = amount ?? available;
  if (requested > available) {
    throw new Refusal(
      'conflict',
      `only ${toDecimalText(available)} ${currency} of ${id} ${verb}, not ${toDecimalText(requested)}`,
    );
  }
  if (requested < available && !fixtures.adjustments[kind].inPart) {
    const wholeAmount = `all of the ${toDecimalText(available)} ${currency} that ${verb}`;
    throw new Refusal('conflict', `a ${kind} of ${id} must be of ${wholeAmount} (fixtures/adjustments.json)`);
  }
  return requested;
}
