// Lets merchant-sandbox act as a customer of this shop, and read the state of an order.
export const app = process.env.EXAMINE_APP ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;
export const webhookUrl = `${app}/webhook`;
export const reopens = false;

async function post(path, body, signal) {
  const answer = await fetch(`${app}${path}`, { method: 'POST', body: JSON.stringify(body), signal });
  if (!answer.ok) {
    throw new Error(`the shop answered ${answer.status}`);
  }
  return answer.status === 204 ? undefined : answer.json();
}

export async function placeOrder({ amount, currency, channel, payer, signal }) {
  const { id } = await post('/orders', { amount, currency, channel, payer }, signal);
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
