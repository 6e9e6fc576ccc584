// Calls that every check makes.
import assert from 'node:assert/strict';

const PAYMENTS_IN_LARGE_BODY = 2000;
const CONCURRENCY = 20;

export async function checkEventStream(session) {
  const signal = AbortSignal.timeout(10_000);
  const { body } = await fetch(`${session}/_sandbox/events`, { headers: { Accept: 'text/event-stream' }, signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  await pay(session);
  // The stream first reports that it is connected; the event of the payment must arrive while it is open.
  let received = '';
  while (!/^data: .*payment/m.test(received)) {
    received += (await reader.read()).value;
  }
  await reader.cancel();
}

/** Fetches the state of a session, and restores it in one body. Returns its size in MB. */
export async function checkLargeBody(session) {
  for (let count = 0; count < PAYMENTS_IN_LARGE_BODY; count += CONCURRENCY) {
    await Promise.all(Array.from({ length: CONCURRENCY }, () => pay(session)));
  }
  const state = await (await fetch(`${session}/_sandbox/state`)).text();
  const restored = await fetch(`${session}/_sandbox/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: state,
  });
  assert.equal(restored.ok, true, await restored.text());
  return (state.length / 1e6).toFixed(1);
}

export async function tryToPay(base, headers = {}, payerReference = 'ORDER-1001') {
  return await fetch(`${base}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({
      merchantId: 'M-1000',
      merchantApiKey: 'test-api-key-1000',
      merchantKey: 'test-merchant-key-1000',
      walletName: 'WALLET_SWITCH',
      amount: '10.00',
      paymentCurrency: 'USD',
      paymentDescription: 'Order 1001',
      payerName: 'Ann Payer',
      payerReference,
      payerAccountId: 7,
      profileId: 1,
    }),
  });
}

export async function pay(base, headers) {
  const response = await tryToPay(base, headers);
  assert.equal(response.status, 200, await response.text());
}

/** Pays in each session (their names begin with s) by path and header in all spellings, and in the default session. */
export async function payInAllSpellings(base, sessions) {
  for (const name of sessions) {
    await pay(`${base}/s/${name}`);
    await pay(base, { 'X-Sandbox-Session': name });
    await pay(`${base}/s/${name}`, { 'X-Sandbox-Session': 'another' });
    await pay(`${base}/s/%73${name.slice(1)}`);
  }
  await pay(base);
  await pay(base, { 'X-Sandbox-Session': '' });
}

export async function paymentsOf(session) {
  const { items } = await (await fetch(`${session}/_sandbox/payments`)).json();
  return items.map(({ id }) => id);
}
