import { RACE_ROWS } from '../../../src/examine/race/race-rows.ts';
import { raceTitleOf } from '../../../src/examine/race/race-title.ts';
import type { RaceStep } from '../../../src/examine/race/schedule.ts';

it('no two races have the same title', () => {
  const titles = RACE_ROWS.flatMap(({ steps, outcomes }) =>
    outcomes.map((outcome) => `${raceTitleOf(steps)}; ${outcome}`),
  );
  expect(new Set(titles).size).toBe(titles.length);
});

it.each<[string, RaceStep[]]>([
  ['the browser returns, and no notification arrives', ['decision', 'return']],
  [
    'the browser returns, the payment is decided, and then the notification arrives',
    ['return', 'decision', 'notification'],
  ],
  [
    'the browser returns, the browser returns again, and then the notification arrives',
    ['decision', 'return', 'return', 'notification'],
  ],
  ['the notification arrives, and then another notification arrives', ['decision', 'notification', 'notification']],
  [
    'the payment is decided and the notification arrives while the return waits for its status query',
    [{ held: 'return', during: ['decision', 'notification'] }],
  ],
  [
    'the payment is decided and the browser returns again while the return waits for its status query, and then the notification arrives',
    [{ held: 'return', during: ['decision', 'return'] }, 'notification'],
  ],
  [
    'the payment is decided and the notification arrives before the answer to the payment request',
    [{ held: 'answer', during: ['decision', 'notification'] }],
  ],
  [
    'the answer to the status query of the return and the notification at once',
    ['decision', { held: 'return', during: [], releasedWith: 'notification' }],
  ],
  [
    'the return, the notification and the reconciler at once',
    ['decision', { atOnce: ['return', 'notification', 'reconciler'] }],
  ],
  [
    'the return and another return at once, and no notification arrives',
    ['decision', { atOnce: ['return', 'return'] }],
  ],
  ['the shop is killed during the notification, and started again', ['decision', { killedDuring: 'notification' }]],
])('a race is named "%s"', (title, steps) => {
  expect(raceTitleOf(steps)).toBe(title);
});
