// The shop under test: an order has a page with a button that leads to the payment's checkout.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const MERCHANT = { merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' };

/** Starts the shop. `paymentsUrl` is the payments service, or its stand-in; `secret` signs its notifications. */
export async function startShop(paymentsUrl: string, secret: string): Promise<{ url: string; server: Server }> {
  const states = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const order = (request.url ?? '').slice(1);
    if (order === 'webhook') {
      const body = await text(request);
      const isGenuine = isVerified(request.headers, body, secret);
      if (isGenuine) {
        const { paymentReference, status } = JSON.parse(body);
        states.set(paymentReference, status);
      }
      response.writeHead(isGenuine ? 204 : 400).end();
    } else if (request.method === 'POST') {
      response.writeHead(303, { location: await checkoutOf(paymentsUrl, order) }).end();
    } else {
      const state = states.get(order) ?? 'Open';
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<h1>Order</h1><p data-testid="state">${state}</p><form method="post"><button>Pay</button></form>`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Requests the payment of an order by card. Resolves with the address of its checkout. */
async function checkoutOf(paymentsUrl: string, order: string): Promise<string> {
  const answer = await fetch(`${paymentsUrl}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...MERCHANT,
      walletName: 'WALLET_CARD_A',
      amount: '10.00',
      paymentCurrency: 'USD',
      paymentDescription: `Order ${order}`,
      payerName: 'Ann Payer',
      payerReference: order,
      payerAccountId: 7,
      profileId: 1,
    }),
  });
  return JSON.parse(await answer.text()).paymentInitiationResponse.paymentRedirectUrl;
}

/** Whether a notification is from the payments service. The signature covers the raw body, so check it before you parse that. */
function isVerified(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  const given = String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each));
  return isRecent && given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
