import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type Sandbox, type SandboxClient, startSandbox } from '../../../../src/index.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { startReceiver } from './receiver.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const newFolder = temporaryFolders();

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse(NOW) });
});
afterAll(() => sandbox.close());

async function sessionWith(url: string, webhook: object = { mode: 'normal' }): Promise<SandboxClient> {
  sessions += 1;
  const session = sandbox.session(`deliveries-${sessions}`);
  await session.setEndpoints([{ url }]);
  await session.defineScenario({ name: 'own', description: '', rules: [{ webhook }] });
  await session.useScenario('own');
  return session;
}

async function pay(session: SandboxClient, payerReference: string) {
  await request(session.baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), payerReference });
}

async function decide(session: SandboxClient, payerReference: string, state: 'Paid' | 'Failed' = 'Paid') {
  await pay(session, payerReference);
  await session.settle(payerReference, state);
}

const eventsOf = (happened: readonly { type: string; data: object }[] | undefined, type: string) =>
  (happened ?? []).filter((event) => event.type === type).map(({ data }) => data);

const firstOf = async (session: SandboxClient) => (await session.deliveries({ order: 'oldest' })).items[0];

const secondsAfterStart = (time: unknown) => (Date.parse(String(time)) - Date.parse(NOW)) / 1000;

describe('an attempt that fails', () => {
  it('is reported with the time of the next attempt, whose delay is within ten percent of the configured one', async () => {
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end());
    const session = await sessionWith(receiver.url);
    await session.useScenario('auto-approve');
    await pay(session, 'ORDER-1');
    const { happened } = await session.runUntilIdle();
    await receiver.close();
    const failed = eventsOf(happened, 'delivery.failed') as { attempt: number; nextAttemptAt: string }[];
    expect(failed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(failed[0]).toEqual({
      status: 500,
      error: 'the endpoint answered with 500',
      subject: 'payment-1',
      event: 'payment.paid',
      attempt: 1,
      url: receiver.url,
      nextAttemptAt: expect.any(String),
    });
    const { attempts = [] } = (await firstOf(session)) ?? {};
    expect(failed.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(attempts.slice(1).map(({ at }) => at));
    const times = attempts.map(({ at }) => secondsAfterStart(at));
    const delays = [10, 30, 90, 270, 810, 2430, 7290, 21_870, 65_610, 86_400, 86_400];
    const shares = delays.map((delay, index) => ((times[index + 1] ?? 0) - (times[index] ?? 0)) / delay);
    expect(times[0]).toBe(3);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1.1);
    // The delays differ randomly.
    expect(new Set(shares.map((share) => share.toFixed(3))).size).toBeGreaterThan(8);
    expect(Math.min(...shares)).toBeLessThan(1);
    expect(Math.max(...shares)).toBeGreaterThan(1);
    expect(eventsOf(happened, 'delivery.given-up')).toEqual([
      {
        status: 500,
        error: 'the endpoint answered with 500',
        url: receiver.url,
        subject: 'payment-1',
        event: 'payment.paid',
        attempt: 12,
      },
    ]);
  });

  it('is retried at the same time with the same seed, and at a different time for another delivery', async () => {
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end());
    const dues: unknown[][] = [];
    for (let round = 0; round < 2; round += 1) {
      const session = await sessionWith(receiver.url);
      await decide(session, 'ORDER-1');
      await decide(session, 'ORDER-2');
      await session.advance('PT0S');
      const { items } = await session.deliveries({ order: 'oldest' });
      dues.push(items.map(({ nextAttemptAt }) => nextAttemptAt));
    }
    await receiver.close();
    expect(dues[0]).toEqual(dues[1]);
    expect(new Set(dues[0]).size).toBe(2);
  });
});

describe('a replay', () => {
  it('of a delivery that was given up makes one more attempt', async () => {
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end());
    const session = await sessionWith(receiver.url);
    await decide(session, 'ORDER-1');
    await session.runUntilIdle();
    expect(await session.resend('delivery-1')).toMatchObject({ state: 'pending', replays: 1 });
    await session.runUntilIdle();
    await receiver.close();
    expect(receiver.received).toHaveLength(13);
    expect(await firstOf(session)).toMatchObject({ state: 'failed', replays: 1, nextAttemptAt: null });
  });

  it('of a delivered notification is retried with the first delay if the replay fails', async () => {
    let isBroken = false;
    const receiver = await startReceiver((_call, response) => response.writeHead(isBroken ? 500 : 200).end());
    const session = await sessionWith(receiver.url);
    await decide(session, 'ORDER-1');
    await session.advance('PT0S');
    isBroken = true;
    await session.resend('delivery-1');
    await session.advance('PT0S');
    await receiver.close();
    const after = secondsAfterStart((await firstOf(session))?.nextAttemptAt);
    expect(after).toBeGreaterThanOrEqual(9);
    expect(after).toBeLessThanOrEqual(11);
  });

  it('that is requested during an attempt that fails is sent at once, without the retry delay', async () => {
    let fail: () => void = () => undefined;
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const receiver = await startReceiver((call, response) => {
      if (call > 1) {
        response.end();
        return;
      }
      fail = () => response.writeHead(500).end();
      arrive();
    });
    const session = await sessionWith(receiver.url);
    await decide(session, 'ORDER-1');
    await arrived;
    await session.resend('delivery-1');
    fail();
    const { data } = await session.waitForEvent('delivery.failed', LONG_WAIT);
    expect(data).toMatchObject({ attempt: 1, nextAttemptAt: NOW });
    await session.waitForEvent('delivery.succeeded', LONG_WAIT);
    await receiver.close();
  });

  it('of a slow notification is sent without a pause, and a replay of a tampered notification is tampered with again', async () => {
    const receiver = await startReceiver();
    const slow = await sessionWith(receiver.url, { mode: 'slow', delay: 'PT1M' });
    await decide(slow, 'ORDER-1');
    await slow.runUntilIdle();
    const { now } = await slow.clock();
    await slow.resend('delivery-1');
    await slow.runUntilIdle();
    expect((await slow.clock()).now).toBe(now);
    const tampered = await sessionWith(receiver.url, { mode: 'tampered' });
    await decide(tampered, 'ORDER-1');
    await tampered.runUntilIdle();
    await tampered.resend('delivery-1');
    await tampered.runUntilIdle();
    await receiver.close();
    expect(receiver.received.map(({ body }) => JSON.parse(body).paymentAmount)).toEqual([10, 10, 9, 9]);
  });
});

describe('a webhook behaviour', () => {
  it('of mode delayed waits five minutes by default', async () => {
    const session = await sessionWith('http://127.0.0.1:1/', { mode: 'delayed' });
    await decide(session, 'ORDER-1');
    expect((await firstOf(session))?.nextAttemptAt).toBe('2026-03-01T10:05:00.000Z');
  });

  it('of mode reordered sends within ten seconds, or within the delay that the scenario sets', async () => {
    for (const [webhook, span] of [
      [{ mode: 'reordered' }, 10],
      [{ mode: 'reordered', delay: 'PT1H' }, 3600],
    ] as const) {
      const session = await sessionWith('http://127.0.0.1:1/', webhook);
      for (let number = 1; number <= 12; number += 1) {
        await decide(session, `ORDER-${number}`);
      }
      const { items } = await session.deliveries({ limit: '100' });
      const dues = items.map(({ nextAttemptAt }) => secondsAfterStart(nextAttemptAt));
      expect(Math.min(...dues)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...dues)).toBeLessThan(span);
      expect(Math.max(...dues)).toBeGreaterThan(span / 3);
      expect(new Set(dues).size).toBeGreaterThan(6);
    }
  });

  it('of mode burst sends a notification the given number of times, under the same webhook-id', async () => {
    const session = await sessionWith('http://127.0.0.1:1/', { mode: 'burst', count: 3 });
    await decide(session, 'ORDER-1');
    const { items } = await session.deliveries();
    expect(new Set(items.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(items).toHaveLength(3);
  });

  it('of a scenario applies to a payout, too', async () => {
    const session = await sessionWith('http://127.0.0.1:1/', { mode: 'dropped' });
    await request(session.baseUrl)
      .post('/sandbox/init/authenticate/merchant/bulkPayment')
      .send(exampleOf('requests/bulk-payout'));
    await session.runUntilIdle();
    const dropped = { subjectId: 'payout-1', state: 'dropped', merchantId: 'M-1000', attempts: [] };
    const types = ['payout.paid', 'payout.credit-paid', 'payout.credit-paid'];
    expect((await session.deliveries()).items).toMatchObject(types.map((type) => ({ ...dropped, type })));
  });
});

describe('endpoints', () => {
  it('of the fixture and the setting show their source, and have a secret from the seed if none is set', async () => {
    const fixtures = newFolder();
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const webhooks = [
      { url: 'http://127.0.0.1:1/a', types: ['payment.paid'] },
      { url: 'http://127.0.0.1:1/b', secret },
    ];
    writeFileSync(join(fixtures, 'merchants.json'), JSON.stringify({ merchants: [{ id: 'M-1000', webhooks }] }));
    const otherSandbox = await startSandbox({ now: Date.parse(NOW), fixtures, webhookUrl: 'http://127.0.0.1:1/a' });
    await otherSandbox.client.setEndpoints([{ url: 'http://127.0.0.1:1/c', merchantId: 'M-1000', types: [] }]);
    const { endpoints: items } = await otherSandbox.client.endpoints();
    await otherSandbox.client.createSession('other', { seed: 'other' });
    const other = (await otherSandbox.session('other').endpoints()).endpoints;
    await otherSandbox.close();
    expect(items.map(({ queue }) => queue)).toEqual(
      items.map(() => ({ state: 'open', failures: 0, failingSince: null })),
    );
    expect(items.map(({ queue: _, ...facts }) => facts)).toEqual([
      {
        id: 'endpoint-1',
        url: 'http://127.0.0.1:1/c',
        merchantId: 'M-1000',
        types: [],
        source: 'session',
        secret: expect.any(String),
      },
      {
        id: 'endpoint-M-1000-1',
        url: 'http://127.0.0.1:1/a',
        merchantId: 'M-1000',
        types: ['payment.paid'],
        source: 'merchant',
        secret: expect.stringMatching(/^whsec_[\w+/]{32}$/),
      },
      {
        id: 'endpoint-M-1000-2',
        url: 'http://127.0.0.1:1/b',
        merchantId: 'M-1000',
        types: null,
        source: 'merchant',
        secret,
      },
      {
        id: 'endpoint-setting',
        url: 'http://127.0.0.1:1/a',
        merchantId: null,
        types: null,
        source: 'setting',
        // The same secret, because both endpoints have the same address.
        secret: items[1]?.secret,
      },
    ]);
    expect(other.map(({ id }) => id)).toEqual(['endpoint-M-1000-1', 'endpoint-M-1000-2', 'endpoint-setting']);
    expect(other[0]?.secret).not.toBe(items[1]?.secret);
  });
});

describe('the webhook tester', () => {
  function sendSample(url: string) {
    return request(sandbox.url).post('/sandbox/init/customerWebhookTester').send({ url, webHookType: 'TRANSACTIONS' });
  }

  it('reports an accepted sample, and keeps a record of it', async () => {
    const receiver = await startReceiver();
    const { headers } = await sendSample(receiver.url);
    await receiver.close();
    expect(headers['x-sandbox-delivery-outcome']).toMatch(/^delivered: 200 in \d+ ms$/);
    const { items } = await sandbox.client.deliveries();
    expect(items.find(({ id }) => id === headers['x-sandbox-delivery'])).toMatchObject({
      state: 'delivered',
      isTest: true,
      endpointId: null,
      merchantId: null,
      subjectId: 'webhook-test',
      attempts: [{ status: 200, error: null }],
    });
  });

  it('does not retry a sample, and reports its failure', async () => {
    const receiver = await startReceiver((_call, response) => response.destroy());
    const { headers } = await sendSample(receiver.url);
    await receiver.close();
    expect(headers['x-sandbox-delivery-outcome']).toMatch(/^failed in \d+ ms: the endpoint closed the connection$/);
    await sandbox.client.runUntilIdle();
    expect(receiver.received).toHaveLength(1);
  });

  it('reports that it was interrupted if the sandbox stops before the receiver answers', async () => {
    const receiver = await startReceiver(() => undefined);
    const otherSandbox = await startSandbox();
    const answer = request(otherSandbox.url)
      .post('/sandbox/init/customerWebhookTester')
      .send({ url: receiver.url, webHookType: 'TRANSACTIONS' })
      .then((each) => each);
    await receiver.arrived;
    await otherSandbox.close();
    const { status, headers } = await answer;
    await receiver.close();
    expect([status, headers['x-sandbox-delivery-outcome']]).toEqual([
      200,
      expect.stringMatching(
        /^failed in \d+ ms: interrupted because the sandbox stopped; the endpoint may have got it$/,
      ),
    ]);
  });
});
