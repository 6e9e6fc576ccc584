import { namesIn } from '../../../base/members.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';
import { FEE_RETURNING_KINDS } from '../books/ledger/adjustment-amounts.ts';
import { partOf, remainderAfter, remainderOf } from '../payments/adjustments.ts';
import { dueOfPayment, wasPaid } from '../payments/payment.ts';
import { nextStates, type PaymentAction, type PaymentState, TRANSITIONS } from '../payments/transitions.ts';
import { validateAmount, validateDueAt, validateFees, validateHistory } from './validate-members.ts';

export function validatePayment(payment: Payment): Finding[] {
  const { amount, fees, shares, state, history, plannedOutcome, dueAt, failure } = payment;
  return [
    ...validateAmount('.amount', amount, 1),
    ...validateFees(fees),
    ...shares.flatMap((share, index) => validateAmount(`.shares[${index}].amount`, share.amount, 0)),
    ...validateHistory<PaymentState | null>(history, null, isStep),
    ...(plannedOutcome === null || state === 'Processing' || hasPlannedLateSuccess(payment)
      ? []
      : [errorFinding('.plannedOutcome', `null, as it is ${state}`, plannedOutcome.outcome)]),
    // A failed job is not tried again, so the record is not due, whatever its plans.
    ...(failure && dueAt === null ? [] : validateDueAt(dueAt, expectedDueAt(payment))),
    ...validateAdjustments(payment),
  ];
}

function hasPlannedLateSuccess({ state, plannedOutcome }: Payment): boolean {
  return plannedOutcome?.outcome === 'Paid' && nextStates('late-success', state).includes('Paid');
}

function isStep(from: PaymentState | null, to: PaymentState | null): boolean {
  if (from === null || to === null) {
    return from === null && to === 'Processing';
  }
  return namesIn<PaymentAction>(TRANSITIONS).some((action) => nextStates(action, from).includes(to));
}

function expectedDueAt(payment: Payment): Instant | null {
  const { state, plannedOutcome, plannedAdjustments } = payment;
  return state === 'Processing' ? dueOfPayment(payment) : (plannedOutcome?.at ?? plannedAdjustments?.[0]?.at ?? null);
}

/** Checks each adjustment against the remainder before it. */
function validateAdjustments(payment: Payment): Finding[] {
  const { adjustments = [] } = payment;
  if (adjustments.length > 0 && !wasPaid(payment)) {
    return [errorFinding('.adjustments', 'none, as it was not paid', `${adjustments.length}`)];
  }
  let remainder = remainderOf({ ...payment, adjustments: [] });
  return adjustments.flatMap((adjustment, index) => {
    const { kind, amount, fee } = adjustment;
    const { left, chargedBack } = remainder;
    const maximum = kind === 'chargeback-reversed' ? chargedBack.amount : left.amount;
    if (amount > maximum) {
      return [errorFinding(`.adjustments[${index}].amount`, `at most ${maximum} at that time`, String(amount))];
    }
    remainder = remainderAfter(remainder, adjustment);
    const path = `.adjustments[${index}].fee`;
    if (kind === 'chargeback') {
      return validateAmount(path, fee, 0);
    }
    const expected = FEE_RETURNING_KINDS.has(kind) ? partOf(left, amount).feeTotal : 0;
    return fee === expected ? [] : [errorFinding(path, `${expected}, for a ${kind} of ${amount}`, String(fee))];
  });
}
