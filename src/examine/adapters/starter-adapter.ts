import { extname } from 'node:path';
import type { HttpAdapter } from '../../base/schema/generated/adapters.ts';
import { APP_VARIABLE } from '../shop/adapter.ts';

/** The adapter that `examine --init` writes: HTTP templates for a JSON file, otherwise a module. */
export function starterAdapterFor(file: string): string {
  return extname(file) === '.json' ? `${JSON.stringify(STARTER_TEMPLATES, null, 2)}\n` : STARTER_MODULE;
}

const STARTER_MODULE = `// Tells merchant-sandbox how to place orders in your shop, and how to read their state.
// Your shop is not changed and does not know that it is examined: it sends emails, books stock and prints labels as for any customer.
// Give it a mail catcher and its own database.
// With --command, the shop gets PAYMENTS_URL (the base URL, to which it appends /sandbox/init/…), MERCHANT_ID, MERCHANT_API_KEY,
// MERCHANT_KEY and WEBHOOK_SECRET as environment variables, and must use them.

// The address of your shop (--app sets ${APP_VARIABLE}), and its webhook URL. Without webhookUrl, it gets no notifications.
export const app = process.env.${APP_VARIABLE} || \`http://127.0.0.1:\${process.env.PORT || 3000}\`;
export const webhookUrl = \`\${app}/webhook\`;

/**
 * Places an order as a customer would. Throw if the shop refuses it; if the shop keeps the refused order, add its \`orderId\` to the error.
 * amount: a string such as "10.00" (if your shop has its own prices, set it with --amount); currency: "USD"; channel: qr-wallet, mobile-money, card-switch, card-network-a or card-network-b;
 * payer: { name, mobile }; signal: an AbortSignal that fires when the order is no longer awaited.
 */
export async function placeOrder({ amount, currency, channel, payer, signal }) {
  const answer = await fetch(\`\${app}/orders\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount, currency, channel, payer }),
    signal,
  });
  if (!answer.ok) {
    throw new Error(\`the shop answered \${answer.status}\`);
  }
  const { id } = await answer.json();
  return { orderId: id };
}

/**
 * Returns the state of an order in the shop's own words, how often it was fulfilled (goods sent or access granted), and the amount that
 * the shop considers paid, as a string such as "10.00". Read them through the shop's API or from its database, never from a cache.
 * Returns null if the shop has no such order, because an order that is lost after it was paid is a violation.
 */
export async function orderState(orderId) {
  const answer = await fetch(\`\${app}/orders/\${orderId}\`);
  if (answer.status === 404) {
    return null;
  }
  const { state, fulfilments, paidAmount } = await answer.json();
  return { state, fulfilments, paidAmount };
}

// The following functions are optional. What you leave out is not examined.

// Runs the job that queries the provider for missed payments, if it does not run on its own.
// export async function reconcile() {}

// How long the shop needs to correct an order by itself, by a job or a retry.
// export const patience = '30s';

// Whether an order is open again, for another try, after its payment failed, was cancelled or expired.
// export const reopens = true;

// Deletes all orders.
// export async function reset() {}

// Refunds an order, as the shop's staff would. Throw if the shop refuses.
// export async function refund(orderId) {}

// Cancels an order before it is paid, as the customer would. Throw if the shop refuses.
// export async function cancel(orderId) {}

// Makes an order older, for example in the database: the clock of the shop does not move with that of the sandbox.
// export async function backdate(orderId, { minutes }) {}

// Opens the page to which the browser returns after the payment. url: the address of that page, if the payment has one. Return
// { url } with the address that you opened: the examination opens it, too, in another session and with another query string.
// export async function returnFromPayment(orderId, { url, signal }) {}

// Pays an order again by another channel, after its first payment failed or while that is open. Throw if the shop refuses.
// export async function payAgain(orderId, { channel, signal }) {}

// Pays an amount out to payer.name, as the shop does for its suppliers or sellers. Throw if the shop refuses.
// export async function payOut({ amount, currency, payer, signal }) {}

// Sets up one recurring payment, as the shop does for a subscriber. Throw if the shop refuses.
// export async function subscribe({ amount, currency, payer, signal }) {}

// Restarts the shop. With --command, \`again\` does it; without it, \`again\` is undefined.
// export const restart = (again) => again();
`;

const STARTER_TEMPLATES: HttpAdapter = {
  notes: [
    'Tells merchant-sandbox how to place orders in your shop, and how to read their state.',
    'Your shop is not changed and does not know that it is examined: it sends emails, books stock and prints labels as for any customer. Give it a mail catcher and its own database. With --command, the shop gets PAYMENTS_URL (the base URL, to which it appends /sandbox/init/…), MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY and WEBHOOK_SECRET as environment variables, and must use them.',
    'app is the address of your shop, and webhookUrl its webhook URL. Without webhookUrl, it gets no notifications. {{env.PORT:-3000}} is the environment variable PORT, or 3000 if it is not set.',
    'placeOrder can use {{amount}} (a string such as "10.00"), {{amount.number}} (10), {{amount.minorUnits}} (1000), {{currency}}, {{channel}} (qr-wallet, mobile-money, card-switch, card-network-a or card-network-b), {{payer.name}} and {{payer.mobile}}; orderState, refund, cancel, backdate, returnFromPayment and payAgain can use {{orderId}}; payAgain can use {{channel}}, and backdate {{minutes}}.',
    'answer is the path of each value in the JSON answer, such as order.id or items[0].id. fulfilments is how often goods were sent or access was granted: a number, or an array whose items are counted. paidAmount is the amount that the shop considers paid: 10.5 or "10.50", or 1050 with "paidAmountUnit": "minor". A status of 404 means that the shop has no such order.',
    'Optional requests, such as "reconcile": { "url": "/jobs/reconcile" }: reconcile (runs the job that queries the provider for missed payments), reset (deletes all orders), refund (staff refund an order), cancel (the customer cancels before the order is paid), backdate (the order becomes {{minutes}} older, because the clock of the shop does not move with that of the sandbox), returnFromPayment (the browser opens the page after the payment), payAgain (the customer pays by another channel, after a failure or while the first payment is open), payOut (the shop pays {{amount}} out), subscribe (the shop sets up a recurring payment of {{amount}}), restart (the shop restarts; true if --command starts it again). What you leave out is not examined.',
  ],
  app: 'http://127.0.0.1:{{env.PORT:-3000}}',
  webhookUrl: '/webhook',
  placeOrder: {
    method: 'POST',
    url: '/orders',
    body: {
      amount: '{{amount}}',
      currency: '{{currency}}',
      channel: '{{channel}}',
      payer: { name: '{{payer.name}}', mobile: '{{payer.mobile}}' },
    },
    answer: { orderId: 'id' },
  },
  orderState: {
    method: 'GET',
    url: '/orders/{{orderId}}',
    answer: { state: 'state', fulfilments: 'fulfilments', paidAmount: 'paidAmount' },
  },
};
