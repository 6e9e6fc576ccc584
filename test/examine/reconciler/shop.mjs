// @ts-check
// A small shop that treats a notification as a hint to query the status, and that also polls by itself. It can be ended at any
// moment, because its orders are in a file.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { allOrders, deleteOrders, findOrder, saveOrder } from './orders.mjs';
import { isVerified, pay, queryStatus } from './payments.mjs';

/**
 * @typedef {import('./orders.mjs').Order} Order
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 */

const { PORT = '3000', RECONCILE_SECONDS = '60' } = process.env;

/** States of unpaid orders, for which a payment can still arrive. */
const WAITING = ['open', 'failed', 'cancelled', 'expired', 'withdrawn'];

/**
 * Applies the status of a payment. Goods are shipped once, for the right amount, and not for a withdrawn order. A failure counts
 * after that only if the order was paid at the time of the query: an earlier answer may be out of date.
 * @param {string} id
 * @param {import('./payments.mjs').PaymentStatus} known
 * @param {boolean} wasPaid
 */
function applyStatus(id, { status, paymentAmount, paymentCurrency }, wasPaid) {
  // Read again, because it may have changed during the query; the code from here on runs without interruption.
  const order = findOrder(id);
  if (!order) {
    return;
  }
  const isRight = Number(paymentAmount) === Number(order.amount) && paymentCurrency === order.currency;
  if (status === 'Paid') {
    if (isRight && WAITING.includes(order.state)) {
      const changes = order.state === 'withdrawn' ? { state: 'refund due' } : { state: 'paid', fulfilments: 1 };
      saveOrder({ ...order, ...changes, paidAmount: order.amount });
    }
  } else if (['Failed', 'Cancelled', 'Expired'].includes(status)) {
    if (order.state === 'open' || (wasPaid && order.state === 'paid')) {
      saveOrder({ ...order, state: status.toLowerCase(), paidAmount: '0.00' });
    }
  } else if (status !== 'Processing') {
    // A status query does not show how much is left of a partly refunded payment.
    const isReturned = ['Refunded', 'Reversed', 'ChargedBack'].includes(status);
    saveOrder({ ...order, state: status.toLowerCase(), paidAmount: isReturned ? '0.00' : order.amount });
  }
}

/**
 * Queries the payment of an order, and records its status. Undefined if there is no payment. Throws if the query fails.
 * @param {Order} order
 */
async function syncPayment(order) {
  const known = await queryStatus(order);
  if (known) {
    applyStatus(order.id, known, order.state === 'paid');
  }
  return known;
}

/**
 * Places an order, and requests its payment a second time only if there is certainly none yet.
 * @param {import('./orders.mjs').OrderInput} wanted
 */
async function place({ amount, currency, channel, payer }) {
  const id = randomUUID();
  const order = { id, amount, currency, channel, payer, state: 'open', fulfilments: 0, paidAmount: '0.00' };
  // Before the call, because a notification may arrive before the answer, and the process may end.
  saveOrder(order);
  for (let tries = 0; tries < 2; tries += 1) {
    const status = await pay(order).catch(() => undefined);
    if (status === 200) {
      break;
    }
    const known = await syncPayment(order).catch(() => null);
    if (known !== undefined) {
      break;
    }
  }
  return id;
}

/**
 * Resolves with the status that answers the notification.
 * @param {IncomingMessage['headers']} headers
 * @param {string} body
 */
async function receiveNotification(headers, body) {
  if (!isVerified(headers, body)) {
    return 400;
  }
  const order = findOrder(JSON.parse(body).paymentReference);
  if (!order) {
    return 404;
  }
  // If this throws, the notification is answered with an error, so it is sent again.
  await syncPayment(order);
  return 204;
}

/**
 * Queries each of these orders. One whose query fails is queried again in the next run.
 * @param {Order[]} orders
 */
async function reconcile(orders) {
  for (const order of orders) {
    await syncPayment(order).catch((error) => console.error(`${order.id}: ${error.message}`));
  }
}

/**
 * Cancels or refunds an order.
 * @param {Order | undefined} order
 * @param {string} action
 */
function change(order, action) {
  if (order && action === 'cancel' && WAITING.includes(order.state)) {
    saveOrder({ ...order, state: 'withdrawn' });
    return 204;
  }
  if (order && action === 'refund' && ['paid', 'refund due'].includes(order.state)) {
    saveOrder({ ...order, state: 'refunded', paidAmount: '0.00' });
    return 204;
  }
  return order ? 409 : 404;
}

/**
 * @param {IncomingMessage} request
 * @param {string} body
 * @returns {Promise<[status: number, answer?: unknown]>}
 */
async function handle({ method, url = '', headers }, body) {
  const [, collection, id = '', action = ''] = url.split('/');
  switch (`${method} /${collection}`) {
    case 'POST /webhook':
      return [await receiveNotification(headers, body)];
    case 'POST /jobs':
      // Nightly in production, for changes without a notification: a failed order that was paid since, a refund.
      await reconcile(allOrders());
      return [204];
    case 'POST /orders':
      return id === '' ? [201, { id: await place(JSON.parse(body)) }] : [change(findOrder(id), action)];
    case 'DELETE /orders':
      deleteOrders();
      return [204];
    default: {
      const order = findOrder(id);
      return order ? [200, order] : [404];
    }
  }
}

createServer(async (request, response) => {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk;
    }
    const [status, answer] = await handle(request, body);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  } catch (error) {
    console.error(`${request.method} ${request.url}: ${error instanceof Error ? error.message : error}`);
    response.writeHead(503).end();
  }
}).listen(Number(PORT), '127.0.0.1');

setInterval(() => reconcile(allOrders().filter(({ state }) => state === 'open')), Number(RECONCILE_SECONDS) * 1000);
