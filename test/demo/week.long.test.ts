import { makeWeek } from '../../src/demo/week/week.ts';
import { WeekReceiver } from '../../src/demo/week/week-receiver.ts';
import type { Sandbox } from '../../src/sandbox.ts';
import { resolveSettings } from '../../src/server/config/resolve-settings.ts';
import { start } from '../../src/start-with.ts';

const MONDAY = Date.parse('2026-03-09T09:30:00.000Z');
const SUNDAY_NIGHT = Date.parse('2026-03-15T22:10:00.000Z');
const OPTIONS = { webhookUrl: 'http://127.0.0.1:4101/webhook', offset: '+02:00' };

interface DemoWeek {
  sandbox: Sandbox;
  makeWeek(end: number): ReturnType<typeof makeWeek>;
}

async function startWeek(): Promise<DemoWeek> {
  const receiver = new WeekReceiver();
  const settings = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true });
  const sandbox = await start(settings, {
    additions: { operations: [], wrapSender: (sender) => receiver.wrap(sender) },
  });
  const { client } = sandbox;
  return {
    sandbox,
    makeWeek: (end) => makeWeek({ ...OPTIONS, client, end, receiver }),
  };
}

let first: DemoWeek;
let other: DemoWeek;

beforeAll(async () => {
  [first, other] = [await startWeek(), await startWeek()];
  await first.makeWeek(MONDAY);
  await other.makeWeek(MONDAY);
});
afterAll(() => Promise.all([first.sandbox.close(), other.sandbox.close()]));

/** All stored data, without addresses and ids of forms, which differ between sandboxes. */
async function storedData({ sandbox: { client, url } }: DemoWeek): Promise<string> {
  const text = JSON.stringify(await client.state(), null, 1);
  return text.replaceAll(url, '<url>').replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<form>');
}

type Item = Record<string, unknown>;

async function all<T = Item>({ sandbox: { client } }: DemoWeek, list: string): Promise<T[]> {
  return (await client.list<T & Item>(list, { limit: '1000' })).items;
}

function countsOf(items: readonly Item[], member: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    counts[String(item[member])] = (counts[String(item[member])] ?? 0) + 1;
  }
  return counts;
}

it('the demo week has the same data, except addresses and form ids, if it ends at the same instant', async () => {
  expect(await storedData(other)).toBe(await storedData(first));
});

it('the demo week has ninety payments, of every channel, origin and outcome', async () => {
  const payments = await all(first, 'payments');
  expect(payments).toHaveLength(90);
  expect(Object.keys(countsOf(payments, 'channel')).sort()).toEqual([
    'card-network-a',
    'card-network-b',
    'card-switch',
    'mobile-money',
    'qr-wallet',
  ]);
  expect(countsOf(payments, 'origin')).toEqual({ merchant: 64, 'shop-code': 8, recurring: 8, link: 6, token: 4 });
  expect(countsOf(payments, 'state')).toEqual({
    Paid: 63,
    Failed: 12,
    Cancelled: 5,
    Expired: 3,
    Processing: 3,
    Refunded: 2,
    Reversed: 1,
    ChargedBack: 1,
  });
});

it('the demo week has payouts with failed and returned credits, recurring payments, and daily settlements', async () => {
  const payouts = await all<{ state: string; credits: Item[] }>(first, 'payouts');
  expect(payouts.map(({ state }) => state)).toEqual(['PartlyPaid', 'PartlyPaid', 'Paid']);
  expect(
    countsOf(
      payouts.flatMap(({ credits }) => credits),
      'state',
    ),
  ).toEqual({ Paid: 6, Failed: 2, Returned: 1 });
  expect(countsOf(await all(first, 'recurring-payments'), 'state')).toEqual({ Active: 3, Cancelled: 1 });
  const settlements = await all(first, 'settlements');
  const days = new Set(
    settlements.filter(({ merchantId }) => merchantId === 'M-1000').map((each) => each['businessDate']),
  );
  expect(days.size).toBe(8);
});

it('the demo week has a balanced ledger, and a complete history', async () => {
  const { client } = first.sandbox;
  expect(await client.call('GET', '/ledger/check')).toMatchObject({ balanced: true, differences: [] });
  const [manifest = ''] = (await client.bundle()).split('\n');
  expect(JSON.parse(manifest)).toMatchObject({ kind: 'manifest', cutBecause: null });
});

it('the receiver of the demo week fails for an afternoon, and gets all notifications in the end', async () => {
  type Delivery = { state: string; attempts: { status: number | null }[] };
  const deliveries = await all<Delivery>(first, 'webhooks/deliveries');
  expect(countsOf(deliveries, 'state')).toEqual({ delivered: deliveries.length });
  const retried = deliveries.filter(({ attempts }) => attempts.length > 1);
  expect(retried.length).toBeGreaterThan(4);
  const failures = retried.flatMap(({ attempts }) => attempts.slice(0, -1).map(({ status }) => status));
  expect(new Set(failures)).toEqual(new Set([500, null]));
});

it('the demo week has refused calls, and its only finding is the slow receiver', async () => {
  const requests = await all<{ answer: { status: number } }>(first, 'requests');
  const refused = requests.map(({ answer }) => answer.status).filter((status) => status >= 400);
  expect(refused.sort()).toEqual([400, 400, 400, 401, 404, 422]);
  const findings = await all(first, 'findings');
  expect(findings.map(({ name }) => name)).toEqual(['slow-receiver']);
});

it('a demo week that is made again, with another end, has the same payments', async () => {
  const paymentFacts = async () =>
    (await all(other, 'payments')).map(({ id, payerReference, payerName, amount, state, paymentId }) => [
      id,
      payerReference,
      payerName,
      amount,
      state,
      paymentId,
    ]);
  const before = await paymentFacts();
  await other.sandbox.client.reset();
  await other.makeWeek(SUNDAY_NIGHT);
  expect(await paymentFacts()).toEqual(before);
  expect((await other.sandbox.client.clock()).now).toBe('2026-03-15T22:10:00.000Z');
});
