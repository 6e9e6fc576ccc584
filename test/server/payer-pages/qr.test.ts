import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { addressOf, pay, textById } from './visits.ts';

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

function newSession() {
  sessionCount += 1;
  return sandbox.session(`qr-${sessionCount}`);
}

it("the QR page shows the QR code of the answer, the payment's details and a link to the wallet", async () => {
  const session = newSession();
  const { paymentCode, paymentQrCode } = await pay(session, { amount: '1249.90' });
  const { status, text, headers } = await request(session.baseUrl).get(`/pay/qr/${paymentCode}`);
  expect(status).toBe(200);
  expect(/<img [^>]*src="data:image\/png;base64,([^"]*)"/.exec(text)?.[1]).toBe(paymentQrCode);
  expect([textById(text, 'merchant'), textById(text, 'reference'), textById(text, 'payment-code')]).toEqual([
    'Corner Shop',
    'ORDER-1001',
    paymentCode,
  ]);
  expect(text).toContain('1,249.90');
  expect(textById(text, 'countdown')).toBe('15:00');
  const wallet = addressOf(text, 'open-wallet') ?? '';
  expect(wallet).toBe(`${new URL(session.baseUrl).pathname}/pay/approve/${paymentCode}`);
  expect(headers['content-security-policy']).toContain("img-src 'self' data:");
});

it('the QR page shows the outcome of its payment', async () => {
  const session = newSession();
  const { paymentCode } = await pay(session);
  await session.settle('payment-1', 'Paid');
  const { text } = await request(session.baseUrl).get(`/pay/qr/${paymentCode}`);
  expect(textById(text, 'outcome')).toBe('Paid. Thank you.');
  expect(text).not.toContain('data:image/png');
});

it("the QR page of a payment without a code links to the payment's own page, and an unknown code is a 404", async () => {
  const session = newSession();
  const { paymentId } = await pay(session, { walletName: 'WALLET_CARD_A' });
  const card = await request(session.baseUrl).get(`/pay/qr/${paymentId}`);
  expect([card.status, addressOf(card.text, 'instead')]).toEqual([404, expect.stringContaining('/pay/checkout')]);
  expect((await request(session.baseUrl).get('/pay/qr/000')).status).toBe(404);
});
