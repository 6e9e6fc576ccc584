import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type Sandbox, type SandboxClient, startSandbox } from '../../../../src/index.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';

const newFolder = temporaryFolders();
const secretOf = (letter: string) => `whsec_${Buffer.alloc(24, letter).toString('base64')}`;
const [A, B, C] = [secretOf('a'), secretOf('b'), secretOf('c')];

let sandbox: Sandbox;
let sessions = 0;
beforeAll(async () => {
  const fixtures = newFolder();
  writeFileSync(join(fixtures, 'times.json'), JSON.stringify({ secretOverlap: 'PT2H' }));
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z'), fixtures });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`endpoints-${sessions}`);
}

const setEndpoints = async (session: SandboxClient, ...endpoints: { url: string; secret?: string }[]) =>
  (await session.setEndpoints(endpoints)).endpoints;

async function pay(session: SandboxClient, payerReference: string): Promise<void> {
  await request(session.baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), payerReference });
  await session.settle(payerReference, 'Paid');
  await session.advance('PT0S');
}

function signersOf({ headers, body }: ReceivedRequest): string[] {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => {
      const isOf = (secret: string) =>
        signature ===
        `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(signed)
          .digest('base64')}`;
      return [A, B, C].find(isOf) ?? 'unknown';
    });
}

const deliveriesOf = async (session: SandboxClient) =>
  (
    await session.list<{ id: string; state: string; attempts: object[]; failure?: object; queue?: string }>(
      'webhooks/deliveries',
    )
  ).items;

describe('a generated secret', () => {
  const secretsOf = async (session: SandboxClient, ...urls: string[]) =>
    (await setEndpoints(session, ...urls.map((url) => ({ url })))).map(({ secret }) => secret);

  it('is the same in each session with the same seed, and after a reset, but not with another seed or `ids: differ`', async () => {
    const session = newSession();
    const first = await secretsOf(session, 'http://127.0.0.1:1/');
    expect(await secretsOf(newSession(), 'sandbox:catch')).toEqual(first);
    await session.reset();
    expect(await secretsOf(session, 'http://127.0.0.1:1/')).toEqual(first);
    for (const facts of [{ seed: 'other' }, { ids: 'differ' }] as const) {
      sessions += 1;
      const other = await sandbox.client.createSession(`endpoints-${sessions}`, facts);
      expect(await secretsOf(other, 'http://127.0.0.1:1/')).not.toEqual(first);
    }
  });

  it('differs between the endpoints of a session, and after the session has generated other ids', async () => {
    const secrets = await secretsOf(newSession(), 'http://127.0.0.1:1/', 'http://127.0.0.1:2/');
    const session = newSession();
    await pay(session, 'ORDER-1');
    expect(new Set([...secrets, ...(await secretsOf(session, 'http://127.0.0.1:1/'))]).size).toBe(3);
  });
});

describe('the secret of an endpoint', () => {
  it('still signs beside its replacement for the time in the fixture, also in retries and replays', async () => {
    const session = newSession();
    const receiver = await startReceiver((call, response) => response.writeHead(call === 1 ? 500 : 200).end());
    await setEndpoints(session, { url: receiver.url, secret: A });
    await pay(session, 'ORDER-1');
    await setEndpoints(session, { url: receiver.url, secret: B });
    await session.advance('PT1M');
    await setEndpoints(session, { url: receiver.url, secret: C });
    const [{ id } = { id: '' }] = await deliveriesOf(session);
    for (const by of ['PT0S', 'PT1H59M', 'PT1M']) {
      await session.advance(by);
      await session.call('POST', `/webhooks/deliveries/${id}/replay`);
      await session.advance('PT0S');
    }
    await receiver.close();
    expect(receiver.received.map(signersOf)).toEqual([[A], [B, A], [C, B, A], [C, B], [C]]);
  });

  it('is kept if the address is set again without a secret, and is not shown after it was replaced', async () => {
    const session = newSession();
    const url = 'http://127.0.0.1:9/hook';
    const [first] = await setEndpoints(session, { url });
    const [again] = await setEndpoints(session, { url });
    expect(again?.secret).toBe(first?.secret);
    await setEndpoints(session, { url, secret: B });
    const [endpoint] = await setEndpoints(session, { url });
    expect(endpoint?.secret).toBe(B);
    expect(JSON.stringify(endpoint)).not.toContain(first?.secret);
  });

  it('is kept for its merchant if two endpoints have the same address', async () => {
    const session = newSession();
    const url = 'http://127.0.0.1:9/hook';
    const mine = { url, merchantId: 'M-1000' };
    await session.setEndpoints([
      { url, secret: A },
      { ...mine, secret: B },
    ]);
    const { endpoints } = await session.setEndpoints([mine, { url }]);
    expect(endpoints.map(({ secret }) => secret)).toEqual([B, A]);
  });
});

describe('an endpoint that is removed', () => {
  it('gets no more attempts, and its pending deliveries are dropped with the reason', async () => {
    const session = newSession();
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end());
    await setEndpoints(session, { url: receiver.url }, { url: `${receiver.url}?kept` });
    await pay(session, 'ORDER-1');
    await setEndpoints(session, { url: `${receiver.url}?kept` });
    const { happened } = await session.advance('P5D');
    await receiver.close();
    const [keptDelivery, droppedDelivery] = await deliveriesOf(session);
    expect(droppedDelivery).toMatchObject({ state: 'dropped', failure: { reason: 'its endpoint was removed' } });
    expect([droppedDelivery?.attempts.length, keptDelivery?.attempts.length]).toEqual([1, 12]);
    expect(receiver.received).toHaveLength(13);
    expect(JSON.stringify(happened)).not.toContain(`"${droppedDelivery?.id}"`);
  });

  it('causes an event delivery.given-up for a pending notification', async () => {
    const session = newSession();
    await setEndpoints(session, { url: 'http://127.0.0.1:9/hook' });
    await pay(session, 'ORDER-1');
    await setEndpoints(session);
    const { data } = await session.waitForEvent('delivery.given-up', LONG_WAIT);
    expect(data).toMatchObject({ error: 'its endpoint was removed', attempt: 1 });
  });

  it('is not called for a notification that is sent again', async () => {
    const session = newSession();
    const receiver = await startReceiver();
    await setEndpoints(session, { url: receiver.url });
    await pay(session, 'ORDER-1');
    await setEndpoints(session);
    const [{ id } = { id: '' }] = await deliveriesOf(session);
    await session.call('POST', `/webhooks/deliveries/${id}/replay`);
    await session.advance('PT0S');
    expect(await deliveriesOf(session)).toMatchObject([{ state: 'dropped', attempts: [{ status: 200 }] }]);
    await setEndpoints(session, { url: receiver.url });
    await session.call('POST', `/webhooks/deliveries/${id}/replay`);
    await session.advance('PT0S');
    await receiver.close();
    const [delivery] = await deliveriesOf(session);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }, { status: 200 }] });
    expect(delivery?.failure).toBeUndefined();
  });

  it('leaves no delivery in its queue', async () => {
    const session = newSession();
    await session.useBehaviour('queue-halts-after-15-failures');
    await setEndpoints(session, { url: 'http://127.0.0.1:9/hook' });
    await pay(session, 'ORDER-1');
    await pay(session, 'ORDER-2');
    await setEndpoints(session);
    const deliveries = await deliveriesOf(session);
    expect(deliveries.map(({ state, queue }) => [state, queue])).toEqual([
      ['dropped', undefined],
      ['dropped', undefined],
    ]);
  });
});
