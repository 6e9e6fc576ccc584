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
 * A payment that has just been decided, with times for its planned adjustments if it was paid, and for its late outcome: a
 * failure after Paid, or a success after Failed or Expired. A cancelled payment has none, because its payer did not want to pay.
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

/** An adjustment that takes back all that is left, fees included, as if the payment had never been paid. */
function lateFailure({ after, code, description }: LateOutcome): PlannedAdjustment {
  return { kind: 'late-failure', amount: null, after, at: null, code, description };
}
