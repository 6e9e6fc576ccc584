import { namesIn } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { Payment } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import { lessen, partOf, remainderOf } from '../payments/adjustments.ts';
import { dueOfPayment, wasPaid } from '../payments/payment.ts';
import { type Event, followers, type State, TRANSITIONS } from '../payments/transitions.ts';
import { amountBroken, dueBroken, feesBroken, historyBroken } from './facts.ts';

export function paymentBroken(payment: Payment): Finding[] {
  const { amount, fees, shares, state, history, plannedOutcome, dueAt, failure } = payment;
  return [
    ...amountBroken('.amount', amount, 1),
    ...feesBroken(fees),
    ...shares.flatMap((share, index) => amountBroken(`.shares[${index}].amount`, share.amount, 0)),
    ...historyBroken<State | null>(history, null, isStep),
    ...(plannedOutcome === null || state === 'Processing'
      ? []
      : [errorFinding('.plannedOutcome', `null, as it is ${state}`, plannedOutcome.outcome)]),
    // What could not be done when it was due is not tried again.
    ...(failure && dueAt === null ? [] : dueBroken(dueAt, dueOf(payment))),
    ...adjustmentsBroken(payment),
  ];
}

function isStep(from: State | null, to: State | null): boolean {
  if (from === null || to === null) {
    return from === null && to === 'Processing';
  }
  return namesIn<Event>(TRANSITIONS).some((event) => followers(event, from).includes(to));
}

function dueOf(payment: Payment): Instant | null {
  return payment.state === 'Processing' ? dueOfPayment(payment) : (payment.plannedAdjustments?.[0]?.at ?? null);
}

/** Each takes no more than was left, or had been charged back, when it happened; a reversal gives back its part of the charges. */
function adjustmentsBroken(payment: Payment): Finding[] {
  const { adjustments = [] } = payment;
  if (adjustments.length > 0 && !wasPaid(payment)) {
    return [errorFinding('.adjustments', 'none, as it was not paid', `${adjustments.length}`)];
  }
  let remainder = remainderOf({ ...payment, adjustments: [] });
  return adjustments.flatMap((adjustment, index) => {
    const { kind, amount, fee } = adjustment;
    const { left, chargedBack } = remainder;
    const most = kind === 'chargeback-reversed' ? chargedBack.amount : left.amount;
    if (amount > most) {
      return [errorFinding(`.adjustments[${index}].amount`, `at most ${most}, as there was then`, String(amount))];
    }
    remainder = lessen(remainder, adjustment);
    const place = `.adjustments[${index}].fee`;
    if (kind === 'chargeback') {
      return amountBroken(place, fee, 0);
    }
    const expected = kind === 'reversal' ? partOf(left, amount).charges : 0;
    return fee === expected ? [] : [errorFinding(place, `${expected}, for a ${kind} of ${amount}`, String(fee))];
  });
}
