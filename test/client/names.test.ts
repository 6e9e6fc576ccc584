import { readdirSync } from 'node:fs';
import { type Notification, SandboxClient, type ScenarioName, type SinglePaymentRequest } from '../../src/index.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: '2026-03-01T10:00:00Z' });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

async function pay(payerReference: string): Promise<void> {
  const body: SinglePaymentRequest = {
    merchantId: 'M-1000',
    merchantApiKey: 'test-api-key-1000',
    merchantKey: 'test-merchant-key-1000',
    walletName: 'WALLET_QR',
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: 'Order',
    payerName: 'Ann Payer',
    payerReference,
    payerAccountId: 7,
    profileId: 1,
  };
  await fetch(`${sandbox.url}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('the client', () => {
  it('adjusts a paid payment by methods that are named like the commands', async () => {
    const { client } = sandbox;
    for (const reference of ['ORDER-1', 'ORDER-2', 'ORDER-3']) {
      await pay(reference);
      await client.settle(reference, 'Paid');
    }
    expect(await client.refund('ORDER-1', '4.00')).toMatchObject({ left: '6.00' });
    expect(await client.reverse('ORDER-2')).toMatchObject({ state: 'Reversed' });
    expect(await client.chargeback('ORDER-3')).toMatchObject({ state: 'ChargedBack' });
    expect(await client.reverseChargeback('ORDER-3')).toMatchObject({ state: 'Paid' });
  });

  it('accepts addresses as endpoints, and keeps the secret of a known one', async () => {
    const { client } = sandbox;
    const { endpoints } = await client.setEndpoints(['sandbox:catch']);
    const secret = endpoints[0]?.secret;
    expect(secret).toMatch(/^whsec_/);
    expect((await client.setEndpoints([{ url: 'sandbox:catch' }])).endpoints[0]?.secret).toBe(secret);
  });

  it('accepts filters in the types of their schema', async () => {
    await pay('ORDER-1');
    await pay('ORDER-2');
    const { items } = await sandbox.client.payments({ state: 'Processing', limit: 1 });
    expect(items.map(({ payerReference }) => payerReference)).toEqual(['ORDER-2']);
  });

  it('returns the parsed body of a notification in addition to its text', async () => {
    await sandbox.client.setEndpoints(['sandbox:catch']);
    await pay('ORDER-1');
    await sandbox.client.settle('ORDER-1', 'Paid');
    const delivery = await sandbox.client.waitForDelivery('ORDER-1', LONG_WAIT);
    const notification: Notification | null = delivery.notification;
    expect(notification).toMatchObject({ status: 'Paid', paymentAmount: 10, paymentReference: 'ORDER-1' });
    expect((await sandbox.client.deliveries()).items[0]?.notification).toEqual(notification);
    expect((await sandbox.client.resend(delivery.id)).notification).toEqual(notification);
  });

  it.each(['resend', 'resendFailed', 'resume'] as const)('still has the earlier name of %s', (name) => {
    const earlier = { resend: 'replay', resendFailed: 'replayFailed', resume: 'resumeEndpoint' } as const;
    expect(typeof SandboxClient.prototype[earlier[name]]).toBe('function');
    expect(typeof SandboxClient.prototype[name]).toBe('function');
  });
});

it('the type ScenarioName accepts shipped scenarios and other names', () => {
  const names: ScenarioName[] = ['declined', 'chargeback', 'my own'];
  expect(names).toHaveLength(3);
  const shipped = readdirSync('fixtures/scenarios').map((file) => file.replace('.json', ''));
  expect(shipped).toEqual(expect.arrayContaining(['declined', 'chargeback']));
});
