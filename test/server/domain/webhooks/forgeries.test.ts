import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { exampleOf, MERCHANT } from '../../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';

interface Endpoint {
  secret: string;
}

interface StoredDelivery {
  forgery?: string;
  state: string;
  type: string;
  attempts: object[];
}

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

/** Makes a payment under a rule with forged notifications, and advances the clock by four days. */
async function pay(
  name: string,
  webhook: object,
  answer?: Parameters<typeof startReceiver>[0],
  order: Record<string, string> = {},
) {
  const receiver = await startReceiver(answer);
  const session = sandbox.session(name);
  const { endpoints } = await session.call<{ endpoints: Endpoint[] }>('PUT', '/webhooks/endpoints', {
    endpoints: [{ url: receiver.url }],
  });
  await session.call('PUT', '/scenarios/own', {
    name: 'own',
    description: '',
    rules: [{ settle: { outcome: 'Failed', after: 'PT3S' }, webhook: { mode: 'forged', ...webhook } }],
  });
  await session.useScenario('own');
  await request(session.baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send(exampleOf('requests/single-payment', order));
  await session.advance('PT0S');
  const forgedCount = receiver.received.length;
  await session.advance('P4D');
  await receiver.close();
  const { items } = await session.list<StoredDelivery>('webhooks/deliveries', { order: 'oldest' });
  return { forgedCount, received: receiver.received, deliveries: items, secret: endpoints[0]?.secret ?? '' };
}

/** The verdict of a receiver that makes all checks. */
function judge({ headers, body }: ReceivedRequest, secret: string): string {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch (error) {
    return (error as Error).message;
  }
  const { paymentReference, paymentAmount, paymentCurrency, status } = JSON.parse(body);
  return `${paymentReference} ${paymentAmount} ${paymentCurrency} ${status}`;
}

describe('forged notifications', () => {
  it('report Paid before the payment has an outcome, each with a different mistake, and the true notification follows', async () => {
    const { forgedCount, received, secret } = await pay('forged', {});
    expect(forgedCount).toBe(6);
    expect(received.slice(0, 6).map(({ body }) => JSON.parse(body).status)).toEqual(Array(6).fill('Paid'));
    const judged = received.map((delivery) => judge(delivery, secret));
    expect(judged.slice(0, 6).sort()).toEqual([
      'Message timestamp too old',
      'Missing required headers',
      'No matching signature found',
      'ORDER-1001 10 EUR Paid',
      'ORDER-1001 9 USD Paid',
      'ORDER-1001-UNKNOWN 10 USD Paid',
    ]);
    expect(judged.slice(6)).toEqual(['ORDER-1001 10 USD Failed']);
  });

  it.each([
    ['less than one unit', '0.57', 1.57],
    ['cents, which are omitted', '19.99', 19],
    ['no cents', '20.00', 19],
    ['a single unit', '1.00', 2],
  ])('have a wrong amount with at most two decimals if the payment has %s', async (_, amount, forged) => {
    const { received } = await pay('cents', { forgeries: ['wrong-amount'] }, undefined, { amount });
    expect(received.map(({ body }) => JSON.parse(body).paymentAmount)).toEqual([forged, Number(amount)]);
  });

  it('of kind wrong-currency have a currency other than that of the payment', async () => {
    const { received } = await pay('currency', { forgeries: ['wrong-currency'] });
    const [forged, truth] = received.map(({ body }) => JSON.parse(body).paymentCurrency);
    expect([forged, truth]).toEqual(['EUR', 'USD']);
  });

  it('are neither retried nor replayed, and their record names the mistake', async () => {
    const { deliveries, received } = await pay('refused', { forgeries: ['unsigned', 'wrong-amount'] }, (_, response) =>
      response.writeHead(400).end(),
    );
    const [unsigned, wrongAmount, truth] = deliveries;
    expect(deliveries).toHaveLength(3);
    expect([unsigned, wrongAmount]).toMatchObject([
      { forgery: 'unsigned', type: 'payment.paid', state: 'failed', attempts: [{ status: 400 }] },
      { forgery: 'wrong-amount', type: 'payment.paid', state: 'failed', attempts: [{ status: 400 }] },
    ]);
    expect(truth).toMatchObject({ type: 'payment.failed', state: 'failed' });
    expect(truth).not.toHaveProperty('forgery');
    expect(received).toHaveLength(2 + (truth?.attempts.length ?? 0));
    const again = await sandbox
      .session('refused')
      .call<{ items: StoredDelivery[] }>('POST', '/webhooks/deliveries/replay-failed');
    expect(again.items.map(({ type }) => type)).toEqual(['payment.failed']);
  });

  it.each([
    ['notified-once-unsigned', ['wrong-amount', 'wrong-currency', 'unknown-reference']],
    [
      'notified-by-put-with-hash',
      ['wrong-signature', 'unsigned', 'wrong-amount', 'wrong-currency', 'unknown-reference'],
    ],
    [
      'notification-lags',
      ['wrong-signature', 'unsigned', 'old-timestamp', 'wrong-amount', 'wrong-currency', 'unknown-reference'],
    ],
  ])('under %s have only mistakes that a receiver can detect, and are sent at once', async (behaviour, expected) => {
    const session = await sandbox.client.createSession(`under-${behaviour}`, {
      behaviour,
      scenario: 'forged-webhooks',
    });
    const receiver = await startReceiver();
    await session.setEndpoints([{ url: receiver.url }]);
    await request(session.baseUrl)
      .post('/sandbox/init/authenticate/merchant/wallet')
      .send(exampleOf('requests/single-payment'));
    await session.advance('PT0S');
    await receiver.close();
    expect(receiver.received).toHaveLength(expected.length);
    const { items } = await session.list<StoredDelivery>('webhooks/deliveries', { order: 'oldest' });
    expect(items.map(({ forgery }) => forgery)).toEqual(expected);
  });

  it('of a payout are sent, too', async () => {
    const session = sandbox.session('payout');
    const receiver = await startReceiver();
    await session.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: receiver.url }] });
    await session.useScenario('forged-webhooks');
    const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
    await request(session.baseUrl)
      .post('/init/authenticate/merchant/bulkPayment')
      .set('Authorization', `Bearer ${JSON.parse(text).token}`)
      .send(exampleOf('requests/bulk-payout'));
    await session.advance('PT0S');
    await receiver.close();
    expect(receiver.received.map(({ body }) => JSON.parse(body).status)).toEqual(Array(6).fill('Paid'));
  });
});
