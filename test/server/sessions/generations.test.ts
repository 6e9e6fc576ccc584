import type { ServerResponse } from 'node:http';
import request from 'supertest';
import { type Sandbox, type SandboxClient, startSandbox } from '../../../src/index.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`generations-${sessions}`);
}

function pay({ baseUrl }: SandboxClient, payerReference = 'ORDER-1001') {
  return request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), payerReference });
}

/** A receiver that holds its responses until the test sends them. */
async function startHoldingReceiver() {
  const heldResponses: ServerResponse[] = [];
  let onArrival: () => void = () => undefined;
  const receiver = await startReceiver((_call, response) => {
    heldResponses.push(response);
    onArrival();
  });
  return {
    ...receiver,
    /** Resolves with the response to the Nth notification, once it has arrived. */
    async arrival(number: number): Promise<ServerResponse> {
      while (heldResponses.length < number) {
        await new Promise<void>((resolve) => {
          onArrival = resolve;
        });
      }
      return heldResponses[number - 1] as ServerResponse;
    },
  };
}

async function paidSession(url: string) {
  const session = newSession();
  await session.setEndpoints([{ url }]);
  await pay(session);
  await session.settle('ORDER-1001', 'Paid');
  return session;
}

async function attemptsOf(session: SandboxClient) {
  const { items } = await session.deliveries({ order: 'oldest' });
  return items.map(({ id, state, attempts }) => [id, state, attempts.map(({ status }) => status)]);
}

describe('a notification', () => {
  it.each(['reset', 'restore'] as const)('in progress does not affect the session after a %s', async (how) => {
    const receiver = await startHoldingReceiver();
    const session = await paidSession(receiver.url);
    const first = await receiver.arrival(1);
    const cut = new Promise((resolve) => first.on('close', resolve));
    const state = await session.state();
    await (how === 'reset' ? session.reset() : session.restore(state));
    await cut;
    if (how === 'reset') {
      // Ids start from 1 again, so the new payment's delivery has the same id as the old one.
      await session.setEndpoints([{ url: receiver.url }]);
      await pay(session);
      await session.settle('ORDER-1001', 'Failed');
    }
    const second = await receiver.arrival(2);
    expect(await attemptsOf(session)).toEqual([['delivery-1', 'pending', []]]);
    first.destroy();
    second.statusCode = 204;
    second.end();
    await session.waitForEvent('delivery.succeeded', LONG_WAIT);
    expect(await attemptsOf(session)).toEqual([['delivery-1', 'delivered', [204]]]);
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ status: how === 'reset' ? 'Failed' : 'Paid' });
    await receiver.close();
  });

  it('is not retried after a reset, even if the clock is moved by days', async () => {
    const receiver = await startReceiver((_call, response) => {
      response.statusCode = 500;
      response.end();
    });
    const session = await paidSession(receiver.url);
    await session.waitForEvent('delivery.failed', LONG_WAIT);
    await session.reset();
    await session.advance('P10D');
    expect(receiver.received).toHaveLength(1);
    expect(await attemptsOf(session)).toEqual([]);
    await receiver.close();
  });

  it('in progress does not delay the deletion of its session, and does not affect the next session with that name', async () => {
    const receiver = await startHoldingReceiver();
    const session = await paidSession(receiver.url);
    const first = await receiver.arrival(1);
    await sandbox.client.deleteSession(session.session);
    expect((await pay(session)).status).toBe(200);
    first.end();
    expect(await attemptsOf(session)).toEqual([]);
    expect((await session.payments()).items).toHaveLength(1);
    await receiver.close();
  });

  it('that is resent during an attempt is sent once more after that attempt, and both are in one record', async () => {
    const receiver = await startHoldingReceiver();
    const session = await paidSession(receiver.url);
    const first = await receiver.arrival(1);
    await session.resend('delivery-1');
    await session.resend('delivery-1');
    expect(receiver.received).toHaveLength(1);
    first.statusCode = 500;
    first.end();
    const second = await receiver.arrival(2);
    expect(await attemptsOf(session)).toEqual([['delivery-1', 'pending', [500]]]);
    second.end();
    await session.waitForEvent('delivery.succeeded', LONG_WAIT);
    expect(await attemptsOf(session)).toEqual([['delivery-1', 'delivered', [500, 200]]]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await session.runUntilIdle();
    expect(receiver.received).toHaveLength(2);
    await receiver.close();
  });

  it('of the webhook tester ends at a reset', async () => {
    const receiver = await startHoldingReceiver();
    const session = newSession();
    const testCall = request(session.baseUrl)
      .post('/sandbox/init/customerWebhookTester')
      .send({ url: receiver.url, webHookType: 'TRANSACTIONS' })
      .then((answer) => answer);
    await receiver.arrival(1);
    await session.reset();
    const { status, text } = await testCall;
    expect([status, JSON.parse(text)]).toEqual([
      409,
      { errorMessage: expect.stringContaining('was reset'), statusCode: 409 },
    ]);
    await receiver.close();
  });
});

describe('calls while a session is deleted, restored or reset', () => {
  it('are answered, or refused without effect, at a deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const session = newSession();
      await pay(session, 'BEFORE');
      const calls = Array.from({ length: 20 }, (_, index) => index).map(async (index) => {
        if (index === 10) {
          await sandbox.client.deleteSession(session.session);
          return undefined;
        }
        const reference = `ORDER-${index}`;
        const { status } = await pay(session, reference);
        return { reference, status };
      });
      const answers = (await Promise.all(calls)).filter((answer) => answer !== undefined);
      expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
      const { items } = await session.payments({ limit: '100' });
      const stored = new Set(items.map(({ payerReference }) => payerReference));
      expect(stored.has('BEFORE')).toBe(false);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.filter(({ reference }) => stored.has(reference))).toEqual([]);
      await session.call('GET', '/clock');
      expect((await pay(session, 'AFTER')).status).toBe(200);
      expect((await session.paymentByReference('AFTER')).state).toBe('Processing');
    }
  });

  it('see a restored state completely or not at all', async () => {
    const session = newSession();
    for (let number = 1; number <= 30; number += 1) {
      await pay(session, `ORDER-${number}`);
    }
    const full = await session.state();
    let hasEnded = false;
    const counts = new Set<number>();
    const watching = (async () => {
      while (!hasEnded) {
        const { payments } = (await session.state()) as { payments?: unknown[] };
        counts.add(payments?.length ?? 0);
        counts.add((await session.payments({ limit: '1000' })).items.length);
      }
    })();
    for (let round = 0; round < 20; round += 1) {
      await session.restore(full);
    }
    hasEnded = true;
    await watching;
    expect([...counts]).toEqual([30]);
  });

  it('that wait for a latency are refused at a reset, and store nothing', async () => {
    const session = newSession();
    await session.useScenario('slow');
    const waiting = pay(session).then((answer) => answer);
    // The clock is frozen, so the call waits for ever. Neither jobs nor the request log show it, but the clock's next due instant does.
    while ((await session.clock()).nextDue === null) {
      await session.health();
    }
    await session.reset();
    const { status, text } = await waiting;
    expect([status, JSON.parse(text).auth.errorResponse.errorMessage]).toEqual([
      409,
      expect.stringContaining('was reset'),
    ]);
    expect((await session.payments()).items).toEqual([]);
    // Call numbers restart, too.
    const { headers } = await pay(session);
    const { items } = await session.list<{ id: string; status: number }>('requests');
    expect(items).toMatchObject([{ id: headers['x-sandbox-request'], answer: { status: 200 } }]);
  });
});

describe('moving the clock', () => {
  it("does not wait in real time for a slow delivery, which waits on the session's clock", async () => {
    const receiver = await startReceiver();
    const session = newSession();
    await session.setEndpoints([{ url: receiver.url }]);
    await session.defineScenario({
      name: 'slowly',
      description: 'Paid at once, notified in two parts a minute apart',
      rules: [{ settle: { outcome: 'Paid', after: 'PT1S' }, webhook: { mode: 'slow', delay: 'PT1M' } }],
    });
    await session.useScenario('slowly');
    await pay(session);
    await session.advance('PT2S');
    await receiver.arrived;
    expect((await session.clock()).now).toBe('2026-03-01T10:00:02.000Z');
    const { items } = await session.list<{ id: string; waitsFor: string; state: string }>('jobs');
    expect(items[0]).toMatchObject({ id: 'deliveries delivery-1', state: 'running', waitsFor: 'time' });
    expect(receiver.received).toEqual([]);
    await session.advance('PT59S');
    expect(await attemptsOf(session)).toEqual([['delivery-1', 'delivered', [200]]]);
    await receiver.close();
  });

  it('ends with its generation, and does not move the new clock', async () => {
    const receiver = await startHoldingReceiver();
    const session = newSession();
    await session.setEndpoints([{ url: receiver.url }]);
    await session.useScenario('auto-approve');
    await pay(session);
    const moving = session.advance('P1D').catch((error: { status: number }) => error.status);
    await receiver.arrival(1);
    await session.reset();
    expect(await moving).toBe(409);
    expect((await session.clock()).now).toBe('2026-03-01T10:00:00.000Z');
    await receiver.close();
  });
});
