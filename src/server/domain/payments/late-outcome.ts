import type { Payment, PlannedAdjustment } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import { timeAdjustments, withPlanned } from './adjustments.ts';

type LateOutcome = NonNullable<Payment['lateOutcome']>;

/** What becomes of a payment once more after it was settled. Source: the scenario's `lateOutcome`. */
export interface LateOutcomeRule {
  outcome: LateOutcome['outcome'];
  /** An ISO 8601 duration, from when it was settled. */
  after: string;
  code?: string | undefined;
  description?: string | undefined;
}

export function planLateOutcome(rule: LateOutcomeRule, decidedBy: string | undefined): LateOutcome {
  const { outcome, after, code = null, description = null } = rule;
  return { outcome, after, code, description, ...(decidedBy === undefined ? {} : { decidedBy }) };
}

/**
 * A payment that has just been settled, with times for what is to come: its adjustments where it was paid, and its late outcome
 * where that is another one. Nobody is paid who cancelled.
 */
export function withPlans(decided: Payment): Payment {
  const { lateOutcome: late, ...payment } = decided;
  const { state, history, plannedAdjustments = [] } = payment;
  const settledAt = history.at(-1)?.at ?? 0;
  if (state === 'Paid') {
    const flip = late?.outcome === 'Failed' ? [lateFailure(late)] : [];
    return withPlanned(payment, timeAdjustments([...plannedAdjustments, ...flip], settledAt));
  }
  if (late?.outcome !== 'Paid' || state === 'Cancelled') {
    return withPlanned(payment, []);
  }
  const { after, ...outcome } = late;
  const at = addDuration(settledAt, after);
  return { ...payment, plannedOutcome: { ...outcome, at }, dueAt: at };
}

/** Nothing of it was ever paid: what is left then goes back, charges included. */
function lateFailure({ after, code, description }: LateOutcome): PlannedAdjustment {
  return { kind: 'late-failure', amount: null, after, at: null, code, description };
}
