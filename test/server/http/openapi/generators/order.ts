// The data that both clients send.

export const CREDENTIALS = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
};

export const ORDER = {
  ...CREDENTIALS,
  amount: '10.00',
  paymentCurrency: 'USD',
  paymentDescription: 'Order 1001',
  payerName: 'Ann Payer',
  payerAccountId: 7,
  profileId: 1,
};

export const CHANNELS = [
  { walletName: 'WALLET_QR' },
  { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' },
  { walletName: 'WALLET_SWITCH' },
  { walletName: 'WALLET_CARD_A' },
  { walletName: 'WALLET_CARD_B' },
] as const;

/** A PNG with one pixel. */
export const PICTURE = new Blob(
  [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  { type: 'image/png' },
);

export const LINK = {
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
  paymentLinkEmail: 'merchant@example.test',
  paymentLinkImage: PICTURE,
  paymentPayerFullNames: 'Ann Payer',
  paymentPayerEmailAddress: 'ann@example.test',
  paymentPayerAddress: '1 Example Street',
  paymentPayerMobile: '263770000001',
} as const;

export const SPLIT = [
  { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 60 },
  { dynamicMerchantId: 'M-1002', dynamicPayoutPercentage: 40 },
];
