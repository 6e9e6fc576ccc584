import type { Adjustment } from '../../base/schema/generated/control.ts';

/** Words for adjustments of a payment: as a choice, by whom it is made, and as a past step. */
export const ADJUSTMENT_WORDS: Readonly<Record<Adjustment['kind'], { choice: string; by: string; done: string }>> = {
  refund: { choice: 'Refund', by: 'by the merchant', done: 'refunded' },
  reversal: { choice: 'Reverse', by: 'by the provider', done: 'reversed' },
  chargeback: { choice: 'Charge back', by: "by the payer's bank", done: 'charged back' },
  'chargeback-reversed': { choice: 'Reverse the chargeback', by: "by the payer's bank", done: 'chargeback reversed' },
  'late-failure': { choice: 'Fail', by: 'by the provider', done: 'failed after all' },
};
