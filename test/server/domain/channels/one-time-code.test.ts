import { fileURLToPath } from 'node:url';
import request from 'supertest';
import type { SandboxClient } from '../../../../src/client/client.ts';
import type { Sandbox } from '../../../../src/sandbox.ts';
import { addFlow } from '../../../../src/server/domain/channels/channels.ts';
import { startSandbox } from '../../../../src/start-sandbox.ts';
import { tokenOf } from '../../../interface/calls.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { addressOf, createLink, fieldsOf, pay, payLink, submit, textById } from '../../payer-pages/visits.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { oneTimeCode } from './one-time-code/one-time-code.ts';

// A custom flow needs a folder, a channel in the fixtures that names it, and this registration.
addFlow(oneTimeCode);

const fixtures = fileURLToPath(new URL('one-time-code/fixtures', import.meta.url));

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), fixtures, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`codes-${sessions}`);
}

/** Starts a payment, and returns the address of the page that asks for its code. */
async function payByCode(session: SandboxClient): Promise<string> {
  const { paymentRedirectUrl = '', paymentId } = await pay(session, { walletName: 'WALLET_CODE' });
  expect(paymentRedirectUrl).toBe(`${session.baseUrl}/pay/code/${paymentId}`);
  return paymentRedirectUrl;
}

const open = async (page: string) => (await request(page).get('')).text;

async function statusOf({ baseUrl }: SandboxClient): Promise<string> {
  const { text } = await request(baseUrl)
    .get('/api/getPaymentDetails')
    .query({ transactionReference: 'ORDER-1001', walletName: 'WALLET_CODE' })
    .set('Authorization', `Bearer ${await tokenOf(baseUrl)}`);
  return JSON.parse(text).status;
}

it('the page asks for the code until the payer enters the right one, and then the payment is paid', async () => {
  const receiver = await startReceiver();
  const session = newSession();
  await session.setEndpoints([{ url: receiver.url }]);
  const page = await payByCode(session);
  const firstPage = await open(page);
  expect([
    textById(firstPage, 'merchant'),
    textById(firstPage, 'description'),
    textById(firstPage, 'countdown'),
  ]).toEqual(['Corner Shop', 'Order 1001', '10:00']);
  const code = textById(firstPage, 'sent-code') ?? '';
  expect(code).toMatch(/^\d{6}$/);

  const wrong = await submit(session, page, { oneTimeCode: code.split('').reverse().join('x') });
  expect([wrong.status, textById(wrong.text, 'problem')]).toEqual([422, 'This code is wrong. Check it and try again.']);
  expect(await statusOf(session)).toBe('Processing');

  const right = await submit(session, page, { oneTimeCode: code });
  expect([right.status, right.headers['location']]).toEqual([303, new URL(page).pathname]);
  expect(textById(await open(page), 'outcome')).toBe('Paid. Thank you.');
  expect(await statusOf(session)).toBe('Paid');
  await session.waitForEvent('delivery.succeeded', LONG_WAIT);
  await receiver.close();
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    expect.objectContaining({ status: 'Paid', paymentReference: 'ORDER-1001', paymentMethod: 'WALLET_CODE' }),
  ]);
});

it('a code does not pay if the form token is forged or the payment is cancelled', async () => {
  const session = newSession();
  const page = await payByCode(session);
  const firstPage = await open(page);
  const form = { ...fieldsOf(firstPage), oneTimeCode: textById(firstPage, 'sent-code') };
  const forged = await request(page)
    .post('')
    .type('form')
    .send({ ...form, formToken: 'x' });
  expect([forged.status, await statusOf(session)]).toEqual([403, 'Processing']);
  await request(page)
    .post('')
    .type('form')
    .send({ ...form, action: 'cancel' });
  await request(page).post('').type('form').send(form);
  expect([textById(await open(page), 'outcome'), await statusOf(session)]).toEqual([
    'The payment was cancelled.',
    'Cancelled',
  ]);
});

it('the flow has an icon on the page of a payment link, needs no mobile number, and leads back to the merchant', async () => {
  const session = newSession();
  const link = await createLink(session);
  expect(await open(link)).toContain(`<path d="${oneTimeCode.icon}"`);
  const page = await payLink(session, link, { channel: 'code-bank' });
  const firstPage = await request(session.baseUrl).get(page);
  const { headers } = await submit(session, page, { oneTimeCode: textById(firstPage.text, 'sent-code') ?? '' });
  expect(headers['location']).toMatch(/\/paid\?reference=LINK-1&status=Paid$/);
});

it('pages of other flows link to the page of this flow, and /pay/payments/{id} redirects to it', async () => {
  const session = newSession();
  const page = new URL(await payByCode(session)).pathname;
  const paymentId = page.split('/').at(-1);
  for (const path of [`/pay/checkout?paymentCode=${paymentId}`, `/pay/approve/${paymentId}`, `/pay/qr/${paymentId}`]) {
    const { status, text } = await request(session.baseUrl).get(path);
    expect([status, textById(text, 'message'), addressOf(text, 'instead')]).toEqual([
      404,
      oneTimeCode.wrongPageMessage.text,
      page,
    ]);
  }
  const answer = await request(session.baseUrl).get('/pay/payments/payment-1');
  expect(answer.headers['location']).toBe(page);
  const { paymentId: card } = await pay(session, { walletName: 'WALLET_CARD_A', payerReference: 'CARD-1' });
  const other = await request(session.baseUrl).get(`/pay/code/${card}`);
  expect([other.status, addressOf(other.text, 'instead')]).toEqual([404, expect.stringContaining('/pay/checkout')]);
});
