import type { ServerResponse } from 'node:http';
import type { Delivery } from '../../../../src/base/schema/generated/records.ts';
import { deliveryJob } from '../../../../src/server/domain/webhooks/delivery-job.ts';
import { Sender } from '../../../../src/server/domain/webhooks/sender.ts';
import { isSettled, sessionWith } from '../../sessions/session-under-test.ts';
import { delivery } from '../../store/samples.ts';
import { startReceiver } from './receiver.ts';
import { resolverOf } from './resolver.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const { jest } = import.meta;
const sender = new Sender({ isExposed: false, allowedHosts: [] });
afterAll(() => sender.close());

/** One attempt at a delivery; `sleep` replaces the session's clock. */
function send(facts: Partial<Delivery>, sleep: (milliseconds: number) => Promise<void> = async () => undefined) {
  return sender.send(delivery('delivery-1', 0, facts), { signal: new AbortController().signal, sleep });
}

async function sendTo(answer: (call: number, response: ServerResponse) => void, facts: Partial<Delivery> = {}) {
  const receiver = await startReceiver(answer);
  const result = await send({ ...facts, url: receiver.url });
  await receiver.close();
  return { result, received: receiver.received };
}

describe('an attempt', () => {
  it.each([
    [200, null],
    [204, null],
    [299, null],
    [300, 'the endpoint redirected with 300, which is not followed'],
    [399, 'the endpoint redirected with 399, which is not followed'],
    [101, 'the endpoint answered with 101'],
    [400, 'the endpoint answered with 400'],
    [599, 'the endpoint answered with 599'],
  ])('that is answered with %d has the error %s', async (status, error) => {
    const { result } = await sendTo((_call, response) => response.writeHead(status).end());
    expect(result).toMatchObject({ status, error });
  });

  it('reports in plain words that the endpoint closed the connection', async () => {
    const { result } = await sendTo((_call, response) => response.destroy());
    expect(result).toMatchObject({ status: null, error: 'the endpoint closed the connection', response: null });
  });

  it('reports a failed TLS handshake, and sends nothing unencrypted', async () => {
    const receiver = await startReceiver();
    const result = await send({ url: receiver.url.replace('http:', 'https:') });
    await receiver.close();
    expect(result).toMatchObject({ status: null, error: expect.stringMatching(/SSL|EPROTO|wrong version/i) });
    expect(receiver.received).toEqual([]);
  });

  it('is not made to a forbidden address', async () => {
    expect(await send({ url: 'http://169.254.169.254/' })).toMatchObject({
      status: null,
      error: expect.stringContaining('metadata'),
    });
  });

  it.each(['http', 'https'])('is not made over %s to a name that resolves to a forbidden address', async (protocol) => {
    const receiver = await startReceiver();
    const exposed = new Sender({ isExposed: true, allowedHosts: [] }, resolverOf({ 'shop.test': ['127.0.0.1'] }));
    const url = receiver.url.replace('http://127.0.0.1', `${protocol}://shop.test`);
    const { signal } = new AbortController();
    const { error } = await exposed.send(delivery('delivery-1', 0, { url }), { signal, sleep: async () => undefined });
    expect(error).toContain('--allow-webhook-host shop.test');
    expect(() => exposed.check(receiver.url)).toThrow('--allow-webhook-host 127.0.0.1');
    expect(receiver.connections).toBe(0);
    await receiver.close();
  });

  it('is a POST of JSON with a Content-Length, and is unsigned without a secret', async () => {
    const { result, received } = await sendTo((_call, response) => response.end(), { body: '{"name":"Zoë"}' });
    expect(received[0]).toMatchObject({ method: 'POST', body: '{"name":"Zoë"}' });
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'merchant-sandbox',
      'content-length': '15',
    });
    expect(Object.keys(result.headers)).toEqual(['content-type', 'user-agent']);
  });

  it('uses the connection of the previous attempt', async () => {
    const receiver = await startReceiver();
    await send({ url: receiver.url });
    await send({ url: receiver.url });
    expect(receiver.connections).toBe(1);
    await receiver.close();
  });

  it('leaves no connection open once the sender is closed', async () => {
    const receiver = await startReceiver();
    const localSender = new Sender({ isExposed: false, allowedHosts: [] });
    const { signal } = new AbortController();
    await localSender.send(delivery('delivery-1', 0, { url: receiver.url }), { signal, sleep: async () => undefined });
    localSender.close();
    await receiver.disconnected;
    await receiver.close();
  });

  it.each([
    [10.5, 10],
    [1.57, 1],
    [1, 2],
    [2, 1],
    [0.57, 1.57],
    [8.1, 8],
    [-1.04, -1],
    [900719925.47, 900719925],
  ])('that is tampered with changes the amount %d to %d, and nothing else', async (paymentAmount, altered) => {
    const notification = { status: 'Paid', paymentAmount, paymentCharges: 2 };
    const { received } = await sendTo((_call, response) => response.end(), {
      body: JSON.stringify(notification),
      webhookBehaviour: { mode: 'tampered' },
    });
    expect(received[0]?.body).toBe(JSON.stringify({ ...notification, paymentAmount: altered }));
  });

  it('that is slow pauses halfway, by default for five seconds', async () => {
    const waits: number[] = [];
    const receiver = await startReceiver();
    const body = '{"status":"Paid"}';
    const sleep = async (milliseconds: number) => {
      waits.push(milliseconds);
      await receiver.arrived;
    };
    const result = await send({ url: receiver.url, body, webhookBehaviour: { mode: 'slow' } }, sleep);
    await send({ url: receiver.url, body, webhookBehaviour: { mode: 'slow', delay: 'PT2S' } }, sleep);
    await receiver.close();
    expect(receiver.received[0]?.parts).toEqual([8, 9]);
    expect([waits, result.status, receiver.received.map((each) => each.body)]).toEqual([
      [5000, 2000],
      200,
      [body, body],
    ]);
  });

  it('that is slow does not wait for a receiver that disconnects', async () => {
    const receiver = await startReceiver();
    const sending = send({ url: receiver.url, webhookBehaviour: { mode: 'slow' } }, () => new Promise(() => undefined));
    await receiver.arrived;
    await receiver.close();
    expect(await sending).toMatchObject({ status: null, error: 'the endpoint closed the connection' });
  });
});

describe('by the machine’s clock', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('an attempt takes at most fifteen seconds', async () => {
    const receiver = await startReceiver(() => undefined);
    const sending = send({ url: receiver.url });
    await receiver.arrived;
    await jest.advanceTimersByTimeAsync(14_999);
    expect(await isSettled(sending)).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await sending).toMatchObject({ status: null, ms: 15_000, error: 'no answer within 15 seconds' });
    await receiver.close();
  });

  it('an attempt reports its duration even when the clock is set during it, and leaves no timer behind', async () => {
    const { result } = await sendTo((_call, response) => {
      jest.advanceTimersByTime(70);
      jest.setSystemTime(0);
      response.end();
    });
    expect([result.ms, jest.getTimerCount()]).toEqual([70, 0]);
  });

  it('an attempt is signed with the second in which it is made', async () => {
    const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const { received } = await sendTo((_call, response) => response.end(), { secret, webhookId: 'msg_1' });
    expect(received[0]?.headers).toMatchObject({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW / 1000),
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
  });

  it.each([
    ['waits briefly while a busy sandbox answers calls', { isFrozen: false, isBusy: true }, 20],
    ['does not wait if the sandbox is not busy', { isFrozen: false, isBusy: false }, 0],
    ['does not wait if the clock is frozen', { isFrozen: true, isBusy: true }, 0],
  ])('an attempt %s', async (_title, { isFrozen, isBusy }, wait) => {
    const sendTimes: number[] = [];
    const job = deliveryJob(
      {
        send: async () => {
          sendTimes.push(Date.now() - NOW);
          return { headers: {}, status: 200, ms: 0, error: null, response: '' };
        },
      },
      () => isBusy,
    );
    if (!('send' in job)) {
      throw new Error('a delivery must be a network job');
    }
    const { reader } = (await sessionWith()).session;
    const context = { signal: new AbortController().signal, isFrozen, reader, sleep: async () => undefined };
    const sending = job.send(delivery('delivery-1', 0), context);
    await jest.advanceTimersByTimeAsync(wait);
    await sending;
    expect(sendTimes).toEqual([wait]);
  });
});
