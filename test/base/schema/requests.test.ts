import { validate } from '../../../src/base/schema/validation.ts';
import { exampleOf } from '../../interface/examples.ts';

const AMOUNT = 'a decimal with two places, e.g. "10.00"';
const IMAGE = { fileName: 'stall.png', mediaType: 'image/png', size: 68 };

/** The schema, the wrong members, the path of the finding, and the expected value in it. */
type Row = [schema: string, members: Record<string, unknown>, path: string, expected: string | RegExp];

const PAYMENTS: Row[] = ['single-payment', 'bulk-payment', 'payment-token-with-payment'].flatMap((schema): Row[] => [
  [schema, { amount: 10 }, '$.amount', /^a string/],
  [schema, { amount: '10' }, '$.amount', AMOUNT],
  [schema, { amount: '10.5' }, '$.amount', AMOUNT],
  [schema, { amount: '-1.00' }, '$.amount', AMOUNT],
  [schema, { amount: '01.00' }, '$.amount', AMOUNT],
  [schema, { amount: '1,000.00' }, '$.amount', AMOUNT],
  [schema, { amount: '10.00\n' }, '$.amount', AMOUNT],
  [schema, { amount: '1234567890123.00' }, '$.amount', AMOUNT],
  [schema, { merchantId: undefined }, '$.merchantId', /^a string/],
  [schema, { walletName: '' }, '$.walletName', /at least 1 character,/],
  [schema, { payerReference: '' }, '$.payerReference', /at least 1 character,/],
  [schema, { payerReference: 'x'.repeat(201) }, '$.payerReference', /at most 200 characters/],
  [schema, { profileId: '1' }, '$.profileId', /^an integer/],
  [schema, { profileId: 1.5 }, '$.profileId', /^an integer/],
  [schema, { payerAccountId: -1 }, '$.payerAccountId', /from 0 to 2147483647/],
  [schema, { payerMobile: '+263770000001' }, '$.payerMobile', /^digits with country prefix/],
  [schema, { payerMobile: '1234567' }, '$.payerMobile', /^digits with country prefix/],
]);

const SHARE = { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 100 };
const CREDIT = {
  creditBankName: 'First Sandbox Bank',
  creditBankBICCode: 'FSBKZZ22',
  creditAccountNumber: '2000000001',
  creditAccountName: 'Receiver One',
  creditAmount: 60.5,
};

const LISTS: Row[] = [
  ['bulk-payment', { dynamicPaidList: undefined }, '$.dynamicPaidList', /^an array/],
  ['bulk-payment', { dynamicPaidList: [] }, '$.dynamicPaidList', /^at least 1 entry/],
  ['bulk-payment', { dynamicPaidList: Array(1001).fill(SHARE) }, '$.dynamicPaidList', /^at most 1000 entries/],
  [
    'bulk-payment',
    { dynamicPaidList: [SHARE, { ...SHARE, dynamicPayoutPercentage: 0.5 }] },
    '$.dynamicPaidList[1].dynamicPayoutPercentage',
    'a number from 1 to 100, e.g. 60',
  ],
  [
    'bulk-payment',
    { dynamicPaidList: [{ ...SHARE, dynamicPayoutPercentage: 100.01 }] },
    '$.dynamicPaidList[0].dynamicPayoutPercentage',
    'a number from 1 to 100, e.g. 60',
  ],
  ['bulk-payout', { dynamicCreditList: [] }, '$.dynamicCreditList', /^at least 1 entry/],
  ['bulk-payout', { debitTotalAmount: '100.50' }, '$.debitTotalAmount', /^a number/],
  ['bulk-payout', { debitTotalAmount: 100.505 }, '$.debitTotalAmount', /at most two decimals, e.g. 100.5$/],
  ['bulk-payout', { debitTotalAmount: -1 }, '$.debitTotalAmount', /^a number from 0/],
  ['bulk-payout', { debitAccountNumber: 12 }, '$.debitAccountNumber', /^a string/],
  [
    'bulk-payout',
    { dynamicCreditList: [{ ...CREDIT, creditBankName: undefined }] },
    '$.dynamicCreditList[0].creditBankName',
    /^a string/,
  ],
  [
    'bulk-payout',
    { dynamicCreditList: [{ ...CREDIT, creditAmount: 0.001 }] },
    '$.dynamicCreditList[0].creditAmount',
    /at most two decimals/,
  ],
];

const OTHERS: Row[] = [
  ['merchant-credentials', { merchantApiKey: '' }, '$.merchantApiKey', /at least 1 character/],
  ['payment-status', { transactionReference: undefined }, '$.transactionReference', /^a string/],
  ['payment-status', { transactionCode: 123456789 }, '$.transactionCode', /^a string or null/],
  ['fees-calculation', { paymentAmount: '10' }, '$.paymentAmount', /^a number/],
  ['fees-calculation', { paymentCurrency: 'USD' }, '$.paymentCurrency', /^an integer/],
  ['webhook-test', { url: 'ftp://example.test/hook' }, '$.url', /^an http or https address/],
  ['webhook-test', { url: '/hook' }, '$.url', /^an http or https address/],
  ['webhook-test', { webHookType: '' }, '$.webHookType', /at least 1 character/],
  ['recurring-payment', { recurringStartDate: '2026-02-30' }, '$.recurringStartDate', /^a day as yyyy-MM-dd/],
  ['recurring-payment', { recurringExpiryDate: '31-12-2030' }, '$.recurringExpiryDate', /^a day as yyyy-MM-dd/],
  ['recurring-payment', { recurringIntervalId: 1 }, '$.recurringIntervalId', /^a string/],
  ['recurring-payment', { recurringAmount: '15' }, '$.recurringAmount', /^a decimal with two places/],
  ['payment-token', { paymentTokenReferenceRequest: '' }, '$.paymentTokenReferenceRequest', /at least 1 character/],
  ['payment-link', { id: undefined }, '$.id', /^a string/],
  ['payment-link', { id: 'seven' }, '$.id', /empty when creating/],
  ['payment-link', { paymentLinkName: '' }, '$.paymentLinkName', /at least 1 character/],
  ['payment-link', { paymentLinkType: 'ONCE' }, '$.paymentLinkType', /^one of ONCE_OFF_FIXED, OPEN_FIXED_AMOUNT/],
  ['payment-link', { paymentLinkImageType: 'new' }, '$.paymentLinkImageType', /^one of NEW, UPDATE, NONE/],
  ['payment-link', { paymentLinkOtherCurrencies: 'yes' }, '$.paymentLinkOtherCurrencies', /^one of true, false/],
  ['payment-link', { paymentLinkStartDate: '2025-02-29' }, '$.paymentLinkStartDate', /^a day as yyyy-MM-dd/],
  ['payment-link', { paymentLinkEmail: 'nobody' }, '$.paymentLinkEmail', /^an e-mail address/],
  ['payment-link', { paymentLinkCustomerRedirectUrl: 'shop' }, '$.paymentLinkCustomerRedirectUrl', /^an http or https/],
  ['payment-link', { paymentLinkImage: undefined }, '$.paymentLinkImage', /^an object \(an image file/],
];

function requestOf(schema: string, members: Record<string, unknown>): Record<string, unknown> {
  const image = schema === 'payment-link' ? { paymentLinkImage: IMAGE } : {};
  const request = exampleOf(`requests/${schema}`, { ...image, ...members });
  // A member that is undefined is omitted.
  return JSON.parse(JSON.stringify(request));
}

it.each([...PAYMENTS, ...LISTS, ...OTHERS])(
  '%s with %j has one error, at %s',
  async (schema, members, path, expected) => {
    const words = typeof expected === 'string' ? expected : expect.stringMatching(expected);
    expect(await validate(`requests/${schema}`, requestOf(schema, members))).toEqual([
      { path, expected: words, received: expect.any(String), severity: 'error' },
    ]);
  },
);

it.each<[string, Record<string, unknown>]>([
  ['single-payment', { amount: '0.00', paymentDescription: '', payerName: '', payerMobile: '263770000001' }],
  ['single-payment', { amount: '999999999999.99' }],
  ['bulk-payment', { dynamicPaidList: [{ ...SHARE, dynamicPayoutPercentage: 33.33 }] }],
  ['bulk-payout', { dynamicCreditList: [{ ...CREDIT, creditMerchantId: 'M-1001' }], debitTotalAmount: 60.5 }],
  ['payment-status', { paymentMobile: null, transactionCode: null }],
  ['payment-token-with-payment', { merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' }],
  ['payment-link', { id: '12', paymentLinkStartDate: '2028-02-29' }],
  ['webhook-test', { url: 'https://example.test/hook?a=1', webHookType: 'ANY' }],
])('%s with %j is valid', async (schema, members) => {
  expect(await validate(`requests/${schema}`, requestOf(schema, members))).toEqual([]);
});
