// Calls to the provider, and the check of its notifications.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CHANNELS, CURRENCY, channelOf, dateIn } from './catalogue.mjs';

const { PAYMENTS_URL, MERCHANT_ID, MERCHANT_API_KEY, MERCHANT_KEY, WEBHOOK_SECRET = '' } = process.env;
const credentials = { merchantId: MERCHANT_ID, merchantApiKey: MERCHANT_API_KEY, merchantKey: MERCHANT_KEY };
const TIMEOUT_MS = 2000;
const MAX_AGE_SECONDS = 300;
const YEAR_DAYS = 365;

let accessToken = '';

async function call(path, options = {}) {
  const answer = await fetch(`${PAYMENTS_URL}${path}`, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) };
}

const json = (body) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Makes a call with an access token, and gets a new token if it has expired. */
async function callAsMerchant(path, options = {}) {
  for (let tries = 0; ; tries += 1) {
    const headers = { ...options.headers, Authorization: `Bearer ${accessToken}` };
    const answer = await call(path, { ...options, headers });
    if (answer.status !== 401 || tries > 0) {
      return answer;
    }
    accessToken = (await call('/auth/authenticate/merchant', json(credentials))).body.token;
  }
}

const paymentFor = ({ id, item, amount, channel, payer }) => ({
  walletName: channelOf(channel).walletName,
  amount,
  paymentCurrency: CURRENCY,
  paymentDescription: `${item.name}, order ${id}`,
  payerName: payer.name,
  payerReference: id,
  payerAccountId: 1,
  profileId: 1,
  ...(channel === 'mobile-money' ? { payerMobile: payer.mobile } : {}),
});

/** Requests the payment of an order. Resolves with the status, and the codes and addresses by which the payer pays. */
export async function pay(order) {
  if (order.channel === 'link') {
    return makeLink(order);
  }
  const payment = paymentFor(order);
  const { status, body } = order.item.interval
    ? await callAsMerchant(
        '/sandbox/api/requestPaymentTokenAndPay',
        json({ merchantId: MERCHANT_ID, paymentTokenReferenceRequest: order.id, ...payment }),
      )
    : await call('/sandbox/init/authenticate/merchant/wallet', json({ ...credentials, ...payment }));
  const initiated = body.paymentInitiationResponse ?? {};
  return { status, needs: needsIn(initiated), paymentToken: initiated.paymentToken };
}

/** The codes and addresses in the answer to an initiation. */
export function needsIn({ paymentRedirectUrl, paymentCode, paymentQrCode }) {
  return { redirectUrl: paymentRedirectUrl, code: paymentCode, qrCode: paymentQrCode };
}

async function makeLink({ id, item, amount, payer, orderUrl }) {
  const form = new FormData();
  const fields = {
    id: '',
    paymentLinkName: item.name,
    paymentLinkDescription: `${item.name}, order ${id}`,
    paymentLinkReference: id,
    paymentLinkAmount: amount,
    paymentLinkType: 'ONCE_OFF_FIXED',
    paymentLinkImageType: 'NONE',
    paymentLinkProfileId: '1',
    // Yesterday, because the provider may be in a time zone that is behind.
    paymentLinkStartDate: dateIn(-1),
    paymentLinkEndDate: dateIn(30),
    paymentLinkCurrency: CURRENCY,
    paymentLinkCurrencyId: '1',
    paymentLinkOtherCurrencies: 'false',
    paymentLinkCustomerRedirectUrl: orderUrl,
    paymentCustomerFailRedirectUrl: orderUrl,
    paymentLinkEmail: 'orders@corner-shop.example.test',
    paymentPayerFullNames: payer.name,
    paymentPayerEmailAddress: 'customer@example.test',
    paymentPayerAddress: '1 Market Street',
    paymentPayerMobile: payer.mobile,
  };
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value);
  }
  form.append('paymentLinkImage', new Blob(['none']), 'none.txt');
  const { status, body } = await callAsMerchant('/api/merchant/sandbox/fastCheckOut', { method: 'POST', body: form });
  return { status, needs: { linkUrl: body.paymentLink?.paymentLinkUrl } };
}

/** Has the token of a subscription charged regularly, first after one interval. Resolves with whether that was accepted. */
export async function subscribe({ id, item, amount, paymentToken }) {
  const { body: intervals } = await call('/sandbox/param/paymentIntervals');
  const interval = intervals.find(({ paymentIntervalName }) => paymentIntervalName === item.interval);
  const { status } = await callAsMerchant(
    '/sandbox/api/addRecurringPayment',
    json({
      recurringMerchantId: MERCHANT_ID,
      recurringIntervalId: String(interval.id),
      recurringIntervalName: interval.paymentIntervalName,
      recurringPaymentToken: paymentToken,
      recurringReference: `${id}-again`,
      recurringDescription: item.name,
      recurringStartDate: dateIn(interval.paymentIntervalDuration),
      recurringExpiryDate: dateIn(YEAR_DAYS),
      recurringCurrency: CURRENCY,
      recurringAmount: amount,
      recurringPaymentProfileId: 1,
      recurringPaymentAccountId: 1,
    }),
  );
  return status === 200;
}

/** Queries the payment of an order; undefined if it has no payment. Throws if the provider does not answer. */
export async function queryPayment({ id, channel }) {
  const wallets = CHANNELS.filter((each) => channel === 'link' || each.id === channel);
  for (const { walletName } of wallets) {
    const query = new URLSearchParams({ transactionReference: id, walletName });
    const { status, body } = await callAsMerchant(`/sandbox/api/getPaymentDetails?${query}`);
    if (status === 200) {
      return body;
    }
    if (status !== 404) {
      throw new Error(`the provider answered ${status}`);
    }
  }
  return undefined;
}

/** Whether a notification is from the provider, and recent. */
export function isVerified(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'));
  return signatures.split(' ').some((each) => {
    const signature = Buffer.from(each.replace(/^v1,/, ''));
    return isRecent && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
