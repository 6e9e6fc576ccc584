import type { MerchantCredentials } from './schema/generated/control.ts';

/** The reference of the next order after a number of payments, as in the documents: ORDER-1001, ORDER-1002, … */
export function nextReference(payments: number): string {
  return `ORDER-${1001 + payments}`;
}

/** The body of the payment request in the banner and in the console, and of the command `pay`. */
export function examplePayment(credentials: MerchantCredentials, walletName: string, reference = nextReference(0)) {
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
