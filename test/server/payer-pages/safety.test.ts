import fc from 'fast-check';
import request from 'supertest';
import { passesLuhn } from '../../../src/base/masking/card-numbers.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { cases } from '../../cases.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

async function open(members: object = {}): Promise<{ session: SandboxClient; page: string }> {
  sessionCount += 1;
  const session = sandbox.session(`payer-${sessionCount}`);
  const body = { ...exampleOf('requests/single-payment'), ...members };
  const { text } = await request(session.baseUrl).post('/init/authenticate/merchant/wallet').send(body);
  return { session, page: `/pay/approve/${JSON.parse(text).paymentInitiationResponse.paymentCode}` };
}

async function tokenOn({ baseUrl }: SandboxClient, page: string): Promise<string> {
  const { text } = await request(baseUrl).get(page);
  return /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

const send = ({ baseUrl }: SandboxClient, page: string, form: Record<string, string>) =>
  request(baseUrl).post(page).type('form').send(form);

it('a payer page has a policy that allows no inline scripts or styles, no other servers, and no embedding in frames', async () => {
  const { session, page } = await open();
  const { headers, text } = await request(session.baseUrl).get(page);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe-inline');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  });
  expect(text).not.toMatch(/<style|<script>|style="|onclick=/);
});

it('the texts of a merchant are escaped', async () => {
  const evil = '"><script>alert(1)</script>';
  const { session, page } = await open({ paymentDescription: evil, payerReference: evil });
  const { text } = await request(session.baseUrl).get(page);
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script>alert');
});

it('a form and a query that are not in UTF-8 are refused, with the name of the field', async () => {
  const { session, page } = await open();
  const form = request(session.baseUrl).post(page).type('form').send('formToken=x&name=Caf%E9');
  for (const sent of [form, request(session.baseUrl).get(`${page}?name=Caf%E9`)]) {
    const { status, text } = await sent;
    expect([status, text]).toEqual([400, expect.stringMatching(/The field .{1,6}name.{1,6} is not valid UTF-8/)]);
  }
  const { status, body } = await request(session.baseUrl).get('/_sandbox/payments?payerReference=Caf%E9');
  expect([status, body.detail]).toEqual([400, 'the field "payerReference" is not valid UTF-8']);
});

it('a payer page accepts a form only with its own token', async () => {
  const { session, page } = await open();
  const other = await open();
  for (const formToken of ['', 'wrong', await tokenOn(other.session, other.page)]) {
    expect((await send(session, page, { action: 'approve', formToken })).status).toBe(403);
  }
  expect((await session.payment('payment-1')).state).toBe('Processing');
  expect((await send(session, page, { action: 'approve', formToken: await tokenOn(session, page) })).status).toBe(303);
  expect((await session.payment('payment-1')).state).toBe('Paid');
});

it('a form that is sent several times decides the payment only once', async () => {
  const { session, page } = await open();
  const formToken = await tokenOn(session, page);
  const answers = await Promise.all(
    ['approve', 'cancel', 'approve'].map((action) => send(session, page, { action, formToken })),
  );
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await session.payment('payment-1')).history).toHaveLength(2);
});

it('a GET decides no payment', async () => {
  const { session, page } = await open();
  await request(session.baseUrl).get(`${page}?action=approve&formToken=${await tokenOn(session, page)}`);
  expect((await session.payment('payment-1')).state).toBe('Processing');
});

it('status query, webhook, history and event stream agree on an outcome that a payer page decided', async () => {
  const { session, page } = await open();
  const receiver = await startReceiver();
  await session.setEndpoints([{ url: receiver.url }]);
  await send(session, page, { action: 'cancel', formToken: await tokenOn(session, page) });
  const event = await session.waitForEvent('payment.cancelled', LONG_WAIT);
  expect(event.data).toMatchObject({ cause: 'payer', reference: 'ORDER-1001', amount: '10.00', code: '05' });
  expect((await session.payment('payment-1')).history.at(-1)).toMatchObject({
    to: 'Cancelled',
    cause: 'payer',
    at: event.at,
  });
  await session.waitForDelivery('ORDER-1001', LONG_WAIT);
  await receiver.close();
  const { token } = JSON.parse(
    (await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text,
  );
  const queried = await request(session.baseUrl)
    .get('/api/getPaymentDetails')
    .query({ transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' })
    .set('Authorization', `Bearer ${token}`);
  const { paymentInitiationResponse: _, ...status } = JSON.parse(queried.text);
  expect(status).toMatchObject({ status: 'Cancelled', paymentReference: 'ORDER-1001' });
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([status]);
});

it('the last value of a repeated field counts', async () => {
  const { session, page } = await open();
  const formToken = await tokenOn(session, page);
  const form = `action=cancel&action=approve&formToken=x&formToken=${encodeURIComponent(formToken)}`;
  expect((await request(session.baseUrl).post(page).type('form').send(form)).status).toBe(303);
  expect((await session.payment('payment-1')).state).toBe('Paid');
  const redirected = await request(session.baseUrl).get('/pay/phone?mobile=1&mobile=2');
  expect([redirected.status, redirected.headers['location']]).toEqual([303, expect.stringMatching(/\/pay\/phone\/2$/)]);
});

it('an unknown address is answered with an error page', async () => {
  for (const path of [
    '/pay/approve/000000000',
    '/pay/checkout?paymentCode=X',
    '/pay/link/none',
    '/pay/images/none',
    '/pay/assets/..%2Fpackage.json',
    '/pay/odd',
  ]) {
    const { status, headers } = await request(sandbox.url).get(path);
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
  }
});

it('a card number is distinguished from one with a mistyped digit', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 });
  fc.assert(
    fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, shift) => {
      const [check] = Array.from({ length: 10 }, (_, digit) => digit).filter((digit) =>
        passesLuhn([...body, digit].join('')),
      );
      const number = [...body, check ?? 0];
      expect(passesLuhn(number.join(''))).toBe(true);
      const index = place % number.length;
      number[index] = ((number[index] ?? 0) + shift) % 10;
      expect(passesLuhn(number.join(''))).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

it('the test cards all pass Luhn, each listed once', async () => {
  const { testCards } = await loadFixtures();
  const numbers = testCards.cards.flatMap((card) => Object.values(card.numbers));
  expect(numbers.filter((number) => !passesLuhn(number))).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
});
