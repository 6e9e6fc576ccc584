import { extname } from 'node:path';
import type { HttpAdapter } from '../../base/schema/adapters.ts';
import { APP_VARIABLE } from './form.ts';

/** What `examine --init` writes: HTTP templates where the file is JSON, else a module. */
export function adapterToFillIn(file: string): string {
  return extname(file) === '.json' ? `${JSON.stringify(TEMPLATES, null, 2)}\n` : MODULE;
}

const MODULE = `// Tells merchant-sandbox how to be a customer of your shop, and what became of an order.
// Your shop is not changed and not told that it is examined: it sends its mails, books its stock and prints its labels as for any
// customer. Let it use a mail catcher and a database of their own.
// Started by --command, it has PAYMENTS_URL (the address that it appends /sandbox/init/… to), MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY
// and WEBHOOK_SECRET in its environment: let it take them from there.

// Your shop's address (${APP_VARIABLE} is what --app says), and where it takes notifications of payments. Without webhookUrl it gets none.
export const app = process.env.${APP_VARIABLE} ?? \`http://127.0.0.1:\${process.env.PORT ?? 3000}\`;
export const webhookUrl = \`\${app}/webhook\`;

/**
 * Places an order as a customer would. Throw where the shop refuses it; an error with an \`orderId\` says which order it keeps.
 * amount: text such as "10.00" (with --amount that one, where your shop has prices of its own); currency: "USD"; channel: qr-wallet, mobile-money, card-switch, card-network-a or card-network-b;
 * payer: { name, mobile }; signal fires when nobody waits for the order any more.
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
 * What became of the order: the shop's own word for its state; how often goods were sent or access was granted; and what the shop
 * takes for paid, as text such as "10.00". Read them where the shop keeps them, by its API or in its database, never in a cache.
 */
export async function orderState(orderId) {
  const answer = await fetch(\`\${app}/orders/\${orderId}\`);
  const { state, fulfilments, paidAmount } = await answer.json();
  return { state, fulfilments, paidAmount };
}

// The others are optional. What is left out is not examined.

// Runs the job by which the shop asks the provider for what it may have missed, if it does not run by itself.
// export async function reconcile() {}

// Puts the shop back to no orders.
// export async function reset() {}

// The shop's staff gives the money of an order back. Throw where the shop refuses it.
// export async function refund(orderId) {}

// The customer cancels an order before it is paid. Throw where the shop refuses it.
// export async function cancel(orderId) {}

// Ends the shop and starts it anew: \`again\` does so with --command, and is undefined without it.
// export async function restart(again) {}
`;

const TEMPLATES: HttpAdapter = {
  notes: [
    'Tells merchant-sandbox how to be a customer of your shop, and what became of an order.',
    'Your shop is not changed and not told that it is examined: it sends its mails, books its stock and prints its labels as for any customer. Let it use a mail catcher and a database of their own. Started by --command, it has PAYMENTS_URL (the address that it appends /sandbox/init/… to), MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY and WEBHOOK_SECRET in its environment: let it take them from there.',
    'app is the address of your shop, webhookUrl where it takes notifications of payments. Without webhookUrl it gets none. {{env.PORT:-3000}} is the variable PORT, or 3000 without it.',
    'placeOrder may have {{amount}} (a text such as "10.00"), {{amount.number}} (10), {{amount.minorUnits}} (1000), {{currency}}, {{channel}} (qr-wallet, mobile-money, card-switch, card-network-a or card-network-b), {{payer.name}} and {{payer.mobile}}; orderState, refund and cancel have {{orderId}}.',
    'answer says where in the JSON of the answer something is found, such as order.id or items[0].id. fulfilments is how often goods were sent or access was granted: a number, or a list of as many entries. paidAmount is what the shop takes for paid: 10.5 or "10.50"; with "paidAmountUnit": "minor", 1050.',
    'Optional, such as "reconcile": { "url": "/jobs/reconcile" }: reconcile (runs the job that asks the provider for what was missed), reset (forgets all orders), refund (staff gives the money back), cancel (the customer cancels before it is paid), restart (the shop ends and starts anew). What is left out is not examined.',
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
