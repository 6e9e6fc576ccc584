import type { RaceOutcome } from './race-outcomes.ts';
import type { Party, RaceStep } from './schedule.ts';

const ALL_OF_ONE_ATTEMPT: readonly RaceOutcome[] = ['paid', 'failed', 'expired', 'late'];

export type RaceRow = ReturnType<typeof row>;

function row(id: string, steps: readonly RaceStep[], outcomes: readonly RaceOutcome[]) {
  return { id, steps, outcomes };
}

function during(held: Party | 'answer', ...steps: RaceStep[]): RaceStep {
  return { held, during: steps };
}

/** The other party starts at about the moment when the answer is released. */
function releasedWith(other: Party, held: Party | 'answer', ...steps: RaceStep[]): RaceStep {
  return { held, during: steps, releasedWith: other };
}

function atOnce(...parties: Party[]): RaceStep {
  return { atOnce: parties };
}

/**
 * THE TABLE of races: sequences of parties and the decision. The answer to the payment request arrives first unless a row holds it,
 * because a browser can usually return only after it. No row runs the reconciler after the decision was notified: it would do nothing.
 */
export const RACE_ROWS: readonly RaceRow[] = [
  // One after the other.
  row('return-before-notification', ['decision', 'return', 'notification'], ALL_OF_ONE_ATTEMPT),
  row('notification-before-return', ['decision', 'notification', 'return'], ALL_OF_ONE_ATTEMPT),
  row('return-before-decision', ['return', 'decision', 'notification'], ['paid', 'failed', 'expired']),
  row('return-before-decision-unnotified', ['return', 'decision', 'reconciler'], ['paid']),
  row('return-alone', ['decision', 'return'], ['paid', 'failed', 'late']),
  row('return-twice', ['decision', 'return', 'return', 'notification'], ['paid', 'late']),
  row('return-elsewhere', ['decision', 'return', 'return-elsewhere', 'notification'], ['paid', 'failed']),
  row('return-changed', ['decision', 'return', 'return-changed', 'notification'], ['failed', 'expired']),
  row('return-changed-early', ['return', 'return-changed', 'decision', 'notification'], ['failed']),
  row('reconciler-before-notification', ['decision', 'reconciler', 'notification'], ALL_OF_ONE_ATTEMPT),
  row('reconciler-then-return', ['decision', 'reconciler', 'return', 'notification'], ['paid', 'late']),
  row('return-then-reconciler', ['decision', 'return', 'reconciler', 'notification'], ['paid', 'late']),
  // While an answer of the provider is held.
  row('notification-during-return', [during('return', 'decision', 'notification')], ['paid', 'failed']),
  row('late-notification-during-return', ['decision', during('return', 'notification')], ['paid', 'late']),
  row('reconciler-during-return', [during('return', 'decision', 'reconciler'), 'notification'], ['paid']),
  row('return-during-return', [during('return', 'decision', 'return'), 'notification'], ['paid', 'failed']),
  row('notification-during-reconciler', [during('reconciler', 'decision', 'notification')], ['paid', 'failed']),
  row('return-during-reconciler', [during('reconciler', 'decision', 'return'), 'notification'], ['paid']),
  row('notification-before-answer', [during('answer', 'decision', 'notification'), 'return'], ['paid', 'failed']),
  row('notification-before-answer-alone', [during('answer', 'decision', 'notification')], ['paid', 'failed']),
  row('reconciler-before-answer', [during('answer', 'decision', 'reconciler'), 'notification'], ['paid']),
  row('return-before-answer', [during('answer', 'decision', 'return'), 'notification'], ['paid']),
  // At the same moment, several times. Shops handle a payment that expires as one that fails, so only the failure is tried.
  row('return-and-notification-at-once', ['decision', atOnce('return', 'notification')], ['paid', 'failed', 'late']),
  row('query-and-notification-at-once', ['decision', releasedWith('notification', 'return')], ['paid']),
  row('reconciler-and-notification-at-once', ['decision', atOnce('reconciler', 'notification')], ['paid']),
  row('return-and-reconciler-at-once', ['decision', atOnce('return', 'reconciler')], ['paid']),
  row('all-at-once', ['decision', atOnce('return', 'notification', 'reconciler')], ['paid']),
  row('returns-at-once', ['decision', atOnce('return', 'return')], ['paid']),
  row('answer-and-notification-at-once', [releasedWith('notification', 'answer', 'decision')], ['paid']),
  row('killed-while-notified', ['decision', { killedDuring: 'notification' }], ['paid']),
  // Two attempts to pay.
  row('failure-after-second-attempt', ['decision', 'notification', 'first-notification', 'return'], ['again']),
  row('failure-during-return', ['decision', during('return', 'first-notification'), 'notification'], ['again']),
  row('attempts-at-once', ['decision', atOnce('notification', 'first-notification')], ['again']),
  row('two-successes', ['decision', 'notification', 'notification'], ['both-attempts']),
  row('two-successes-at-once', ['decision', atOnce('notification', 'notification')], ['both-attempts']),
  row('first-success-after-second-attempt', ['decision', 'notification'], ['first-attempt']),
  row('reconciler-alone', ['decision', 'reconciler'], ['again', 'first-attempt']),
  row('success-before-cancellation', ['decision', 'notification', 'notification'], ['late-again']),
  row('return-before-success', ['decision', 'return', 'notification'], ['late-again']),
];
