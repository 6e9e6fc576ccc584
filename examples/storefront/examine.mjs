// Lets merchant-sandbox act as a customer of this shop, and read the state of an order.
export const app = process.env.EXAMINE_APP ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;
export const webhookUrl = `${app}/webhook`;

async function post(path, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${app}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!answer.ok) {
    throw new Error(`the shop answered ${answer.status}`);
  }
  return answer.status === 204 ? undefined : answer.json();
}

/** Orders a gift card, because its buyer chooses the amount. */
export async function placeOrder({ amount, channel, payer, signal }) {
  const order = { item: 'gift-card', amount, channel, name: payer.name, mobile: payer.mobile };
  const { id } = await post('/orders', order, signal);
  return { orderId: id };
}

export async function orderState(orderId) {
  const answer = await fetch(`${app}/orders/${orderId}`);
  if (answer.status === 404) {
    return null;
  }
  const { state, fulfilments, paidAmount } = await answer.json();
  return { state, fulfilments, paidAmount };
}

export const reconcile = () => post('/jobs/reconcile', {});

/** Opens the page of the order, and uses its button that queries the provider. */
export async function returnFromPayment(orderId, { signal }) {
  const url = `${app}/orders/${orderId}`;
  await fetch(url, { headers: { Accept: 'text/html' }, signal });
  await fetch(`${url}/ask`, { method: 'POST', signal });
  return { url };
}
