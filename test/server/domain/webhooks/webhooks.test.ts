import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { validate } from '../../../../src/base/schema/validation.ts';
import type { SandboxClient } from '../../../../src/client/client.ts';
import { exampleOf, MERCHANT, PNG } from '../../../interface/examples.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const newFolder = temporaryFolders();

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
});
afterAll(() => sandbox.close());

interface Endpoint {
  id: string;
  url: string;
  secret: string;
}

async function newSession(...endpoints: object[]) {
  sessions += 1;
  const session = sandbox.session(`webhooks-${sessions}`);
  const answer = await session.call<{ endpoints: Endpoint[] }>('PUT', '/webhooks/endpoints', { endpoints });
  return { session, endpoints: answer.endpoints };
}

function pay({ baseUrl }: SandboxClient, members: object = {}) {
  return request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), ...members });
}

const deliveries = async (session: SandboxClient) =>
  (
    await session.list<Record<string, unknown> & { attempts: { status: number; error: string; response: string }[] }>(
      'webhooks/deliveries',
      { order: 'oldest' },
    )
  ).items;

/** Implements Standard Webhooks again from its specification, because the code under test must not verify itself. */
function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('a notification', () => {
  it.each(['Paid', 'Failed', 'Cancelled', 'Expired'] as const)(
    'of a payment that is %s is signed, and has the body that the interface defines',
    async (outcome) => {
      const receiver = await startReceiver();
      const { session, endpoints } = await newSession({ url: receiver.url });
      await pay(session);
      await session.settle('ORDER-1001', outcome);
      await session.waitForEvent('delivery.succeeded', LONG_WAIT);
      await receiver.close();
      expect(receiver.received).toHaveLength(1);
      const [notification] = receiver.received as [ReceivedRequest];
      expect(JSON.parse(notification.body)).toEqual({
        status: outcome,
        description: expect.any(String),
        paymentCurrency: 'USD',
        paymentAmount: 10,
        paymentCharges: 2.4,
        paymentReference: 'ORDER-1001',
        paymentMethod: 'WALLET_QR',
        paymentDate: '2026-03-01T10:00:00.000+00:00',
      });
      expect(await validate('responses/notification', JSON.parse(notification.body))).toEqual([]);
      expect(isSigned(notification, endpoints[0]?.secret ?? '')).toBe(true);
    },
  );

  it('is sent for payouts, recurring charges and splits, too', async () => {
    const receiver = await startReceiver();
    const { session } = await newSession({ url: receiver.url });
    const { token } = JSON.parse(
      (await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text,
    );
    const post = (path: string, body: object) =>
      request(session.baseUrl).post(path).set('Authorization', `Bearer ${token}`).send(body);
    await post('/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout'));
    const { text } = await post('/api/requestPaymentToken', exampleOf('requests/payment-token'));
    const members = { recurringPaymentToken: JSON.parse(text).paymentToken, recurringStartDate: '2026-03-01' };
    await post('/api/addRecurringPayment', exampleOf('requests/recurring-payment', members));
    await post('/init/authenticate/merchant/bulkWallet', exampleOf('requests/bulk-payment'));
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT1M');
    await receiver.close();
    expect(receiver.received.map(({ body }) => JSON.parse(body).paymentReference).sort()).toEqual([
      'ORDER-1001',
      ...Array(3).fill('PAYOUT-1'),
      'SUBSCRIPTION-1',
    ]);
  });

  it('is sent to the endpoints for its type and merchant', async () => {
    const receiver = await startReceiver();
    const at = (name: string) => `${receiver.url}?${name}`;
    const { session } = await newSession(
      { url: at('all') },
      { url: at('failures'), types: ['payment.failed'] },
      { url: at('mine'), merchantId: 'M-1000' },
      { url: at('other'), merchantId: 'M-1001' },
    );
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT0S');
    await receiver.close();
    expect((await deliveries(session)).map(({ url }) => url)).toEqual([at('all'), at('mine')]);
  });
});

describe('endpoints', () => {
  it('include those of --webhook-url and of merchants in the fixture', async () => {
    const receiver = await startReceiver();
    const fixtures = newFolder();
    const webhooks = [{ url: `${receiver.url}?merchant`, types: ['payment.paid'] }];
    writeFileSync(join(fixtures, 'merchants.json'), JSON.stringify({ merchants: [{ id: 'M-1000', webhooks }] }));
    const otherSandbox = await startSandbox({ now: NOW, fixtures, webhookUrl: `${receiver.url}?setting` });
    await pay(otherSandbox.client);
    await otherSandbox.client.settle('ORDER-1001', 'Paid');
    await otherSandbox.client.advance('PT0S');
    const { endpoints: items } = await otherSandbox.client.endpoints();
    const urls = (await otherSandbox.client.deliveries({ order: 'oldest' })).items.map(({ url }) => url);
    await otherSandbox.close();
    await receiver.close();
    expect(urls).toEqual([`${receiver.url}?merchant`, `${receiver.url}?setting`]);
    expect(items.map(({ secret }) => secret)).toEqual([
      expect.stringMatching(/^whsec_/),
      expect.stringMatching(/^whsec_/),
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  it('are notified of payments of a link, too', async () => {
    const receiver = await startReceiver();
    const { session } = await newSession({ url: receiver.url });
    const { token } = JSON.parse(
      (await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text,
    );
    const call = request(session.baseUrl).post('/api/merchant/fastCheckOut').set('Authorization', `Bearer ${token}`);
    const { paymentLinkImage: _, ...fields } = exampleOf('requests/payment-link');
    for (const [name, value] of Object.entries(fields)) {
      call.field(name, String(value));
    }
    const { text } = await call.attach('paymentLinkImage', PNG, 'picture.png');
    const { paymentLinkUrl } = JSON.parse(text).paymentLink;
    const page = await (await fetch(paymentLinkUrl)).text();
    const formToken = /name="formToken" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const form = new URLSearchParams({ formToken, channel: 'qr-wallet', name: 'Ann Payer' });
    await fetch(paymentLinkUrl, { method: 'POST', body: form, redirect: 'manual' });
    await session.settle('payment-1', 'Paid');
    await session.advance('PT0S');
    await receiver.close();
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { status: 'Paid', paymentReference: 'LINK-1', paymentAmount: 25, paymentMethod: 'WALLET_QR' },
    ]);
  });
});

describe('a delivery', () => {
  it('that fails is retried under the same id for about three days, then given up', async () => {
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end('sorry'));
    const { session } = await newSession({ url: receiver.url });
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    const { now } = await session.runUntilIdle();
    await receiver.close();
    const [delivery] = await deliveries(session);
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(delivery?.attempts).toHaveLength(12);
    expect(delivery?.attempts[0]).toMatchObject({
      headers: { 'webhook-signature': expect.stringMatching(/^v1,/), 'content-type': 'application/json' },
      status: 500,
      error: 'the endpoint answered with 500',
      response: 'sorry',
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const days = (Date.parse(now) - NOW) / 86_400_000;
    expect(days).toBeGreaterThan(2.5);
    expect(days).toBeLessThan(3.8);
  });

  it('that finally succeeds is not attempted again', async () => {
    const receiver = await startReceiver((call, response) => response.writeHead(call < 3 ? 503 : 204).end());
    const { session } = await newSession({ url: receiver.url });
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    const { happened = [] } = await session.advance('PT2M');
    await receiver.close();
    expect(
      happened
        .filter(({ type }) => type.startsWith('delivery'))
        .map(({ type }) => type)
        .at(-1),
    ).toBe('delivery.succeeded');
    expect(receiver.received).toHaveLength(3);
  });

  it('does not follow a redirect, and reports failures in plain words', async () => {
    const receiver = await startReceiver((_call, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    );
    const { session } = await newSession(
      { url: receiver.url },
      { url: 'http://127.0.0.1:1/' },
      { url: 'http://no-such-host.invalid/' },
    );
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT0S');
    await receiver.close();
    expect((await deliveries(session)).map(({ attempts }) => attempts[0]?.error)).toEqual([
      'the endpoint redirected with 302, which is not followed',
      'nothing listens there (connection refused)',
      expect.stringMatching(/host name|EAI_AGAIN/),
    ]);
  });

  it('is sent again on request, alone or with all deliveries that were given up', async () => {
    let isBroken = true;
    const receiver = await startReceiver((_call, response) => response.writeHead(isBroken ? 500 : 200).end());
    const { session } = await newSession({ url: receiver.url });
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    await session.runUntilIdle();
    isBroken = false;
    await session.call('POST', '/webhooks/deliveries/replay-failed');
    await session.advance('PT0S');
    expect(await deliveries(session)).toMatchObject([{ state: 'delivered' }]);
    await session.call('POST', '/webhooks/deliveries/delivery-1/replay');
    await session.advance('PT0S');
    await receiver.close();
    expect(receiver.received).toHaveLength(14);
  });

  it('stores the first 64 KiB of an answer', async () => {
    const receiver = await startReceiver((_call, response) => response.end('x'.repeat(100_000)));
    const { session } = await newSession({ url: receiver.url });
    await pay(session);
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT0S');
    await receiver.close();
    expect((await deliveries(session))[0]?.attempts[0]?.response).toHaveLength(65_536);
  });

  it('that failed before a stop is attempted again after the restart', async () => {
    const data = join(newFolder(), 'state.json');
    const first = await startSandbox({ data, now: NOW });
    await first.client.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:1/' }] });
    await pay(first.client);
    await first.client.settle('ORDER-1001', 'Paid');
    await first.client.waitForEvent('delivery.failed', LONG_WAIT);
    await first.close();
    const receiver = await startReceiver();
    const second = await startSandbox({ data, now: NOW });
    const state = await second.client.state();
    const stateWithReceiver = JSON.parse(JSON.stringify(state).replaceAll('http://127.0.0.1:1/', receiver.url));
    await second.client.restore(stateWithReceiver);
    await second.client.advance('PT1M');
    await second.close();
    await receiver.close();
    expect(receiver.received).toHaveLength(1);
  });

  it('that a stop interrupts is recorded as interrupted, does not delay the stop, and is pending afterwards', async () => {
    const data = join(newFolder(), 'state.json');
    const silent = await startReceiver(() => undefined);
    // On a busy machine, making all these payments takes longer than the default timeout of a receiver.
    const first = await startSandbox({ data, now: NOW, fixtures: patientBehaviour(), behaviour: 'patient' });
    await first.client.setEndpoints([{ url: silent.url }]);
    for (let number = 1; number <= 30; number += 1) {
      await pay(first.client, { payerReference: `ORDER-${number}` });
      await first.client.settle(`ORDER-${number}`, 'Paid');
    }
    await silent.arrived;
    await first.close();
    await silent.close();
    const second = await startSandbox({ data, now: NOW, fixtures: patientBehaviour() });
    const { items } = await second.client.deliveries({ limit: '100' });
    await second.close();
    const pending = items.filter(({ state }) => state === 'pending').map(({ webhookId }) => webhookId);
    expect(pending).toHaveLength(30);
    const interruptedDeliveries = items.filter(({ attempts }) =>
      attempts[0]?.error?.startsWith('interrupted because the sandbox stopped'),
    );
    expect(interruptedDeliveries.map(({ webhookId }) => webhookId)).toEqual(
      expect.arrayContaining(silent.received.map(({ headers }) => headers['webhook-id'])),
    );
    // Deliveries that were waiting for a free connection were not attempted.
    expect(interruptedDeliveries.length).toBeLessThan(30);
  });
});

/** A folder of fixtures with a behaviour that waits ten minutes for each receiver. */
function patientBehaviour(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'behaviours'));
  const patient = {
    name: 'patient',
    description: '',
    source: 'ours',
    date: '2026-03-01',
    notifications: { timeout: 'PT10M' },
  };
  writeFileSync(join(folder, 'behaviours/patient.json'), JSON.stringify(patient));
  return folder;
}

describe('the webhook behaviour', () => {
  async function payUnder(webhook: object) {
    const receiver = await startReceiver();
    const { session, endpoints } = await newSession({ url: receiver.url });
    await session.defineScenario({
      name: 'unusual-webhooks',
      description: '',
      rules: [{ settle: { outcome: 'Paid', after: 'PT0S' }, webhook }],
    });
    await session.useScenario('unusual-webhooks');
    await pay(session);
    return { receiver, session, secret: endpoints[0]?.secret ?? '' };
  }

  it('duplicate: the same notification is sent twice, under one id', async () => {
    const { receiver, session } = await payUnder({ mode: 'duplicate' });
    await session.advance('PT0S');
    await receiver.close();
    const [one, two] = receiver.received as [ReceivedRequest, ReceivedRequest];
    expect([two.body, two.headers['webhook-id']]).toEqual([one.body, one.headers['webhook-id']]);
  });

  it('delayed: the notification is sent after the delay', async () => {
    const { receiver, session } = await payUnder({ mode: 'delayed', delay: 'PT1H' });
    await session.advance('PT59M');
    expect(receiver.received).toHaveLength(0);
    await session.advance('PT1M');
    await receiver.close();
    expect(receiver.received).toHaveLength(1);
  });

  it('dropped: the notification is never sent, and is listed as dropped', async () => {
    const { receiver, session } = await payUnder({ mode: 'dropped' });
    await session.runUntilIdle();
    await receiver.close();
    expect(receiver.received).toHaveLength(0);
    expect(await deliveries(session)).toMatchObject([{ state: 'dropped', attempts: [] }]);
  });

  it('tampered: the signature is wrong', async () => {
    const { receiver, session, secret } = await payUnder({ mode: 'tampered' });
    await session.advance('PT0S');
    await receiver.close();
    const [notification] = receiver.received as [ReceivedRequest];
    expect(JSON.parse(notification.body).paymentAmount).toBe(9);
    expect(isSigned(notification, secret)).toBe(false);
  });

  it('slow: the body is sent in two parts, with a pause between them', async () => {
    const { receiver, session } = await payUnder({ mode: 'slow', delay: 'PT3S' });
    await receiver.arrived;
    expect(receiver.received).toHaveLength(0);
    await session.advance('PT3S');
    await receiver.close();
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ status: 'Paid' });
  });

  it('reordered: notifications are sent in a different order from their events', async () => {
    const { receiver, session } = await payUnder({ mode: 'reordered' });
    for (let number = 1; number <= 10; number += 1) {
      await pay(session, { payerReference: `ORDER-${number}` });
    }
    await session.advance('PT1M');
    await receiver.close();
    const order = receiver.received.map(({ body }) => JSON.parse(body).paymentReference);
    expect(order).toHaveLength(11);
    expect(order).not.toEqual(['ORDER-1001', ...Array.from({ length: 10 }, (_, index) => `ORDER-${index + 1}`)]);
  });

  it('burst: the notification is sent a thousand times at once, under the same id', async () => {
    const { receiver, session } = await payUnder({ mode: 'burst' });
    await session.advance('PT0S');
    await receiver.close();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1]);
  });
});

describe('the webhook tester', () => {
  it('sends the sample and returns it, with the result in headers and in the list of deliveries', async () => {
    const receiver = await startReceiver((_call, response) => response.writeHead(418).end());
    const { session } = await newSession();
    const answer = await request(session.baseUrl)
      .post('/init/customerWebhookTesterRequest')
      .send({ url: receiver.url, webHookType: 'TRANSACTIONS' });
    await receiver.close();
    expect(answer.status).toBe(200);
    expect(receiver.received.map(({ body }) => body)).toEqual([answer.text]);
    expect(answer.headers['x-sandbox-delivery-outcome']).toMatch(/^failed in \d+ ms: the endpoint answered with 418$/);
    expect(await deliveries(session)).toMatchObject([
      { id: answer.headers['x-sandbox-delivery'], type: 'webhook.test', state: 'failed' },
    ]);
  });

  it('returns the sample even if nothing listens at the address', async () => {
    const answer = await request(sandbox.url)
      .post('/init/customerWebhookTester')
      .send({ url: 'http://127.0.0.1:1/', webHookType: 'TRANSACTIONS' });
    expect([answer.status, JSON.parse(answer.text).status]).toEqual([200, 'Paid']);
  });
});

describe('the guard', () => {
  it.each([
    ['ftp://127.0.0.1/', 400],
    ['http://user:secret@127.0.0.1/', 422],
    ['http://169.254.169.254/latest/meta-data', 422],
    ['http://[fe80::1]/', 422],
    ['http://0.0.0.0/', 422],
    ['http://[::ffff:100.100.100.200]/', 422],
    ['http://[64:ff9b::a9fe:a9fe]/', 422],
    ['http://[2002:a9fe:a9fe::]/', 422],
  ])('refuses %s', async (url, status) => {
    const answer = await request(sandbox.url)
      .post('/init/customerWebhookTester')
      .send({ url, webHookType: 'TRANSACTIONS' });
    expect(answer.status).toBe(status);
  });

  it('refuses a private address in an exposed sandbox unless it is allowed', async () => {
    const receiver = await startReceiver();
    const ask = async (settings: object) => {
      const open = await startSandbox({ host: '0.0.0.0', ...settings });
      const answer = await request(open.url)
        .post('/init/customerWebhookTester')
        .send({ url: receiver.url, webHookType: 'TRANSACTIONS' });
      await open.close();
      return [answer.status, answer.text];
    };
    expect(await ask({})).toEqual([422, expect.stringContaining('--allow-webhook-host 127.0.0.1')]);
    expect(await ask({ allowWebhookHost: ['127.0.0.1'] })).toEqual([200, expect.any(String)]);
    await receiver.close();
  });
});
