import type { VirtualClock } from './clock.ts';

const CREDENTIALS = {
  merchantId: 'SHOP-77',
  merchantApiKey: 'live-looking-api-key-77',
  merchantKey: 'live-looking-key-77',
};
const WALLETS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
/** For payments by these wallets, the shop answers the first two attempts of a notification with 500. */
const TWICE_REFUSED_WALLETS = new Set(['WALLET_SWITCH', 'WALLET_CARD_A']);

/** Sends a call; undefined if there was no answer. */
export type Call = (url: string, init?: RequestInit) => Promise<Response | undefined>;

/** The calls of a shop's tests against a provider, and a wait at the end. */
export async function shopStory(base: string, clock: VirtualClock, call: Call): Promise<void> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const answer = await post('/auth/authenticate/merchant', CREDENTIALS);
  const { token } = ((await answer?.json()) ?? {}) as { token?: string };
  const bearer = { authorization: `Bearer ${token}` };
  await clock.advance(1000);
  await post('/auth/authenticate/merchant', { ...CREDENTIALS, merchantKey: 'not-the-key' });
  for (const walletName of WALLETS) {
    await clock.advance(5000);
    await post('/sandbox/init/authenticate/merchant/wallet', paymentOn(walletName, `ORDER-${walletName}`));
    await clock.advance(1000);
    await queryStatus(call, base, walletName, `ORDER-${walletName}`, bearer);
    await clock.advance(9000);
    await queryStatus(call, base, walletName, `ORDER-${walletName}`, bearer);
    await clock.advance(10 * 60_000);
    await queryStatus(call, base, walletName, `ORDER-${walletName}`, bearer);
  }
  const split = {
    dynamicPaidList: [
      { dynamicMerchantId: 'SHOP-77', dynamicPayoutPercentage: 60 },
      { dynamicMerchantId: 'SHOP-78', dynamicPayoutPercentage: 40 },
    ],
  };
  await post('/sandbox/init/authenticate/merchant/bulkWallet', { ...paymentOn('WALLET_MOBILE', 'SPLIT-1'), ...split });
  await clock.advance(10 * 60_000);
  await queryStatus(call, base, 'WALLET_MOBILE', 'SPLIT-1', bearer);
  await post('/sandbox/init/authenticate/merchant/bulkPayment', PAYOUT);
  await call(`${base}/api/merchant/sandbox/fastCheckOut`, { method: 'POST', headers: bearer, body: linkForm() });
  await call(`${base}/param/paymentIntervals`);
  await call(`${base}/init/currencies/all`);
  await call(`${base}/param/merchant/feesCalculator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer },
    body: JSON.stringify({ paymentMethod: 'WALLET_MOBILE', paymentAmount: 10, paymentCurrency: 1 }),
  });
  // The recording continues for a while, because drift does not report a notification as missing if it could have followed the end.
  await clock.advance(3_600_000);
  await call(`${base}/init/currencies/all`);
}

/** The status with which the shop answers the n-th attempt, from 1, of a notification. */
export function shopStatus(body: string, attempt: number): number {
  const { paymentMethod } = JSON.parse(body) as { paymentMethod: string };
  return TWICE_REFUSED_WALLETS.has(paymentMethod) && attempt < 3 ? 500 : 200;
}

function queryStatus(
  call: Call,
  base: string,
  walletName: string,
  transactionReference: string,
  headers: Record<string, string>,
) {
  const query = new URLSearchParams({ walletName, transactionReference });
  return call(`${base}/sandbox/api/getPaymentDetails?${query}`, { headers });
}

function paymentOn(walletName: string, payerReference: string) {
  return {
    ...CREDENTIALS,
    walletName,
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: `Order ${payerReference}`,
    payerName: 'Ann Payer',
    payerReference,
    payerAccountId: 7,
    profileId: 1,
    ...(walletName === 'WALLET_MOBILE' ? { payerMobile: '263771234567' } : {}),
  };
}

const PAYOUT = {
  ...CREDENTIALS,
  debitTotalAmount: 60.5,
  debitPaymentCurrency: 'USD',
  paymentDescription: 'Salaries',
  debitBankName: 'First Sandbox Bank',
  debitBankBICCode: 'FSBKZZ22',
  debitAccountNumber: '1000000001',
  debitAccountName: 'Tilda Shop',
  payerName: 'Tilda Shop',
  payerReference: 'PAYOUT-1',
  payerBankReference: 'BANK-1',
  dynamicCreditList: [
    {
      creditBankName: 'First Sandbox Bank',
      creditBankBICCode: 'FSBKZZ22',
      creditAccountNumber: '2000000001',
      creditAccountName: 'One Person',
      creditAmount: 60.5,
    },
  ],
};

function linkForm(): FormData {
  const form = new FormData();
  const fields = {
    id: '',
    paymentLinkName: 'Market stall',
    paymentLinkDescription: 'Fruit',
    paymentLinkReference: 'LINK-1',
    paymentLinkAmount: '25.00',
    paymentLinkType: 'OPEN_FIXED_AMOUNT',
    paymentLinkImageType: 'NEW',
    paymentLinkProfileId: '1',
    paymentLinkStartDate: '2026-01-01',
    paymentLinkEndDate: '2030-12-31',
    paymentLinkCurrency: 'USD',
    paymentLinkCurrencyId: '1',
    paymentLinkOtherCurrencies: 'false',
    paymentLinkCustomerRedirectUrl: 'http://127.0.0.1:3000/paid',
    paymentCustomerFailRedirectUrl: 'http://127.0.0.1:3000/failed',
    paymentLinkEmail: 'till@shop.test',
    paymentPayerFullNames: 'Ann Payer',
    paymentPayerEmailAddress: 'ann@shop.test',
    paymentPayerAddress: '1 Example Street',
    paymentPayerMobile: '263771234567',
  };
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value);
  }
  const picture = Buffer.from(PICTURE, 'base64');
  form.append('paymentLinkImage', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'stall.png');
  return form;
}

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
