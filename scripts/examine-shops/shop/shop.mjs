// A small shop: it fulfils an order when a notification reports the payment, and queries the status of payments without one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PAYMENTS_URL, MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY, WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const WALLETS = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
};
const credentials = { merchantId: MERCHANT_ID, merchantApiKey: MERCHANT_API_KEY, merchantKey: MERCHANT_KEY };
const TIMEOUT_MS = 2000;
const MAX_AGE_SECONDS = 300;

const orders = new Map();
let accessToken = '';

async function call(path, options = {}) {
  const answer = await fetch(`${PAYMENTS_URL}${path}`, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) };
}

const post = (path, body) =>
  call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

function pay({ id, amount, currency, channel, payer }) {
  return post('/sandbox/init/authenticate/merchant/wallet', {
    ...credentials,
    walletName: WALLETS[channel],
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

/** Undefined if the order has no payment. Throws if the provider does not answer. */
async function queryStatus({ id, channel }) {
  const query = new URLSearchParams({ transactionReference: id, walletName: WALLETS[channel] });
  for (let tries = 0; ; tries += 1) {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { status, body } = await call(`/sandbox/api/getPaymentDetails?${query}`, { headers });
    if (status === 200) {
      return body;
    }
    if (status === 401 && tries === 0) {
      accessToken = (await post('/auth/authenticate/merchant', credentials)).body.token;
    } else if (status === 404) {
      return undefined;
    } else {
      throw new Error(`the provider answered ${status}`);
    }
  }
}

/**
 * Applies the status of a payment. An order is fulfilled once, and only for the correct amount. After that, a failure counts only if
 * the status was queried when the order `wasPaid`, because an earlier answer may be out of date.
 */
function applyStatus(order, { status, paymentAmount, paymentCurrency }, wasPaid = false) {
  const isExpectedAmount = Number(paymentAmount) === Number(order.amount) && paymentCurrency === order.currency;
  if (status === 'Paid') {
    if (isExpectedAmount && order.fulfilments === 0) {
      Object.assign(order, { state: 'paid', fulfilments: 1, paidAmount: order.amount });
    }
  } else if (['Failed', 'Cancelled', 'Expired'].includes(status)) {
    if (order.fulfilments === 0 || wasPaid) {
      Object.assign(order, { state: status.toLowerCase(), paidAmount: '0.00' });
    }
  } else if (status !== 'Processing') {
    // The answer to a status query does not contain the remainder of a partly refunded payment.
    const isReturned = ['Refunded', 'Reversed', 'ChargedBack'].includes(status);
    Object.assign(order, { state: status, paidAmount: isReturned ? '0.00' : order.amount });
  }
}

/** Places an order, and initiates its payment again if there is certainly no payment yet. */
async function placeOrder({ amount, currency, channel, payer }) {
  const id = `SHOP-${process.pid}-${orders.size + 1}`;
  const order = { id, amount, currency, channel, payer, state: 'open', fulfilments: 0, paidAmount: '0.00' };
  // Before the call, because a notification may arrive before the answer.
  orders.set(id, order);
  for (let tries = 0; tries < 2; tries += 1) {
    const answer = await pay(order).catch(() => undefined);
    if (answer?.status === 200) {
      break;
    }
    const payment = await queryStatus(order).catch(() => null);
    if (payment !== undefined) {
      break;
    }
  }
  return id;
}

function isVerified(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'));
  return signatures.split(' ').some((each) => {
    const received = Buffer.from(each.replace(/^v1,/, ''));
    return isRecent && received.length === expected.length && timingSafeEqual(received, expected);
  });
}

/** Returns the status of the answer. */
async function handleNotification(headers, body) {
  if (!isVerified(headers, body)) {
    return 400;
  }
  const notification = JSON.parse(body);
  const order = orders.get(notification.paymentReference);
  if (!order) {
    return 404;
  }
  const isOpen = order.state === 'open';
  const wasPaid = order.fulfilments > 0;
  // A notification for an order that is not open may be old, so the status is queried.
  const payment = isOpen ? notification : await queryStatus(order);
  if (payment) {
    applyStatus(order, payment, wasPaid);
  }
  return 204;
}

async function reconcile() {
  for (const order of orders.values()) {
    if (order.fulfilments === 0) {
      // One query that fails must not stop the others.
      const payment = await queryStatus(order).catch(() => undefined);
      if (payment) {
        applyStatus(order, payment);
      }
    }
  }
}

async function handle(request, body) {
  const { method, url } = request;
  if (method === 'POST' && url === '/orders') {
    return [201, { id: await placeOrder(JSON.parse(body)) }];
  }
  if (method === 'POST' && url === '/webhook') {
    return [await handleNotification(request.headers, body)];
  }
  if (method === 'POST' && url === '/jobs/reconcile') {
    return [204, await reconcile()];
  }
  const order = orders.get(url.replace('/orders/', ''));
  return order ? [200, order] : [404];
}

async function serve(request, response) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
  }
  const [status, answer] = await handle(request, body).catch((error) => [503, { message: error.message }]);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(answer === undefined ? undefined : JSON.stringify(answer));
}

createServer((request, response) => {
  // The client disconnected before the end of its body.
  serve(request, response).catch(() => response.destroy());
}).listen(Number(PORT), '127.0.0.1');
