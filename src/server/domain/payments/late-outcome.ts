import type { Payment, PlannedAdjustment } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import { replacePlannedAdjustments, scheduleAdjustments } from './adjustments.ts';

type LateOutcome = NonNullable<Payment['lateOutcome']>;

/** A second outcome of a payment that is already decided. Source: the scenario's `lateOutcome`. */
export interface LateOutcomeRule {
  outcome: LateOutcome['outcome'];
  /** An ISO 8601 duration, counted from the first outcome. */
  after: string;
  code?: string | undefined;
  description?: string | undefined;
}

export function planLateOutcome(rule: LateOutcomeRule, decidedBy: string | undefined): LateOutcome {
  const { outcome, after, code = null, description = null } = rule;
  return { outcome, after, code, description, ...(decidedBy === undefined ? {} : { decidedBy }) };
}

/**
 * Sets the times of planned adjustments and of the late outcome, which count from the decision. A cancelled payment has no late success,
 * because its payer did not want to pay.
 */
export function scheduleLaterChanges(decided: Payment): Payment {
  const { lateOutcome: lateRule, ...payment } = decided;
  const { state, history, plannedAdjustments = [] } = payment;
  const decidedAt = history.at(-1)?.at ?? 0;
  if (state === 'Paid') {
    const failure = lateRule?.outcome === 'Failed' ? [lateFailure(lateRule)] : [];
    return replacePlannedAdjustments(payment, scheduleAdjustments([...plannedAdjustments, ...failure], decidedAt));
  }
  if (lateRule?.outcome !== 'Paid' || state === 'Cancelled') {
    return replacePlannedAdjustments(payment, []);
  }
  const { after, ...outcome } = lateRule;
  const at = addDuration(decidedAt, after);
  return { ...payment, plannedOutcome: { ...outcome, at }, dueAt: at };
}

function lateFailure({ after, code, description }: LateOutcome): PlannedAdjustment {
  return { kind: 'late-failure', amount: null, after, at: null, code, description };
}
