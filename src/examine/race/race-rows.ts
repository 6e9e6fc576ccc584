import type { Party, RaceOutcome, RaceStep } from './schedule.ts';

const ALL: readonly RaceOutcome[] = ['paid', 'failed', 'expired', 'late'];

export interface RaceRow {
  id: string;
  title: string;
  steps: readonly RaceStep[];
  outcomes: readonly RaceOutcome[];
}

function row(id: string, title: string, steps: readonly RaceStep[], outcomes: readonly RaceOutcome[]): RaceRow {
  return { id, title, steps, outcomes };
}

function during(held: Party | 'answer', ...steps: RaceStep[]): RaceStep {
  return { held, during: steps };
}

function atOnce(...parties: Party[]): RaceStep {
  return { atOnce: parties };
}

/**
 * THE TABLE of races: sequences of the five parties. The answer to the payment request arrives first unless a row holds it, because a
 * browser can return only after it. A reconciler that runs last has nothing to do, so no row tries that.
 */
export const RACE_ROWS: readonly RaceRow[] = [
  // One after the other.
  row(
    'return-before-notification',
    'the browser returns before the notification',
    ['decision', 'return', 'notification'],
    ALL,
  ),
  row(
    'notification-before-return',
    'the browser returns after the notification',
    ['decision', 'notification', 'return'],
    ALL,
  ),
  row(
    'return-before-decision',
    'the browser returns before the payment is decided',
    ['return', 'decision', 'notification'],
    ['paid', 'failed', 'expired'],
  ),
  row(
    'return-alone',
    'the browser returns, and no notification arrives',
    ['decision', 'return'],
    ['paid', 'failed', 'late'],
  ),
  row(
    'return-twice',
    'the browser returns twice, and then the notification arrives',
    ['decision', 'return', 'return', 'notification'],
    ['paid', 'late'],
  ),
  row(
    'return-elsewhere',
    'the browser returns again in another session, without cookies',
    ['decision', 'return', 'return-elsewhere', 'notification'],
    ['paid', 'failed'],
  ),
  row(
    'return-changed',
    'the browser returns again with a query string that says Paid',
    ['decision', 'return', 'return-changed', 'notification'],
    ['failed', 'expired'],
  ),
  row(
    'return-changed-early',
    'the browser returns with a query string that says Paid before the payment is decided',
    ['return', 'return-changed', 'decision', 'notification'],
    ['failed'],
  ),
  row(
    'reconciler-before-notification',
    'the reconciler runs before the notification',
    ['decision', 'reconciler', 'notification'],
    ALL,
  ),
  row(
    'reconciler-then-return',
    'the reconciler runs, the browser returns, and then the notification arrives',
    ['decision', 'reconciler', 'return', 'notification'],
    ['paid', 'late'],
  ),
  row(
    'return-then-reconciler',
    'the browser returns, the reconciler runs, and then the notification arrives',
    ['decision', 'return', 'reconciler', 'notification'],
    ['paid', 'late'],
  ),
  // While an answer of the provider is held.
  row(
    'notification-during-return',
    'the notification arrives while the return waits for its status query',
    [during('return', 'decision', 'notification')],
    ['paid', 'failed'],
  ),
  row(
    'late-notification-during-return',
    'the notification arrives while the return waits for its status query',
    ['decision', during('return', 'notification')],
    ['paid', 'late'],
  ),
  row(
    'reconciler-during-return',
    'the reconciler runs while the return waits for its status query',
    [during('return', 'decision', 'reconciler'), 'notification'],
    ['paid'],
  ),
  row(
    'return-during-return',
    'the browser returns again while its first return waits for a status query',
    [during('return', 'decision', 'return'), 'notification'],
    ['paid', 'failed'],
  ),
  row(
    'notification-during-reconciler',
    'the notification arrives while the reconciler waits for its status query',
    [during('reconciler', 'decision', 'notification')],
    ['paid', 'failed'],
  ),
  row(
    'return-during-reconciler',
    'the browser returns while the reconciler waits for its status query',
    [during('reconciler', 'decision', 'return'), 'notification'],
    ['paid'],
  ),
  row(
    'notification-before-answer',
    'the notification arrives before the answer to the payment request',
    [during('answer', 'decision', 'notification'), 'return'],
    ['paid', 'failed'],
  ),
  row(
    'notification-before-answer-alone',
    'the notification arrives before the answer to the payment request, and the browser never returns',
    [during('answer', 'decision', 'notification')],
    ['paid', 'failed'],
  ),
  row(
    'reconciler-before-answer',
    'the reconciler runs before the answer to the payment request',
    [during('answer', 'decision', 'reconciler'), 'notification'],
    ['paid'],
  ),
  row(
    'return-before-answer',
    'the browser returns before the answer to the payment request',
    [during('answer', 'decision', 'return'), 'notification'],
    ['paid'],
  ),
  // At the same moment, several times. A shop handles a payment that expires as one that fails, so this is not repeated for both.
  row(
    'return-and-notification-at-once',
    'the return and the notification at once',
    ['decision', atOnce('return', 'notification')],
    ['paid', 'failed', 'late'],
  ),
  row(
    'query-and-notification-at-once',
    "the answer to the return's status query and the notification at once",
    ['decision', { held: 'return', during: [], releasedWith: 'notification' }],
    ['paid'],
  ),
  row(
    'reconciler-and-notification-at-once',
    'the reconciler and the notification at once',
    ['decision', atOnce('reconciler', 'notification')],
    ['paid'],
  ),
  row(
    'return-and-reconciler-at-once',
    'the return and the reconciler at once',
    ['decision', atOnce('return', 'reconciler')],
    ['paid'],
  ),
  row(
    'all-at-once',
    'the return, the notification and the reconciler at once',
    ['decision', atOnce('return', 'notification', 'reconciler')],
    ['paid'],
  ),
  row('returns-at-once', 'two returns at once', ['decision', atOnce('return', 'return')], ['paid']),
  row(
    'answer-and-notification-at-once',
    'the answer to the payment request and the notification at once',
    [{ held: 'answer', during: ['decision'], releasedWith: 'notification' }],
    ['paid'],
  ),
  row(
    'killed-while-notified',
    'the shop is killed while it handles the notification, and started again',
    ['decision', { killedDuring: 'notification' }],
    ['paid'],
  ),
  // Two attempts to pay.
  row(
    'failure-after-second-attempt',
    'the failure of the first attempt is notified after the second attempt',
    ['decision', 'notification', 'first-notification', 'return'],
    ['again'],
  ),
  row(
    'failure-during-return',
    'the failure of the first attempt is notified while the return waits for its status query',
    ['decision', during('return', 'first-notification'), 'notification'],
    ['again'],
  ),
  row(
    'attempts-at-once',
    'the notifications of both attempts at once',
    ['decision', atOnce('notification', 'first-notification')],
    ['again'],
  ),
];
