import type { Payment, Payout } from '../../../../base/schema/generated/records.ts';

/** The id of an adjustment by its index: payment-1-refund-1, payment-1-chargeback-2. */
export function adjustmentId({ id, adjustments = [] }: Pick<Payment, 'id' | 'adjustments'>, index: number): string {
  return `${id}-${adjustments[index]?.kind}-${index + 1}`;
}

/** The id of a payout's credit, the transfer to one of its receivers, by its index: payout-1-credit-3. */
export function creditId({ id }: Pick<Payout, 'id'>, index: number): string {
  return `${id}-credit-${index + 1}`;
}

/** The id of a move's ledger entry: entry-7. */
export function entryId(move: number): string {
  return `entry-${move}`;
}
