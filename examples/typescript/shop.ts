// A shop with Express. A notification is only a hint: the shop queries the status of the payment, and believes that answer. It queries
// open orders regularly, too, because a notification can get lost. Each change of an order is appended to a file.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import express from 'express';

type Wanted = { amount: string; currency: string; channel: string; payer: { name: string; mobile: string } };
type Order = Wanted & { id: string; state: string; fulfilments: number; paidAmount: string };
type Payment = { status: string; paymentAmount: number; paymentCurrency: string };

const { PAYMENTS_URL, MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY, WEBHOOK_SECRET } = process.env;
const { PORT = '3000', SHOP_DATA = 'orders.jsonl', RECONCILE_SECONDS = '60' } = process.env;
if (!PAYMENTS_URL || !WEBHOOK_SECRET) {
  throw new Error('set PAYMENTS_URL and WEBHOOK_SECRET; anyone could sign a notification with an empty secret');
}
const credentials = { merchantId: MERCHANT_ID, merchantApiKey: MERCHANT_API_KEY, merchantKey: MERCHANT_KEY };
const cards = { 'card-switch': 'WALLET_SWITCH', 'card-network-a': 'WALLET_CARD_A', 'card-network-b': 'WALLET_CARD_B' };
const wallets = new Map(Object.entries({ 'qr-wallet': 'WALLET_QR', 'mobile-money': 'WALLET_MOBILE', ...cards }));
const UNPAID = { state: 'open', fulfilments: 0, paidAmount: '0.00' };
const MAX_AGE_SECONDS = 300;
const TIMEOUT_MS = 2000;

const orders = new Map<string, Order>();
if (existsSync(SHOP_DATA)) {
  // The last line is empty, or incomplete because the process was killed while it wrote.
  const lines = readFileSync(SHOP_DATA, 'utf8').split('\n').slice(0, -1);
  writeFileSync(SHOP_DATA, lines.map((line) => `${line}\n`).join(''));
  for (const order of lines.map((line): Order => JSON.parse(line))) orders.set(order.id, order);
}

function store(order: Order) {
  appendFileSync(SHOP_DATA, `${JSON.stringify(order)}\n`);
  orders.set(order.id, order);
}

const minorUnits = (amount: string | number) => Math.round(Number(amount) * 100);

async function call(path: string, init: RequestInit) {
  const answer = await fetch(PAYMENTS_URL + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: answer.status, body: await answer.json() };
}
const post = (path: string, body: object) =>
  call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

function requestPayment({ id, amount, currency, channel, payer }: Order) {
  return post('/sandbox/init/authenticate/merchant/wallet', {
    ...credentials,
    walletName: wallets.get(channel),
    amount,
    paymentCurrency: currency,
    paymentDescription: `Order ${id}`,
    payerName: payer.name,
    payerReference: id,
    payerAccountId: 1,
    profileId: 1,
    ...(channel === 'mobile-money' ? { payerMobile: payer.mobile } : {}),
  });
}

let accessToken = '';
/** Resolves with undefined if there is certainly no payment, and rejects if that is unknown. */
async function queryStatus({ id, channel }: Order): Promise<Payment | undefined> {
  const query = new URLSearchParams({ transactionReference: id, walletName: wallets.get(channel) ?? '' });
  for (let tries = 0; ; tries += 1) {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { status, body } = await call(`/sandbox/api/getPaymentDetails?${query}`, { headers });
    if (status === 200 || status === 404) return status === 200 ? body : undefined;
    if (status !== 401 || tries > 0) throw new Error(`the status query was answered with ${status}`);
    accessToken = (await post('/auth/authenticate/merchant', credentials)).body.token;
  }
}

/**
 * Ships once, and only for the right amount and currency. Nothing is awaited between reading the order and storing it. `before` is the order
 * before the query: a failure counts only if nothing has changed since, because it may be older than the change.
 */
function applyPayment(before: Order, { status, paymentAmount, paymentCurrency }: Payment) {
  const order = orders.get(before.id);
  if (!order || status === 'Processing') return;
  const isRight = minorUnits(paymentAmount) === minorUnits(order.amount) && paymentCurrency === order.currency;
  const isUnpaid = ['open', 'failed', 'cancelled', 'expired'].includes(order.state);
  if (status === 'Paid' && isRight && isUnpaid) {
    store({ ...order, state: 'paid', fulfilments: 1, paidAmount: order.amount });
  } else if (['Failed', 'Cancelled', 'Expired'].includes(status) && order.state === before.state) {
    store({ ...order, state: status.toLowerCase(), paidAmount: '0.00' });
  } else if (/^(?:Partly)?(?:Refunded|Reversed|ChargedBack)$/.test(status)) {
    // The status does not show how much is left after a partial change; its notification does.
    const paidAmount = status.startsWith('Partly') ? order.amount : '0.00';
    store({ ...order, state: status.toLowerCase(), paidAmount });
  } else if (status === 'ChargebackReversed' && isRight) {
    store({ ...order, state: 'paid', paidAmount: order.amount });
  } else if (status !== 'Paid' || !isRight) {
    console.error(`${order.id} is ${order.state}, but ${status} for ${paymentAmount} ${paymentCurrency}: look at it`);
  }
}

/** Resolves with whether the order has a payment. */
async function reconcile(order: Order) {
  const payment = await queryStatus(order);
  if (payment) applyPayment(order, payment);
  return payment !== undefined;
}

async function reconcileAll(isWanted: (order: Order) => boolean) {
  // One order that cannot be queried now must not stop the others.
  for (const order of [...orders.values()].filter(isWanted)) await reconcile(order).catch(console.error);
}

function isVerified(headers: IncomingHttpHeaders, body: Buffer) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const key = Buffer.from((WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS;
  const given = String(signatures).split(' ');
  const isEqual = (each: Buffer) => each.length === expected.length && timingSafeEqual(each, expected);
  return isRecent && given.some((each) => isEqual(Buffer.from(each.replace(/^v1,/, ''), 'base64')));
}

const app = express();
app.post('/orders', express.json(), async ({ body }, response) => {
  const { amount, currency, channel, payer }: Wanted = body;
  const isSellable = /^\d{1,7}\.\d\d$/.test(amount) && minorUnits(amount) > 0 && currency === 'USD';
  if (!isSellable || !wallets.has(channel) || !payer?.name || !payer.mobile) {
    return response.status(400).end();
  }
  const order = { id: randomUUID(), amount, currency, channel, payer, ...UNPAID };
  // Stored before the request, because the notification can arrive before the answer.
  store(order);
  for (let tries = 0; tries < 2; tries += 1) {
    if ((await requestPayment(order).catch(() => undefined))?.status === 200) break;
    // The outcome is unknown: only an order that certainly has no payment is sent again.
    if (await reconcile(order).catch(() => true)) break;
  }
  return response.status(201).json({ id: order.id });
});
// The signature covers the raw bytes, so they are parsed only after it is verified.
app.post('/webhook', express.raw({ type: '*/*' }), async ({ headers, body }, response) => {
  if (!Buffer.isBuffer(body) || !isVerified(headers, body)) return response.status(400).end();
  const order = orders.get(JSON.parse(body.toString()).paymentReference);
  // An error means that the notification is sent again.
  if (!order) return response.status(404).end();
  await reconcile(order);
  return response.status(204).end();
});
app.get('/orders/:id', ({ params }, response) => {
  const order = orders.get(params.id);
  response.status(order ? 200 : 404).json(order ?? {});
});
app.post('/jobs/reconcile', async (_request, response) => {
  // Run it nightly: the notification of a refund or a late payment can get lost, too.
  await reconcileAll(() => true);
  response.status(204).end();
});
app.listen(Number(PORT), '127.0.0.1');
setInterval(() => reconcileAll(({ state }) => state === 'open'), Number(RECONCILE_SECONDS) * 1000);
