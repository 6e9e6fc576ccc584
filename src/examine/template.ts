/** What `examine --init` writes. */
export const ADAPTER_TEMPLATE = `// Tells merchant-sandbox how to be a customer of your shop, and what became of an order.
// The shop itself is not changed and is not told that it is examined.

// Your shop's address, and where it takes notifications of payments.
export const app = \`http://127.0.0.1:\${process.env.PORT ?? 3000}\`;
export const webhookUrl = \`\${app}/webhook\`;

/**
 * Places an order as a customer would. Throw where the shop refuses it; an error with an \`orderId\` says which order it refused.
 * amount: text such as "10.00"; currency: "USD"; channel: qr-wallet, mobile-money, card-switch, card-network-a or card-network-b;
 * payer: { name, mobile }; signal fires when nobody waits any more.
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
 * What the shop says of the order: its own word for the state, how often goods were sent or access was granted, and what it takes
 * for paid. Read it from the shop's API or from its database.
 */
export async function orderState(orderId) {
  const answer = await fetch(\`\${app}/orders/\${orderId}\`);
  const { state, fulfilments, paidAmount } = await answer.json();
  return { state, fulfilments, paidAmount };
}

// Optional: runs the job by which the shop asks the provider for what it may have missed, if it does not run by itself.
// export async function reconcile() {}

// Optional: puts the shop back to no orders.
// export async function reset() {}
`;
