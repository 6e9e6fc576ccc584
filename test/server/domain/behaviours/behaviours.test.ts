import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { loadFixtures } from '../../../../src/server/config/fixtures.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { NOW, openShop } from './shop.ts';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
});
afterAll(() => sandbox.close());

function shopWith(behaviour?: string) {
  sessions += 1;
  return openShop(sandbox.session(`behaviours-${sessions}`), behaviour);
}

const times = (count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, index) => from + (index + 1) * step);

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Times in seconds of the attempts at a notification that is always refused, and its final state. */
const SCHEDULES: Readonly<Record<string, { seconds: number[]; state: string }>> = {
  'notified-once-unsigned': { seconds: [0], state: 'failed' },
  'notified-three-times': { seconds: [0, 300, 600], state: 'failed' },
  'notified-every-second': { seconds: [0, ...times(20, 0, 1), ...times(30, 20, 120)], state: 'failed' },
  'notified-for-a-day': { seconds: [0, ...times(24, 0, HOUR)], state: 'failed' },
  'notified-for-five-days': {
    seconds: [0, 60, 360, 1260, 4860, ...times(20, 4860, 6 * HOUR)],
    state: 'failed',
  },
  'queue-halts-after-15-failures': { seconds: [0, ...times(14, 0, MINUTE)], state: 'held' },
  'endpoint-switched-off-after-a-day': { seconds: [0, ...times(24, 0, HOUR)], state: 'dropped' },
};

/** Behaviours whose effects are covered by separate tests. */
const OTHERS = [
  'notification-lags',
  'notified-by-put-with-hash',
  'notified-in-other-json',
  'only-200-within-two-seconds',
  'standard',
  'status-lags',
  'thirty-seconds-to-answer',
  // Tested in merchant-api/fault.test.ts.
  ...['calls-time-out', 'slow-calls', 'unknown-codes'],
];

describe('the shipped behaviours', () => {
  it('are those that are tested here, each with its source and date', async () => {
    const { behaviours } = await loadFixtures();
    expect([...behaviours.keys()].sort()).toEqual([...Object.keys(SCHEDULES), ...OTHERS].sort());
    for (const { source, date } of behaviours.values()) {
      expect(source).not.toBe('');
      expect(date).toMatch(/^2026-/);
    }
  });

  it.each(Object.entries(SCHEDULES))('%s notifies at the expected times', async (behaviour, { seconds, state }) => {
    const shop = await shopWith(behaviour);
    shop.answerWith(500);
    await shop.payAndSettle('ORDER-1');
    await shop.session.runUntilIdle();
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ behaviour, seconds, state, nextAttemptAt: null }]);
    expect(shop.receiver.received).toHaveLength(seconds.length);
  });

  it('standard has the same effect as no behaviour', async () => {
    const [one, other] = [await shopWith(), await shopWith('standard')];
    for (const shop of [one, other]) {
      shop.answerWith(500);
      await shop.payAndSettle('ORDER-1');
      await shop.session.runUntilIdle();
      await shop.receiver.close();
    }
    const [[usual], [standard]] = [await one.deliveries(), await other.deliveries()];
    expect(standard?.seconds).toHaveLength(12);
    expect(standard?.seconds).toEqual(usual?.seconds);
    expect(standard).not.toHaveProperty('rules');
    expect(standard).not.toHaveProperty('behaviour');
  });

  it('notified-once-unsigned sends no signature', async () => {
    const shop = await shopWith('notified-once-unsigned');
    await shop.payAndSettle('ORDER-1');
    await shop.receiver.close();
    const [notification] = shop.receiver.received;
    expect(Object.keys(notification?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    expect(JSON.parse(notification?.body ?? '')).toMatchObject({ status: 'Paid', paymentReference: 'ORDER-1' });
  });

  it('notified-by-put-with-hash sends a PUT with the hash of four fields and the secret', async () => {
    const shop = await shopWith('notified-by-put-with-hash');
    await shop.payAndSettle('ORDER-1');
    await shop.receiver.close();
    const [notification] = shop.receiver.received;
    const expected = createHash('sha512').update(`ORDER-110USDPaid${shop.endpoint.secret}`).digest('hex');
    expect(notification).toMatchObject({ method: 'PUT', headers: { 'x-notification-hash': expected } });
    expect(notification?.headers).not.toHaveProperty('webhook-signature');
  });

  it('notified-in-other-json signs the bytes that it sends, which are not those of JSON.stringify', async () => {
    const shop = await shopWith('notified-in-other-json');
    await shop.payAndSettle('ORDER-1');
    await shop.receiver.close();
    const { body = '', headers = {} as IncomingHttpHeaders } = shop.receiver.received[0] ?? {};
    const key = Buffer.from(shop.endpoint.secret.slice(6), 'base64');
    const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
    const signature = (text: string) =>
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
    expect(given).toBe(signature(body));
    expect(given).not.toBe(signature(JSON.stringify(JSON.parse(body))));
    expect(body).toContain('"paymentAmount": 10.00');
    expect(await shop.deliveries()).toMatchObject([{ body, state: 'delivered' }]);
  });

  it('only-200-within-two-seconds accepts only 200 as an answer', async () => {
    const shop = await shopWith('only-200-within-two-seconds');
    shop.answerWith(204);
    await shop.payAndSettle('ORDER-1');
    const [refused] = await shop.deliveries();
    expect(refused).toMatchObject({ state: 'pending', rules: { timeout: 'PT2S' } });
    expect(refused?.attempts).toMatchObject([
      { status: 204, error: 'the endpoint answered with 204; only 200 counts as delivered' },
    ]);
    shop.answerWith(200);
    await shop.session.runUntilIdle();
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('thirty-seconds-to-answer sets the timeout of the sender', async () => {
    const shop = await shopWith('thirty-seconds-to-answer');
    await shop.payAndSettle('ORDER-1');
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ state: 'delivered', rules: { timeout: 'PT30S' } }]);
  });

  it('status-lags returns the status of half a minute ago, even if the merchant was notified since', async () => {
    const shop = await shopWith('status-lags');
    await shop.payAndSettle('ORDER-1');
    expect(shop.receiver.received).toHaveLength(1);
    await shop.receiver.close();
    expect(await shop.statusOf('ORDER-1')).toBe('Processing');
    await shop.session.advance('PT29.999S');
    expect(await shop.statusOf('ORDER-1')).toBe('Processing');
    await shop.session.advance('PT0.001S');
    expect(await shop.statusOf('ORDER-1')).toBe('Paid');
    await shop.session.call('POST', '/payments/ORDER-1/adjustments', { kind: 'refund' });
    expect(await shop.statusOf('ORDER-1')).toBe('Paid');
    await shop.session.advance('PT30S');
    expect(await shop.statusOf('ORDER-1')).toBe('Refunded');
  });

  it('notification-lags notifies half a minute after the status query returns the outcome', async () => {
    const shop = await shopWith('notification-lags');
    await shop.payAndSettle('ORDER-1');
    expect(await shop.statusOf('ORDER-1')).toBe('Paid');
    await shop.session.advance('PT29.999S');
    expect(shop.receiver.received).toEqual([]);
    await shop.session.advance('PT0.001S');
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ seconds: [30], state: 'delivered' }]);
  });
});

describe('the current behaviour', () => {
  it('is that of the session, and returns to the initial one at a reset', async () => {
    const created = await sandbox.client.createSession('made-with', { behaviour: 'notified-three-times' });
    await created.useBehaviour('status-lags');
    expect(await created.currentBehaviour()).toMatchObject({ name: 'status-lags' });
    await created.reset();
    expect(await created.currentBehaviour()).toMatchObject({ name: 'notified-three-times' });
    expect(await sandbox.session('another').currentBehaviour()).toMatchObject({ name: 'standard' });
    await created.useBehaviour('standard');
    expect((await created.state())['state']).not.toHaveProperty('behaviour');
    await created.reset();
    expect(await created.currentBehaviour()).toMatchObject({ name: 'notified-three-times' });
  });

  it("is that of the call's scenario, for everything that the call initiated", async () => {
    const shop = await shopWith('notified-three-times');
    await shop.session.defineScenario({ name: 'own', description: '', rules: [], behaviour: 'notified-once-unsigned' });
    shop.answerWith(500);
    await shop.pay('ORDER-1', { 'X-Sandbox-Scenario': 'own' });
    await shop.pay('ORDER-2');
    await shop.session.settle('ORDER-1', 'Paid');
    await shop.session.settle('ORDER-2', 'Paid');
    await shop.session.runUntilIdle();
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([
      { behaviour: 'notified-once-unsigned', seconds: [0] },
      { behaviour: 'notified-three-times', seconds: [0, 300, 600] },
    ]);
  });

  it('does not change for a notification that is being delivered', async () => {
    const shop = await shopWith('notified-three-times');
    shop.answerWith(500);
    await shop.payAndSettle('ORDER-1');
    await shop.session.useBehaviour('notified-once-unsigned');
    await shop.session.runUntilIdle();
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ seconds: [0, 300, 600] }]);
  });

  it('must be one that exists', async () => {
    const { session, receiver } = await shopWith();
    await receiver.close();
    const unknown = /there is no behaviour "status-lag", did you mean status-lags\?/;
    await expect(session.useBehaviour('status-lag')).rejects.toThrow(unknown);
    await expect(
      session.defineScenario({ name: 'own', description: '', rules: [], behaviour: 'none' }),
    ).rejects.toThrow('$.behaviour: expected one of');
    await expect(session.createSession('odd', { behaviour: 'none' })).rejects.toThrow('$.behaviour: expected one of');
    const state = await session.state();
    await expect(
      session.restore({ ...state, state: { ...(state['state'] as object), behaviour: 'none' } }),
    ).rejects.toThrow('$.state.behaviour: expected one of');
    await expect(startSandbox({ behaviour: 'none' })).rejects.toThrow('--behaviour: unknown behaviour none');
  });
});
