import type { Adjustment } from '../../base/schema/generated/control.ts';

/** Words for adjustments of a paid payment: as a choice, and as a past step. */
export const ADJUSTMENTS: Readonly<Record<Adjustment['kind'], { choice: string; done: string }>> = {
  refund: { choice: 'Refund', done: 'refunded' },
  reversal: { choice: 'Reverse', done: 'reversed' },
  chargeback: { choice: 'Charge back', done: 'charged back' },
  'chargeback-reversed': { choice: 'Reverse the chargeback', done: 'chargeback reversed' },
  'late-failure': { choice: 'Fail', done: 'failed after all' },
};
