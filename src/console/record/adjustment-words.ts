import type { Adjustment } from '../../base/schema/control.ts';

/** What may happen to a payment after it was paid: as a choice, and as something that happened. */
export const ADJUSTMENTS: Readonly<Record<Adjustment['kind'], { choice: string; done: string }>> = {
  refund: { choice: 'Refund', done: 'refunded' },
  reversal: { choice: 'Reverse', done: 'reversed' },
  chargeback: { choice: 'Charge back', done: 'charged back' },
  'chargeback-reversed': { choice: 'Reverse the chargeback', done: 'chargeback reversed' },
  'late-failure': { choice: 'Fail', done: 'failed after all' },
};
