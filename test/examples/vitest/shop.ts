// The integration under test: a shop that has its orders paid by the QR wallet.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const MERCHANT = { merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' };

async function post(address: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...MERCHANT, ...body }),
  });
  return JSON.parse(await answer.text());
}

/** Requests the payment of an order. `paymentsUrl` is the payments service, or its stand-in. */
export async function payForOrder(paymentsUrl: string, order: string): Promise<void> {
  await post(`${paymentsUrl}/sandbox/init/authenticate/merchant/wallet`, {
    walletName: 'WALLET_QR',
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: `Order ${order}`,
    payerName: 'Ann Payer',
    payerReference: order,
    payerAccountId: 7,
    profileId: 1,
  });
}

export async function statusOfOrder(paymentsUrl: string, order: string): Promise<string | undefined> {
  const { token } = await post(`${paymentsUrl}/auth/authenticate/merchant`, {});
  const query = new URLSearchParams({ transactionReference: order, walletName: 'WALLET_QR' });
  const answer = await fetch(`${paymentsUrl}/sandbox/api/getPaymentDetails?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(await answer.text()).status;
}

/** Whether a notification is from the payments service. The signature covers the raw body, so check it before you parse that. */
export function isVerified(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  const given = String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each));
  return isRecent && given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
