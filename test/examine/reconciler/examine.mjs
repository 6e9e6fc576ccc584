// @ts-check
// Lets merchant-sandbox act as a customer of this shop, and read the state of an order.
export const app = process.env['EXAMINE_APP'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
export const webhookUrl = `${app}/webhook`;

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
async function call(method, path, body, signal) {
  const answer = await fetch(`${app}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  if (answer.status === 404 && method === 'GET') {
    return undefined;
  }
  if (!answer.ok) {
    throw new Error(`the shop answered ${answer.status}`);
  }
  return answer.status === 204 ? undefined : answer.json();
}

/** @param {{ amount: string, currency: string, channel: string, payer: object, signal: AbortSignal }} order */
export async function placeOrder({ amount, currency, channel, payer, signal }) {
  const { id } = await call('POST', '/orders', { amount, currency, channel, payer }, signal);
  return { orderId: id };
}

/** @param {string} orderId */
export async function orderState(orderId) {
  const order = await call('GET', `/orders/${orderId}`);
  return order ? { state: order.state, fulfilments: order.fulfilments, paidAmount: order.paidAmount } : null;
}

export const reconcile = () => call('POST', '/jobs/reconcile');

// Otherwise the shop would keep polling for earlier orders.
export const reset = () => call('DELETE', '/orders');

/** @param {string} orderId */
export const cancel = (orderId) => call('POST', `/orders/${orderId}/cancel`);

/** @param {string} orderId */
export const refund = (orderId) => call('POST', `/orders/${orderId}/refund`);

// The shop can be ended at any moment, because its orders are in a file.
/** @param {() => Promise<void>} again */
export const restart = (again) => again();
