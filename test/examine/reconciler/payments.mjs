// @ts-check
// Calls to the provider, and the verification of its notifications.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @typedef {import('./orders.mjs').Order} Order
 * @typedef {{ status: string, paymentAmount: number, paymentCurrency: string }} PaymentStatus
 */

const { PAYMENTS_URL, MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY, WEBHOOK_SECRET = '' } = process.env;
/** @type {Readonly<Record<string, string>>} */
const WALLETS = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
};
const credentials = { merchantId: MERCHANT_ID, merchantApiKey: MERCHANT_API_KEY, merchantKey: MERCHANT_KEY };
const TIMEOUT_MS = 2000;
const MAX_AGE_SECONDS = 300;

let accessToken = '';

/**
 * Throws if there is no answer, or one that is not JSON.
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function call(path, options = {}) {
  const answer = await fetch(`${PAYMENTS_URL}${path}`, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

/**
 * @param {string} path
 * @param {object} body
 */
const post = (path, body) =>
  call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/**
 * Resolves with the status of the answer.
 * @param {Order} order
 */
export async function pay({ id, amount, currency, channel, payer }) {
  const { status } = await post('/sandbox/init/authenticate/merchant/wallet', {
    ...credentials,
    walletName: WALLETS[channel],
    amount,
    paymentCurrency: currency,
    paymentDescription: `Order ${id}`,
    payerName: payer.name,
    payerReference: id,
    payerAccountId: 1,
    profileId: 1,
    ...(channel === 'mobile-money' ? { payerMobile: payer.mobile } : {}),
  });
  return status;
}

/**
 * Queries the status of an order; undefined if the provider does not know it. Throws if the query fails.
 * @param {Order} order
 * @returns {Promise<PaymentStatus | undefined>}
 */
export async function queryStatus({ id, channel }) {
  const query = new URLSearchParams({ transactionReference: id, walletName: WALLETS[channel] ?? '' });
  for (let tries = 0; ; tries += 1) {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { status, body } = await call(`/sandbox/api/getPaymentDetails?${query}`, { headers });
    if (status === 200) {
      return body;
    }
    if (status === 404) {
      return undefined;
    }
    if (status !== 401 || tries > 0) {
      throw new Error(`the provider answered ${status}`);
    }
    accessToken = (await post('/auth/authenticate/merchant', credentials)).body.token;
  }
}

/**
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body as received
 */
export function isVerified(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  return String(signatures)
    .split(' ')
    .some((each) => {
      const given = Buffer.from(each);
      return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
