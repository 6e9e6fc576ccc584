import type { MerchantCredentials } from './schema/generated/control.ts';

/** The body of the payment request that the banner, the tour and the command `pay` show. */
export function examplePayment(credentials: MerchantCredentials, walletName: string, reference = 'ORDER-1001') {
  return {
    ...credentials,
    walletName,
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: `Order ${reference.replace(/^ORDER-/, '')}`,
    payerName: 'Ann Payer',
    payerReference: reference,
    payerAccountId: 7,
    profileId: 1,
  };
}
