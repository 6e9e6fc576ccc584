// The shop's orders and their changes, in memory. A real shop needs a database.
import { EventEmitter } from 'node:events';
import { CURRENCY } from './catalogue.mjs';
import { isVerified, needsIn, pay, queryPayment, subscribe } from './payments.mjs';

const { ORDER_PREFIX = `SHOP-${process.pid}`, SHOP_CODE_REFERENCE } = process.env;

const orders = new Map();

/** Emits an event for each change of an order, named by the order's id. */
export const changes = new EventEmitter().setMaxListeners(0);

export const findOrder = (id) => orders.get(id);
export const latestOrders = () => [...orders.values()].reverse();

function newOrder(id, facts) {
  const order = { id, currency: CURRENCY, state: 'open', fulfilments: 0, paidAmount: '0.00', story: [], ...facts };
  orders.set(id, order);
  return order;
}

function record(order, source, words) {
  order.story.push({ at: new Date(), source, words });
  changes.emit(order.id);
}

/** Places an order. Requests its payment a second time if there is certainly no payment yet. */
export async function place({ item, amount, channel, payer }, baseUrl) {
  const id = `${ORDER_PREFIX}-${orders.size + 1}`;
  // Before the call, because a notification may arrive before its answer.
  const order = newOrder(id, { item, amount, channel, payer, orderUrl: `${baseUrl}/orders/${id}` });
  record(order, 'shop', 'Order placed');
  for (let tries = 0; tries < 2; tries += 1) {
    const answer = await pay(order).catch(() => undefined);
    if (answer?.status === 200) {
      Object.assign(order, { needs: answer.needs, paymentToken: answer.paymentToken });
      record(order, 'answer', channel === 'link' ? 'Payment link created' : 'Payment request accepted');
      break;
    }
    record(order, 'answer', answer ? `Refused with status ${answer.status}` : 'No answer from the provider');
    const payment = await queryPayment(order).catch(() => null);
    if (payment !== undefined) {
      order.needs = payment?.paymentInitiationResponse ? needsIn(payment.paymentInitiationResponse) : undefined;
      break;
    }
  }
  return order;
}

/**
 * Applies the status of a payment. Goods are sent once, for the right amount. After that, a failure counts only if the order `wasPaid`
 * before the query, because an earlier answer may be out of date.
 */
function applyPayment(order, { status, paymentAmount, paymentCurrency }, wasPaid = false) {
  const isRight = Number(paymentAmount) === Number(order.amount) && paymentCurrency === order.currency;
  if (status === 'Paid') {
    if (isRight && order.fulfilments === 0) {
      Object.assign(order, { state: 'paid', fulfilments: 1, paidAmount: order.amount });
      record(order, 'shop', order.item.interval ? 'Welcome to the club' : 'Packed, and on its way');
      void startSubscription(order);
    }
  } else if (['Failed', 'Cancelled', 'Expired'].includes(status)) {
    if (order.fulfilments === 0 || wasPaid) {
      Object.assign(order, { state: status.toLowerCase(), paidAmount: '0.00' });
    }
  } else if (status !== 'Processing') {
    // A status query does not show how much is left after a partial refund.
    const isGone = ['Refunded', 'Reversed', 'ChargedBack'].includes(status);
    Object.assign(order, { state: status, paidAmount: isGone ? '0.00' : order.amount });
  }
}

/** Starts the regular charges of a subscription. */
async function startSubscription(order) {
  if (order.item.interval) {
    const isAccepted = await subscribe(order).catch(() => false);
    record(order, 'answer', isAccepted ? 'It will be charged every month' : 'The monthly charge could not be set up');
  }
}

/** Handles a notification. Resolves with the status of its answer. */
export async function receiveNotification(headers, body) {
  if (!isVerified(headers, body)) {
    return 400;
  }
  const notification = JSON.parse(body);
  const order = findOrder(notification.paymentReference) ?? counterOrderOf(notification);
  if (!order) {
    // Payments of the merchant's other systems are not this shop's business.
    const isOfOthers = !notification.paymentReference.startsWith(`${ORDER_PREFIX}-`);
    return recordRecurringCharge(notification) || isOfOthers ? 204 : 404;
  }
  record(order, 'webhook', `${notification.status}: ${notification.description}`);
  const isOpen = order.state === 'open';
  const wasPaid = order.fulfilments > 0;
  // A notification after the first status may be old, so the status is queried.
  const payment = isOpen ? notification : await queryPayment(order);
  if (payment) {
    applyPayment(order, payment, wasPaid);
    changes.emit(order.id);
  }
  return 204;
}

/** A customer who scans the code on the counter has no order yet, so one is created. */
function counterOrderOf({ paymentReference: id, paymentAmount }) {
  if (SHOP_CODE_REFERENCE === undefined || !id.startsWith(`${SHOP_CODE_REFERENCE}-`)) {
    return undefined;
  }
  const item = { id: 'counter', name: 'Coffee at the counter' };
  return newOrder(id, { item, amount: paymentAmount.toFixed(2), channel: 'qr-wallet', payer: { name: 'Guest' } });
}

/** Returns whether the notification is about a charge of a subscription. */
function recordRecurringCharge({ paymentReference, status, description }) {
  const order = findOrder(paymentReference.replace(/-again$/, ''));
  if (order) {
    record(order, 'webhook', `Charged again: ${status}, ${description}`);
  }
  return order !== undefined;
}

/** Queries the status of an order. Throws if the provider does not answer. */
export async function queryOrder(order) {
  const payment = await queryPayment(order);
  record(order, 'query', payment ? `${payment.status}: ${payment.description}` : 'The provider has no such payment');
  if (payment) {
    applyPayment(order, payment);
    changes.emit(order.id);
  }
}

/** Queries all unpaid orders, because a notification may be missing. */
export async function reconcile() {
  for (const order of orders.values()) {
    if (order.fulfilments === 0) {
      // One order that cannot be queried now must not stop the others.
      await queryOrder(order).catch(() => undefined);
    }
  }
}
