import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { post, saveLink, single, tokenOf } from './calls.ts';
import { exampleOf } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/init/authenticate/merchant/wallet';
const STATUS = '/api/getPaymentDetails';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`environments-${sessions}`);
}

describe('sandbox and production', () => {
  it('do not share payment tokens and recurring payments', async () => {
    const base = newSession();
    const token = await tokenOf(base);
    const answer = await post('/sandbox/api/requestPaymentToken', exampleOf('requests/payment-token'), base, token);
    const body = exampleOf('requests/recurring-payment', { recurringPaymentToken: answer.body.paymentToken });
    const refusal = await post('/api/addRecurringPayment', body, base, token);
    expect([refusal.status, refusal.message]).toEqual([
      422,
      '$.recurringPaymentToken: expected a payment token of the production environment, received a string (not repeated here), which is a sandbox token',
    ]);
    expect((await post('/sandbox/api/addRecurringPayment', body, base, token)).status).toBe(200);
    const cancellation = await post('/api/cancelRecurringPayment/1', {}, base, token);
    expect([cancellation.status, cancellation.message]).toEqual([
      404,
      expect.stringContaining('is a sandbox recurring payment'),
    ]);
    expect((await post('/sandbox/api/cancelRecurringPayment/1', {}, base, token)).status).toBe(200);
  });

  it('do not share links', async () => {
    const base = newSession();
    const token = await tokenOf(base);
    await saveLink(base, token, '/api/merchant/fastCheckOut');
    const members = { id: '1', paymentLinkName: 'Other' };
    const { status, body } = await saveLink(base, token, '/api/merchant/sandbox/fastCheckOut', members);
    expect([status, body.message]).toEqual([404, expect.stringContaining('payment link 1 is a production link')]);
    expect((await saveLink(base, token, '/api/merchant/fastCheckOut', members)).status).toBe(200);
  });
});

describe('a status query', () => {
  const ask = async (base: string, query: object, prefix = '') => {
    const answer = await request(base)
      .get(`${prefix}${STATUS}`)
      .query({ transactionReference: 'ORDER-1001', walletName: 'WALLET_MOBILE', ...query })
      .set('Authorization', `Bearer ${await tokenOf(base)}`);
    return { status: answer.status, body: JSON.parse(answer.text) };
  };

  it('finds the payment by environment, channel and mobile number if several share a reference', async () => {
    const base = newSession();
    const mobile = (payerMobile: string, amount: string) =>
      single({ walletName: 'WALLET_MOBILE', payerMobile, amount });
    await post(`/sandbox${WALLET}`, mobile('263770000001', '1.00'), base);
    await post(WALLET, mobile('263770000001', '2.00'), base);
    await post(WALLET, mobile('263770000002', '3.00'), base);
    await post(WALLET, single({ amount: '4.00' }), base);
    const amounts = [];
    for (const [query, prefix] of [
      [{ paymentMobile: '263770000001' }, '/sandbox'],
      [{ paymentMobile: '263770000001' }, ''],
      [{}, ''],
      [{ paymentMobile: '' }, ''],
      [{ walletName: 'WALLET_QR' }, ''],
    ] as const) {
      amounts.push((await ask(base, query, prefix)).body.paymentAmount);
    }
    expect(amounts).toEqual([1, 2, 3, 3, 4]);
    const { status, body } = await ask(base, { paymentMobile: '263770000009' });
    expect([status, body.errorMessage]).toEqual([
      404,
      expect.stringContaining('has another paymentMobile than the one sent'),
    ]);
    expect(body.errorMessage).not.toContain('26377');
  });
});
