import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOnClock } from '../../../src/base/time.ts';
import { post, single, tokenOf } from '../../interface/calls.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

const { jest } = import.meta;
const temporaryFolder = temporaryFolders();
const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const CHANNELS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const PAID_AT_ONCE = {
  name: 'paid-at-once',
  description: '',
  rules: [{ settle: { outcome: 'Paid' as const, after: 'PT0S' } }],
};

// Only the time is mocked; everything else on the machine works as usual.
beforeEach(() => {
  jest.useFakeTimers({
    now: NOW,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
});
const sandboxes: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map((each) => each.close()));
  jest.useRealTimers();
});

async function start(settings: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox(settings);
  sandboxes.push(sandbox);
  return sandbox;
}

async function payOnAllChannels({ url }: Sandbox, order: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const walletName of CHANNELS) {
    const payer = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {};
    const { status } = await post(
      WALLET,
      single({ walletName, payerReference: `${order}-${walletName}`, ...payer }),
      url,
    );
    statuses.push(status);
  }
  return statuses;
}

/** The states of payments and deliveries once nothing is due any more, and the status of a status query. */
async function readResults({ client, url }: Sandbox) {
  await client.runUntilIdle();
  const payments = (await client.payments()).items.map(({ state }) => state);
  const deliveries = (await client.deliveries()).items.map(({ state, attempts }) => `${state} ${attempts.length}`);
  const token = await tokenOf(url);
  const query = `transactionReference=ONE-WALLET_QR&walletName=WALLET_QR`;
  const answer = await fetch(`${url}/sandbox/api/getPaymentDetails?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.text();
  return { payments, deliveries, status: answer.status };
}

const expectedResults = (count: number) => ({
  payments: Array(count).fill('Paid'),
  deliveries: Array(count).fill('delivered 1'),
  status: 200,
});

it.each<[string, first: number, second: number, atRestart: number]>([
  ['before 1970', -600_000_000_000, -300_000_000_000, -900_000_000_000],
  ['passing into 1970', -1, 0, 1],
  ['set back by a day, and by a day more while the sandbox is stopped', NOW, NOW - 86_400_000, NOW - 2 * 86_400_000],
  ['set back by thirty years, and before 1970 while the sandbox is stopped', NOW, NOW - 946_080_000_000, -1],
  ['set forward by years', NOW, NOW + 946_080_000_000, NOW + 2 * 946_080_000_000],
  ['past the year 9999', 253_402_300_799_999, 253_402_300_800_000, 300_000_000_000_000],
  ['past the last date of JavaScript', 9e15, 9.001e15, 9.002e15],
])(
  'a sandbox with the machine’s clock %s accepts payments on all channels, notifies once and continues after a restart',
  async (_title, first, second, atRestart) => {
    const receiver = await startReceiver();
    sandboxes.push(receiver);
    const settings = { data: join(temporaryFolder(), 'state.json'), webhookUrl: receiver.url };
    jest.setSystemTime(first);
    const sandbox = await start(settings);
    await sandbox.client.defineScenario(PAID_AT_ONCE);
    await sandbox.client.useScenario('paid-at-once');
    expect(await payOnAllChannels(sandbox, 'ONE')).toEqual(Array(5).fill(200));
    jest.setSystemTime(second);
    expect(await payOnAllChannels(sandbox, 'TWO')).toEqual(Array(5).fill(200));
    expect(await readResults(sandbox)).toEqual(expectedResults(10));
    await expect(startSandbox(settings)).rejects.toThrow('is in use by this very process');
    const { now } = await sandbox.client.clock();
    await sandbox.close();

    jest.setSystemTime(atRestart);
    const restarted = await start(settings);
    const { now: restartedNow } = await restarted.client.clock();
    expect(isOnClock(Date.parse(restartedNow))).toBe(true);
    expect(restartedNow >= now).toBe(true);
    expect(await payOnAllChannels(restarted, 'THREE')).toEqual(Array(5).fill(200));
    expect(await readResults(restarted)).toEqual(expectedResults(15));
    await restarted.close();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(15);
    expect(receiver.received).toHaveLength(15);
  },
);

it('changed fixtures are read again with the machine’s clock past the last date of JavaScript', async () => {
  jest.setSystemTime(9e15);
  const fixtures = temporaryFolder();
  mkdirSync(join(fixtures, 'scenarios'));
  const sandbox = await start({ fixtures });
  writeFileSync(join(fixtures, 'scenarios', 'paid-at-once.json'), JSON.stringify(PAID_AT_ONCE));
  await sandbox.client.waitForEvent('fixtures.reloaded', LONG_WAIT);
  expect((await sandbox.client.scenarios()).items.map(({ name }) => name)).toContain('paid-at-once');
});

it('a session at the first instant of 1970 accepts its own tokens', async () => {
  const sandbox = await start({ now: 0 });
  const token = await tokenOf(sandbox.url);
  const answer = await fetch(
    `${sandbox.url}/sandbox/api/getPaymentDetails?transactionReference=X&walletName=WALLET_QR`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  await answer.text();
  expect(answer.status).not.toBe(401);
});
