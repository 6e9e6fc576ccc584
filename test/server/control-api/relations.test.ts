import request from 'supertest';
import type { RequestView } from '../../../src/base/schema/generated/control.ts';
import { credentials, post, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`relations-${sessions}`);
}

const pay = (baseUrl: string, members: object = {}) => post(WALLET, single(members), baseUrl);

describe('a logged request', () => {
  it('names each record that it created or changed once, and the channel', async () => {
    const session = newSession();
    const token = await tokenOf(session.baseUrl);
    const body = exampleOf('requests/payment-token-with-payment', {});
    expect(await post('/sandbox/api/requestPaymentTokenAndPay', body, session.baseUrl, token)).toMatchObject({
      status: 200,
    });
    const logged = await session.call<RequestView>('GET', '/requests/request-2');
    expect(logged).toMatchObject({
      channel: 'qr-wallet',
      records: [
        { collection: 'paymentTokens', id: 'token-1' },
        { collection: 'payments', id: 'payment-1' },
      ],
    });
  });

  it('names the merchant that it registered', async () => {
    const session = newSession();
    const newcomer = { merchantId: 'M-77', merchantApiKey: 'some-key', merchantKey: 'some-other-key' };
    await pay(session.baseUrl, newcomer);
    const { records, events } = await session.call<RequestView>('GET', '/requests/request-1');
    expect(records).toEqual([
      { collection: 'merchants', id: 'M-77' },
      { collection: 'payments', id: 'payment-1' },
    ]);
    expect(events.map(({ type, requestId }) => [type, requestId])).toEqual([
      ['merchant.registered', 'request-1'],
      ['payment.created', 'request-1'],
    ]);
  });

  it('names the sample notification that it sent', async () => {
    const session = newSession();
    const sample = exampleOf('requests/webhook-test', { webHookUrl: 'http://127.0.0.1:9/' });
    await post('/sandbox/init/customerWebhookTester', sample, session.baseUrl);
    const { records } = await session.call<RequestView>('GET', '/requests/request-1');
    expect(records).toEqual([{ collection: 'deliveries', id: 'delivery-1' }]);
  });

  it('that was refused, or that changed nothing, names no records', async () => {
    const session = newSession();
    await pay(session.baseUrl, { amount: 10 });
    await request(session.baseUrl).post('/auth/authenticate/merchant').send(credentials(1000));
    const { items } = await session.list<RequestView>('requests');
    expect(items.map(({ records, channel }) => [records, channel])).toEqual([
      [[], null],
      [[], null],
    ]);
  });

  it('has a new id even after the log is cleared', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await session.call('DELETE', '/requests');
    await pay(session.baseUrl);
    const { items } = await session.list<RequestView>('requests');
    expect(items.map(({ id }) => id)).toEqual(['request-2']);
  });
});

describe('an event', () => {
  it('names the request that caused it; an event of the clock or a control call names none', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await pay(session.baseUrl, { payerReference: 'ORDER-2' });
    await session.settle('ORDER-2', 'Paid');
    await session.advance('PT15M');
    const { items } = await session.list<{ type: string; requestId: string | null }>('event-log', { order: 'oldest' });
    expect(items.map(({ type, requestId }) => [type, requestId])).toEqual([
      ['payment.created', 'request-1'],
      ['payment.created', 'request-2'],
      ['payment.paid', null],
      ['payment.expired', null],
    ]);
  });
});

describe('the list of events', () => {
  it('has filters and pages, newest first', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await pay(session.baseUrl, { payerReference: 'ORDER-2' });
    await session.settle('ORDER-2', 'Paid');
    const idsOf = async (filters: Record<string, string>) => {
      const { items } = await session.list<{ id: number }>('event-log', filters);
      return items.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([3, 2, 1]);
    expect(await idsOf({ subjectId: 'payment-2' })).toEqual([3, 2]);
    expect(await idsOf({ requestId: 'request-1' })).toEqual([1]);
    expect(await idsOf({ type: 'payment.paid' })).toEqual([3]);
    const { nextCursor } = await session.list('event-log', { limit: '1' });
    expect(await idsOf({ limit: '1', cursor: String(nextCursor) })).toEqual([2]);
  });
});
