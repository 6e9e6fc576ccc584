// The payment of the benchmarks, about 360 bytes, with a unique reference, as in real traffic.
export const WALLET = '/sandbox/init/authenticate/merchant/wallet';

export const CHANNELS = {
  'mobile money': { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' },
  'QR wallet': { walletName: 'WALLET_QR' },
  'card switch': { walletName: 'WALLET_SWITCH' },
  'card network A': { walletName: 'WALLET_CARD_A' },
  'card network B': { walletName: 'WALLET_CARD_B' },
};
export const CREDENTIALS = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
};

export function bodyOf(members, payerReference = 'ORDER-[<id>]') {
  return JSON.stringify({
    ...CREDENTIALS,
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

export const MOBILE_MONEY = bodyOf(CHANNELS['mobile money']);
