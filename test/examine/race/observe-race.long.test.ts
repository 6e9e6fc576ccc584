import { setTimeout as delay } from 'node:timers/promises';
import { caseOf } from '../../../src/examine/cases/case.ts';
import type { Observation } from '../../../src/examine/observation/observation.ts';
import { linesOf, storyOf } from '../../../src/examine/observation/story.ts';
import { observeRace } from '../../../src/examine/race/observe-race.ts';
import { RACES } from '../../../src/examine/race/races.ts';
import type { Adapter } from '../../../src/examine/shop/adapter.ts';
import { withShop } from './examine-race.ts';

const PAYER = { name: 'Ann Payer', mobile: '263770000001' };
const ORDER = { amount: '10.00', currency: 'USD', channel: 'card-switch', payer: PAYER };

/** Observes one order of the correct shop in a race. */
function observeOrder(id: string, runIndex = 0): Promise<Observation> {
  const situation = RACES.find((each) => each.id === `race-${id}`);
  const { race } = situation ?? {};
  if (!situation || !race) {
    throw new Error(`there is no race ${id}`);
  }
  return withShop({}, (target) => observeRace(race, caseOf([situation]), ORDER, target, runIndex));
}

/** The story of a race, without times, references and the shop's request for an access token. */
async function storyIn(id: string): Promise<string[]> {
  const observation = await observeOrder(id);
  expect(observation.race?.missingSupport).toBeUndefined();
  return linesOf(storyOf(observation, 'shop'))
    .filter((line) => !/answered 401|authenticate\/merchant: /.test(line))
    .map((line) => line.slice(20).replace(/ \/(?:sandbox|return)[^\s:]*| for RACE-\d+/g, ''));
}

const PLACED = [
  'shop accepts an order of 10.00 USD on card-switch',
  'shop sends POST: answered 200',
  'provider records payment-1 as Created by the merchant, 10.00 USD',
];
const FAILED = 'provider records payment-1 as Failed Amount exceeds credit (800.100.155)';
const QUERIED = 'shop sends GET: answered 200, Failed';
const HELD = 'shop sends GET: processed, but the answer is held';
const PAID = 'shop says in the end: paid, fulfilled once, paid 10.00';
const notificationOf = (what: string, id = 1) =>
  `provider sends delivery-${id} (Notification payment.${what}): shop answered 204`;

it.each([
  [
    'return-before-notification-failed',
    [
      ...PLACED,
      FAILED,
      'browser returns to',
      QUERIED,
      notificationOf('failed'),
      'shop says in the end: failed, not fulfilled, paid 0.00',
    ],
  ],
  [
    'notification-during-return-paid',
    [
      ...PLACED,
      'browser returns to',
      HELD,
      'provider records payment-1 as Paid',
      notificationOf('paid'),
      'provider sends the answer to the status query, which was held: it says Processing',
      PAID,
    ],
  ],
  [
    // The clock was advanced until the payment was due, and must not be moved back.
    'late-notification-during-return-late',
    [
      ...PLACED,
      FAILED,
      notificationOf('failed'),
      'provider records payment-1 as Paid by rule 1 of examined, it had failed before',
      'browser returns to',
      HELD,
      notificationOf('paid', 2),
      'provider sends the answer to the status query, which was held: it says Paid',
      PAID,
    ],
  ],
  [
    'notification-before-answer-alone-paid',
    [
      PLACED[0],
      'shop sends POST: processed, but the answer is held',
      PLACED[2],
      'provider records payment-1 as Paid',
      notificationOf('paid'),
      'provider sends the answer to the payment request, which was held',
      PAID,
    ],
  ],
])('the steps of the race %s happen in order', async (id, story) => {
  expect(await storyIn(id)).toEqual(story);
});

it('the notification of a first failure can arrive after that of the second, paid attempt', async () => {
  const { payments, deliveries, finalState, race } = await observeOrder('failure-after-second-attempt-again');
  expect(payments.map(({ state, channel }) => [state, channel])).toEqual([
    ['Failed', 'card-switch'],
    ['Paid', 'mobile-money'],
  ]);
  const [first, second] = deliveries.map(({ attempts }) => attempts[0]?.at ?? '');
  expect([race?.missingSupport, (second ?? '') < (first ?? '')]).toEqual([undefined, true]);
  expect(finalState).toEqual({ state: 'paid', fulfilments: 1, paidAmount: '10.00' });
});

it('a race does not decide a late payment of an earlier order', async () => {
  const [situation] = RACES.filter(({ id }) => id === 'race-return-alone-paid');
  const change = (adapter: Adapter): Adapter => ({
    ...adapter,
    placeOrder: (order) => adapter.placeOrder({ ...order, amount: '99.00' }),
  });
  const observation = await withShop({ change }, async (target) => {
    const requests = [{ reference: 'RACE-1' }] as unknown as Observation['requests'];
    target.earlierOrders.add({ payments: [], deliveries: [], requests }, { amount: '99.00' });
    return situation?.race && observeRace(situation.race, caseOf([situation]), ORDER, target, 0);
  });
  expect(observation?.race?.missingSupport).toBe('the shop made no payment that could be decided');
});

it('if a shop accepts an order before it requests the payment, the browser returns only after the request', async () => {
  const [situation] = RACES.filter(({ id }) => id === 'race-return-before-decision-paid');
  const change = (adapter: Adapter): Adapter => ({
    ...adapter,
    async placeOrder(order) {
      void delay(300).then(() => adapter.placeOrder(order));
      return { orderId: 'RACE-1' };
    },
  });
  const observation = await withShop(
    { change },
    async (target) => situation?.race && observeRace(situation.race, caseOf([situation]), ORDER, target, 0),
  );
  const lines = observation ? linesOf(storyOf(observation, 'shop')) : [];
  const indexOf = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(indexOf('browser returns')).toBeGreaterThan(indexOf('records payment-1 as Created'));
});

it('the return and the notification happen at once in the first run and in a later one', async () => {
  for (const runIndex of [0, 3]) {
    const { requests, race } = await observeOrder('return-and-notification-at-once-paid', runIndex);
    expect(race?.steps.map(({ text }) => text)).toEqual([expect.stringContaining('at once with the notification')]);
    expect(requests.length).toBeGreaterThan(0);
  }
});
