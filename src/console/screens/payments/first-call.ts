import { baseAddress } from '../../address.ts';

/** The first merchant of the shipped fixtures. */
export const CREDENTIALS = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
} as const;

const BODY = {
  ...CREDENTIALS,
  walletName: 'WALLET_QR',
  amount: '10.00',
  paymentCurrency: 'USD',
  paymentDescription: 'Order 1001',
  payerName: 'Ann Payer',
  payerReference: 'ORDER-1001',
  payerAccountId: 7,
  profileId: 1,
};

/** A call to paste into a terminal. */
export function exampleCurl(): string {
  return [
    `curl ${baseAddress}/sandbox/init/authenticate/merchant/wallet \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(BODY, null, 2)}'`,
  ].join('\n');
}
