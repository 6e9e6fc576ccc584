import type { Observation, Words } from '../observation/observation.ts';
import type { OrderState } from '../shop/adapter.ts';
import type { Invariant } from './invariants.ts';
import { isLacking } from './payment-facts.ts';

/** Invariants that count only from the next set of requirements on. */
export const NEXT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    sentence:
      'The amounts add up after a part of a payment was refunded or charged back, or a chargeback was reversed.',
    why: 'The books differ from the account, and the next refund returns too much or too little.',
    mend: 'Record the amount of each change once, by the webhook-id of its notification, and count the amount of a reversed chargeback as paid again.',
    isMendable: true,
    judge: addsUp,
  },
];

/**
 * Whether the amount that counts as paid is what is left. A status query does not tell how much is left, so a shop may as well keep the
 * whole amount if it gives the order another state.
 */
function addsUp({ payments, deeds, order }: Observation, state: OrderState | undefined, { paid }: Words) {
  const [changed, ...others] = payments.filter(({ adjustments = [] }) => adjustments.length > 0);
  const left = Number(changed?.left ?? 0);
  if (!changed || others.length > 0 || left === 0 || deeds.includes('refund')) {
    return undefined;
  }
  const isMarked = isLacking(changed) && !paid.has(state?.state ?? '');
  return (
    state && (Number(state.paidAmount) === left || (isMarked && Number(state.paidAmount) === Number(order.amount)))
  );
}
