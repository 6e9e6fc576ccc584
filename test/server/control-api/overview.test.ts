import request from 'supertest';
import { CATCH_URL } from '../../../src/base/catch.ts';
import type {
  DeliveryView,
  OverviewView,
  PaymentView,
  PayoutView,
  RequestView,
} from '../../../src/base/schema/generated/control.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { cases } from '../../cases.ts';
import { single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { RandomShop } from '../app/random-shop.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

const NOW = '2026-03-01T10:00:00Z';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver((call, response) => {
    response.statusCode = call % 3 === 0 ? 500 : 200;
    response.end();
  });
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

const newFrozenSession = (name: string) => sandbox.client.createSession(name, { now: NOW });
const overviewOf = (session: SandboxClient) => session.call<OverviewView>('GET', '/overview');
const pay = ({ baseUrl }: SandboxClient, members: object = {}) =>
  request(baseUrl).post('/sandbox/init/authenticate/merchant/wallet').send(single(members));

const NOTHING: OverviewView = {
  payments: { count: 0, states: {}, channels: {} },
  payouts: { count: 0, states: {} },
  volume: { seconds: 1, intervals: [] },
  calls: { count: 0, refused: 0, lastRefused: [] },
  deliveries: {
    count: 0,
    states: {},
    endpoints: 0,
    attempts: { count: 0, succeeded: 0, median: null, slow: null },
  },
};

async function allOf<Item>(
  session: SandboxClient,
  path: string,
  filters: Record<string, string> = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await session.list<Item>(path, {
      ...filters,
      limit: '1000',
      ...(cursor === undefined ? {} : { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

function countBy<Item>(items: readonly Item[], kindOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    counts[kindOf(item)] = (counts[kindOf(item)] ?? 0) + 1;
  }
  return counts;
}

/** Expects the counts of the overview to be those of the lists. */
async function expectSameCounts(session: SandboxClient): Promise<void> {
  const overview = await overviewOf(session);
  expect(await validate('control/overview', overview)).toEqual([]);
  const payments = await allOf<PaymentView>(session, 'payments');
  const payouts = await allOf<PayoutView>(session, 'payouts');
  const deliveries = await allOf<DeliveryView>(session, 'webhooks/deliveries');
  const calls = await allOf<RequestView>(session, 'requests');
  const isRefused = ({ answer }: RequestView) => answer === null || answer.status >= 400;
  expect(overview.payments).toEqual({
    count: payments.length,
    states: countBy(payments, ({ state }) => state),
    channels: countBy(payments, ({ channel }) => channel),
  });
  expect(overview.payouts).toEqual({ count: payouts.length, states: countBy(payouts, ({ state }) => state) });
  expect(overview.deliveries).toMatchObject({
    count: deliveries.length,
    states: countBy(deliveries, ({ state }) => state),
  });
  const attempts = deliveries.flatMap((each) => (each.url === CATCH_URL ? [] : each.attempts));
  expect(overview.deliveries.attempts).toMatchObject({
    count: attempts.length,
    succeeded: attempts.filter(({ error }) => error === null).length,
  });
  const refused = calls.filter(isRefused);
  const withoutFault = refused.filter(({ fault }) => fault === null);
  expect(overview.calls).toMatchObject({ count: calls.length, refused: withoutFault.length });
  expect(overview.calls.lastRefused.map(({ id }) => id)).toEqual(withoutFault.slice(0, 5).map(({ id }) => id));
  expect((await allOf<RequestView>(session, 'requests', { refused: 'true' })).map(({ id }) => id)).toEqual(
    refused.map(({ id }) => id),
  );
  const { seconds, intervals } = overview.volume;
  const startOf = ({ createdAt }: PaymentView) => Math.floor(Date.parse(createdAt) / seconds / 1000) * seconds * 1000;
  const times = [...new Set(payments.map(startOf))].sort((one, other) => one - other);
  expect(intervals).toEqual(
    times.map((time) => ({
      at: new Date(time).toISOString(),
      channels: countBy(
        payments.filter((payment) => startOf(payment) === time),
        ({ channel }) => channel,
      ),
    })),
  );
}

describe('the overview of a session', () => {
  it('is empty for a session without calls', async () => {
    expect(await overviewOf(await newFrozenSession('empty'))).toEqual(NOTHING);
  });

  it.each(Array.from({ length: cases(8) }, (_, index) => index + 1))(
    'has the same counts as the lists throughout a random session (%i)',
    async (seed) => {
      const session = await newFrozenSession(`random-${seed}`);
      await session.setEndpoints([{ url: receiver.url }, { url: CATCH_URL }]);
      const shop = new RandomShop(session, seed);
      for (let part = 0; part < 3; part += 1) {
        await shop.run(12);
        await session.advance('PT0S');
        await expectSameCounts(session);
      }
    },
  );

  it('covers only its session, and only the records that exist after a reset or restore', async () => {
    const [one, other] = [await newFrozenSession('one'), await newFrozenSession('other')];
    await pay(one);
    const state = await one.call<object>('GET', '/state');
    await pay(one, { payerReference: 'ORDER-2', walletName: 'WALLET_SWITCH' });
    expect((await overviewOf(one)).payments.count).toBe(2);
    expect(await overviewOf(other)).toEqual(NOTHING);
    await one.call('PUT', '/state', state);
    await expectSameCounts(one);
    expect((await overviewOf(one)).payments.channels).toEqual({ 'qr-wallet': 1 });
    await one.reset();
    expect(await overviewOf(one)).toEqual(NOTHING);
  });

  it('shows how endpoints answer, except the built-in receiver', async () => {
    const session = await newFrozenSession('receivers');
    await session.useScenario('auto-approve');
    await session.setEndpoints([{ url: CATCH_URL }]);
    await pay(session);
    await session.runUntilIdle();
    expect((await overviewOf(session)).deliveries).toEqual({
      ...NOTHING.deliveries,
      count: 1,
      states: { delivered: 1 },
      endpoints: 1,
    });
    await session.setEndpoints([{ url: receiver.url }]);
    await pay(session, { payerReference: 'ORDER-2' });
    await session.runUntilIdle();
    const { count, median, slow } = (await overviewOf(session)).deliveries.attempts;
    expect(count).toBeGreaterThan(0);
    expect(median).toBeGreaterThanOrEqual(0);
    expect(slow).toBeGreaterThanOrEqual(Number(median));
  });

  it.each([
    [[100], 100, 100],
    [[900, 100], 100, 900],
    [[300, 100, 200], 200, 300],
    [Array.from({ length: 20 }, (_, index) => 20 - index), 10, 19],
    [Array.from({ length: 21 }, (_, index) => index + 1), 11, 20],
  ])(
    'shows the median of the answer times %j as %i ms, and their 95th percentile as %i ms',
    async (times, median, slow) => {
      const session = await newFrozenSession(`times-${times.length}`);
      await session.setEndpoints([{ url: receiver.url }]);
      await pay(session);
      await session.settle('payment-1', 'Paid');
      await session.runUntilIdle();
      const state = await session.call<{ deliveries: { attempts: object[] }[] }>('GET', '/state');
      const deliveries = state.deliveries.map((delivery) => ({
        ...delivery,
        attempts: times.map((ms) => ({ ...delivery.attempts[0], status: 200, error: null, ms })),
      }));
      await session.restore({ ...state, deliveries });
      expect((await overviewOf(session)).deliveries.attempts).toEqual({
        count: times.length,
        succeeded: times.length,
        median,
        slow,
      });
    },
  );

  it('names the last five refused calls, newest first', async () => {
    const session = await newFrozenSession('refused');
    for (let call = 1; call <= 7; call += 1) {
      await pay(session, { amount: 'much', payerReference: `ORDER-${call}` });
    }
    await pay(session);
    const { calls } = await overviewOf(session);
    expect(calls).toMatchObject({ count: 8, refused: 7 });
    expect(calls.lastRefused.map(({ reference }) => reference)).toEqual([7, 6, 5, 4, 3].map((call) => `ORDER-${call}`));
    const refusedWhere = async (refused: string) => (await session.list('requests', { refused })).items.length;
    expect([await refusedWhere('true'), await refusedWhere('false')]).toEqual([7, 1]);
  });

  it('does not count a call as refused if it failed because of the scenario', async () => {
    const session = await newFrozenSession('ordered');
    await session.useScenario('outage');
    expect((await pay(session)).status).toBe(503);
    expect((await session.list('requests', { refused: 'true' })).items.length).toBe(1);
    expect((await overviewOf(session)).calls).toEqual({ count: 1, refused: 0, lastRefused: [] });
  });

  it('does not exist for an unknown session', async () => {
    await expect(overviewOf(sandbox.client.inSession('nowhere'))).rejects.toMatchObject({ status: 404 });
  });
});
