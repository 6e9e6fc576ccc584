import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { tokenOf } from './calls.ts';
import { exampleOf, MERCHANT } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');

let sandbox: Sandbox;
let token: string;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
  token = JSON.parse((await request(sandbox.url).post('/auth/authenticate/merchant').send(MERCHANT)).text).token;
});
afterAll(() => sandbox.close());

function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`recurring-${sessions}`);
}

async function call(base: string, path: string, body?: object) {
  const answer = await request(base).post(path).set('Authorization', `Bearer ${token}`).send(body);
  return { status: answer.status, body: JSON.parse(answer.text) };
}

async function add(base: string, members: object = {}) {
  const { body } = await call(base, '/sandbox/api/requestPaymentToken', exampleOf('requests/payment-token'));
  const example = exampleOf('requests/recurring-payment', { recurringPaymentToken: body.paymentToken, ...members });
  return call(base, '/sandbox/api/addRecurringPayment', example);
}

async function statusOf(base: string, transactionReference: string) {
  const answer = await request(base)
    .get('/sandbox/api/getPaymentDetails')
    .query({ transactionReference, walletName: 'WALLET_CARD_A' })
    .set('Authorization', `Bearer ${token}`);
  return { status: answer.status, body: JSON.parse(answer.text) };
}

it('a recurring payment is answered as in the interface, and charged at once if it starts today', async () => {
  const base = newSession();
  expect((await add(base, { recurringStartDate: '2026-03-01' })).body).toEqual({
    status: 'Success',
    message: 'Recurring payment added successfully',
  });
  expect((await statusOf(base, 'SUBSCRIPTION-1')).body).toMatchObject({ status: 'Paid', paymentAmount: 15 });
});

it('a recurring payment with the test token gets a new token each time, and its state can be restored', async () => {
  const base = newSession();
  for (const recurringReference of ['ONE', 'TWO']) {
    await add(base, {
      recurringPaymentToken: 'test-payment-token',
      recurringStartDate: '2026-03-01',
      recurringReference,
    });
    expect((await statusOf(base, recurringReference)).body).toMatchObject({ status: 'Paid' });
  }
  const session = sandbox.session(base.slice(base.lastIndexOf('/') + 1));
  const { items } = await session.list('recurring-payments');
  expect(new Set(items.map(({ paymentToken }) => paymentToken)).size).toBe(2);
  expect(items.map(({ paymentToken }) => paymentToken)).not.toContain('test-payment-token');
  await session.call('PUT', '/state', await session.call('GET', '/state'));
});

it('a recurring payment is not charged before the start date', async () => {
  const base = newSession();
  await add(base, { recurringStartDate: '2026-03-02' });
  expect((await statusOf(base, 'SUBSCRIPTION-1')).status).toBe(404);
});

it('a recurring payment can be cancelled once; a second time is a conflict', async () => {
  const base = newSession();
  await add(base);
  const statuses = [];
  for (const id of ['1', '1', '2', 'x']) {
    statuses.push((await call(base, `/sandbox/api/cancelRecurringPayment/${id}`)).status);
  }
  expect(statuses).toEqual([200, 409, 404, 404]);
});

it.each([
  [
    'an unknown token',
    { recurringPaymentToken: 'nobody-has-this' },
    '$.recurringPaymentToken: expected a payment token of merchant M-1000',
  ],
  [
    'an unknown interval',
    { recurringIntervalId: '9' },
    '1 (Monthly), 2 (Daily), 3 (Weekly), 4 (Quartely), 5 (Annually), received string "9"',
  ],
  [
    'an interval with a wrong name',
    { recurringIntervalName: 'Daily' },
    'expected Monthly, the name of interval 1, received string "Daily"',
  ],
  [
    'an expiry before the start',
    { recurringStartDate: '2027-01-01', recurringExpiryDate: '2026-12-31' },
    'before the start',
  ],
  ['an expiry that has passed', { recurringStartDate: '2025-01-01', recurringExpiryDate: '2026-02-28' }, 'has passed'],
])('a recurring payment is refused for %s', async (_title, members, words) => {
  const { status, body } = await add(newSession(), members);
  expect([status, body]).toEqual([422, { status: 'Failed', message: expect.stringContaining(words) }]);
});

it('a recurring payment is refused with a payment token of another merchant', async () => {
  const base = newSession();
  const bearer = await tokenOf(base, 1001);
  const { text } = await request(base)
    .post('/sandbox/api/requestPaymentToken')
    .set('Authorization', `Bearer ${bearer}`)
    .send(exampleOf('requests/payment-token', { merchantId: 'M-1001' }));
  const { status, body } = await add(base, { recurringPaymentToken: JSON.parse(text).paymentToken });
  const message = '$.recurringPaymentToken: expected a payment token of merchant M-1000';
  expect([status, body]).toEqual([422, { status: 'Failed', message: expect.stringContaining(message) }]);
});

it('a request for a payment token is refused if the bearer token belongs to another merchant', async () => {
  const base = newSession();
  const { status } = await call(base, '/sandbox/api/requestPaymentToken', {
    merchantId: 'M-1001',
    paymentTokenReferenceRequest: 'X',
  });
  expect(status).toBe(401);
});

it('a payment that is requested together with a payment token returns the token', async () => {
  const base = newSession();
  const body = exampleOf('requests/payment-token-with-payment', { walletName: 'WALLET_CARD_B' });
  const { body: answer } = await call(base, '/sandbox/api/requestPaymentTokenAndPay', body);
  expect(answer.paymentInitiationResponse.paymentToken).toMatch(/^[A-Za-z0-9]{40}$/);
});

async function recurringOf(base: string) {
  const { items } = await sandbox.session(base.slice(base.lastIndexOf('/') + 1)).list('recurring-payments');
  return items[0];
}

it('a recurring payment is charged until its expiry date, even if the fixture ends its token earlier', async () => {
  const base = newSession();
  const client = sandbox.session(base.slice(base.lastIndexOf('/') + 1));
  await add(base, { recurringStartDate: '2026-03-01', recurringExpiryDate: '2028-03-01' });
  const { happened } = await client.advance('P3Y');
  // The first charge, and one after every 30 of 731 days.
  expect(await recurringOf(base)).toMatchObject({ state: 'Completed', charges: 25, failure: null, nextChargeAt: null });
  expect(happened?.filter(({ type }) => type === 'recurring.failed')).toEqual([]);
});

it('a recurring payment fails with the reason if the payment that created its token was not paid', async () => {
  const base = newSession();
  const client = sandbox.session(base.slice(base.lastIndexOf('/') + 1));
  const body = exampleOf('requests/payment-token-with-payment', { walletName: 'WALLET_QR' });
  const { body: created } = await call(base, '/sandbox/api/requestPaymentTokenAndPay', body);
  const { paymentToken: recurringPaymentToken } = created.paymentInitiationResponse;
  expect((await add(base, { recurringPaymentToken, recurringStartDate: '2026-03-02' })).status).toBe(200);
  await client.advance('P2D');
  expect(await recurringOf(base)).toMatchObject({
    state: 'Failed',
    charges: 0,
    failure: { reason: 'the payment made with the payment token is Expired, not Paid' },
  });
});
