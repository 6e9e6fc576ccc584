import type { Payment, Payout } from '../../../../base/schema/generated/records.ts';

/** Names what happened to a payment after it was paid, by its place: payment-1-refund-1, payment-1-chargeback-2. */
export function adjustmentId({ id, adjustments = [] }: Pick<Payment, 'id' | 'adjustments'>, place: number): string {
  return `${id}-${adjustments[place]?.kind}-${place + 1}`;
}

/** Names a credit of a payout, by its place: payout-1-credit-3. */
export function creditId({ id }: Pick<Payout, 'id'>, place: number): string {
  return `${id}-credit-${place + 1}`;
}

/** Names the entry of a move: entry-7. */
export function entryId(move: number): string {
  return `entry-${move}`;
}
