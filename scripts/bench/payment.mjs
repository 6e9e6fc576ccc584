// The payment that every benchmark makes, about 450 bytes; each has a reference of its own, as a merchant's would.
export const WALLET = '/sandbox/init/authenticate/merchant/wallet';
export const MOBILE_MONEY = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' };

export function bodyOf(members, payerReference = 'ORDER-[<id>]') {
  return JSON.stringify({
    merchantId: 'M-1000',
    merchantApiKey: 'test-api-key-1000',
    merchantKey: 'test-merchant-key-1000',
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: 'A payment of the benchmark',
    payerName: 'Ann Payer',
    payerReference,
    payerAccountId: 7,
    profileId: 1,
    ...members,
  });
}
