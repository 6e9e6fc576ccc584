import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

const pay = (baseUrl: string, headers: Record<string, string> = {}) =>
  request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .set(headers)
    .send(exampleOf('requests/single-payment'));

describe('a scenario that notifies before the answer', () => {
  it('notifies before it answers, and a receiver that queries the status in between gets Paid', async () => {
    const session = sandbox.session('asked');
    const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
    const order: string[] = [];
    const server = createServer(async (_request, response) => {
      const answer = await request(session.baseUrl)
        .get('/sandbox/api/getPaymentDetails')
        .query({ transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' })
        .set('Authorization', `Bearer ${JSON.parse(text).token}`);
      order.push(`notified, ${JSON.parse(answer.text).status}`);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await session.setEndpoints([{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }]);
    await session.useScenario('webhook-before-answer');
    const { status } = await pay(session.baseUrl);
    order.push(`answered ${status}`);
    await new Promise((resolve) => server.close(resolve));
    expect(order).toEqual(['notified, Paid', 'answered 200']);
  });

  it('notifies first even under a behaviour that delays notifications', async () => {
    const session = await sandbox.client.createSession('late', { behaviour: 'notification-lags' });
    const receiver = await startReceiver();
    await session.setEndpoints([{ url: receiver.url }]);
    await session.useScenario('webhook-before-answer');
    await pay(session.baseUrl);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  it('answers although the first attempt fails, and retries it later', async () => {
    const session = sandbox.session('failing');
    const receiver = await startReceiver((_call, response) => response.writeHead(500).end());
    await session.setEndpoints([{ url: receiver.url }, { url: receiver.url }]);
    await session.useScenario('webhook-before-answer');
    expect((await pay(session.baseUrl)).status).toBe(200);
    expect(receiver.received).toHaveLength(2);
    await receiver.close();
    expect((await session.deliveries()).items).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
  });

  it('answers without an endpoint, and notifies first for a payout, too', async () => {
    const session = sandbox.session('nobody');
    await session.useScenario('webhook-before-answer');
    expect((await pay(session.baseUrl)).status).toBe(200);
    const receiver = await startReceiver();
    await session.setEndpoints([{ url: receiver.url }]);
    const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
    await request(session.baseUrl)
      .post('/init/authenticate/merchant/bulkPayment')
      .set('Authorization', `Bearer ${JSON.parse(text).token}`)
      .send(exampleOf('requests/bulk-payout'));
    await receiver.close();
    expect(receiver.received.map(({ body }) => JSON.parse(body).status)).toContain('Paid');
  });

  it('does not wait for later changes of the payment', async () => {
    const session = sandbox.session('later');
    await session.defineScenario({
      name: 'own',
      description: '',
      rules: [
        {
          settle: { outcome: 'Paid', after: 'PT0S' },
          adjustments: { kind: 'chargeback', after: 'P3D' },
          webhook: { mode: 'before-answer' },
        },
      ],
    });
    expect((await pay(session.baseUrl, { 'X-Sandbox-Scenario': 'own' })).status).toBe(200);
  });

  it('refuses a call if its session is reset while the receiver hangs', async () => {
    const session = sandbox.session('reset');
    const receiver = await startReceiver(() => undefined);
    await session.setEndpoints([{ url: receiver.url }]);
    await session.useScenario('webhook-before-answer');
    const answer = pay(session.baseUrl).then(({ status }) => status);
    await receiver.arrived;
    await session.reset();
    expect(await answer).toBe(409);
    await receiver.close();
  });

  it('needs an immediate outcome, because a later one cannot be reported before the answer', async () => {
    const scenario = (settle: object) => ({
      name: 'own',
      description: '',
      rules: [{ ...settle, webhook: { mode: 'before-answer' } }],
    });
    const session = sandbox.session('checked');
    const expected = '$.rules[0].settle.after: expected PT0S, because the notification is sent before the answer';
    await expect(session.defineScenario(scenario({}))).rejects.toThrow(expected);
    await expect(session.defineScenario(scenario({ settle: { outcome: 'Paid', after: 'PT3S' } }))).rejects.toThrow(
      expected,
    );
  });
});
