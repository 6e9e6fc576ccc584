import { type Sandbox, startSandbox } from '../../src/sandbox.ts';
import { credentials, pathsIn, post, saveLink, single, tokenOf } from './calls.ts';
import { exampleOf } from './examples.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/init/authenticate/merchant/wallet';
const PAYOUT = '/init/authenticate/merchant/bulkPayment';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function ownSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`refusals-${sessions}`);
}

describe('a refusal names every wrong field at once', () => {
  it('of the schema and of the fixtures, as one 400', async () => {
    const { status, message } = await post(WALLET, single({ walletName: 'NOPE', amount: 10 }), ownSession());
    expect([status, message]).toEqual([
      400,
      '$.amount: expected a string (a decimal with two places), e.g. "10.00", received number 10; ' +
        '$.walletName: expected one of WALLET_QR, WALLET_MOBILE, WALLET_SWITCH, WALLET_CARD_A, WALLET_CARD_B (fixtures/channels.json has them all), received string "NOPE"',
    ]);
  });

  it.each<[string, string, object, number, string[]]>([
    [
      'a mobile number that is missing',
      WALLET,
      single({ walletName: 'WALLET_MOBILE', amount: '1' }),
      400,
      ['$.amount', '$.payerMobile'],
    ],
    [
      'currency and profile',
      WALLET,
      single({ paymentCurrency: 'XXX', profileId: 77 }),
      422,
      ['$.paymentCurrency', '$.profileId'],
    ],
    ['amount and profile', WALLET, single({ amount: '0.00', profileId: 77 }), 422, ['$.amount', '$.profileId']],
    [
      'percentages and receivers',
      WALLET,
      exampleOf('requests/bulk-payment', {
        paymentCurrency: 'XXX',
        dynamicPaidList: [
          { dynamicMerchantId: 'M-1009', dynamicPayoutPercentage: 50 },
          { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 10 },
          { dynamicMerchantId: 'M-9999', dynamicPayoutPercentage: 10 },
        ],
      }),
      422,
      [
        '$.paymentCurrency',
        '$.dynamicPaidList',
        '$.dynamicPaidList[0].dynamicMerchantId',
        '$.dynamicPaidList[2].dynamicMerchantId',
      ],
    ],
    [
      'credits, their sum and the limits',
      PAYOUT,
      exampleOf('requests/bulk-payout', {
        debitTotalAmount: 100_000_000.01,
        dynamicCreditList: [
          {
            creditMerchantId: 'M-1007',
            creditBankName: 'B',
            creditBankBICCode: 'B',
            creditAccountNumber: '1',
            creditAccountName: 'A',
            creditAmount: 1,
          },
        ],
      }),
      422,
      ['$.debitTotalAmount', '$.debitTotalAmount', '$.dynamicCreditList[0].creditMerchantId'],
    ],
  ])('such as %s', async (_what, path, body, code, paths) => {
    const { status, message } = await post(path, body, ownSession());
    expect([status, pathsIn(message)]).toEqual([code, paths]);
  });

  it('of a payment link', async () => {
    const base = ownSession();
    const members = {
      paymentLinkCurrencyId: '2',
      paymentLinkProfileId: '77',
      paymentLinkEndDate: '2025-12-31',
      paymentLinkImageType: 'UPDATE',
    };
    const { status, body } = await saveLink(base, await tokenOf(base), '/api/merchant/fastCheckOut', members);
    const { message } = body;
    expect([status, pathsIn(message)]).toEqual([
      422,
      ['$.paymentLinkProfileId', '$.paymentLinkCurrencyId', '$.paymentLinkEndDate', '$.paymentLinkImageType'],
    ]);
    expect(message).toContain(
      '$.paymentLinkProfileId: expected a profile of merchant M-1000: 1 (Normal), 2 (Test mode), received string "77"',
    );
  });

  it('of a recurring payment, and no token', async () => {
    const base = ownSession();
    const body = exampleOf('requests/recurring-payment', {
      recurringPaymentToken: 'somebody-elses-token',
      recurringIntervalId: '9',
      recurringExpiryDate: '2025-01-01',
      recurringCurrency: 'XXX',
      recurringPaymentProfileId: 77,
    });
    const { status, message } = await post('/api/addRecurringPayment', body, base);
    expect([status, pathsIn(message)]).toEqual([
      422,
      [
        '$.recurringIntervalId',
        '$.recurringExpiryDate',
        '$.recurringPaymentProfileId',
        '$.recurringPaymentToken',
        '$.recurringCurrency',
      ],
    ]);
    expect(message).not.toContain('somebody');
  });

  it('of a recurring payment whose merchant nobody knows', async () => {
    const body = exampleOf('requests/recurring-payment', {
      recurringMerchantId: 'M-9999',
      recurringIntervalName: 'Fortnightly',
      recurringCurrency: 'XXX',
    });
    const { status, message } = await post('/api/addRecurringPayment', body, ownSession());
    expect([status, pathsIn(message)]).toEqual([
      422,
      ['$.recurringMerchantId', '$.recurringIntervalName', '$.recurringCurrency'],
    ]);
    expect(message).toContain('received string "M-9999"');
  });

  it('with what came, but neither a credential nor a card number', async () => {
    const card = '4000 0000 0000 0010';
    const { message } = await post(
      WALLET,
      single({ merchantKey: 4711, payerReference: { card }, paymentCurrency: card }),
      ownSession(),
    );
    expect(message).toContain(
      '$.paymentCurrency: expected a string of at most 3 characters, e.g. "USD", received string "***"',
    );
    expect(message).not.toMatch(/4711|0010/);
  });
});

describe('a merchant that is not both activated and approved', () => {
  it.each([
    [1007, 'not approved'],
    [1008, 'not activated'],
    [1009, 'not activated and not approved'],
  ])('M-%d gets a token, and a 403 for everything that moves money', async (number, why) => {
    const base = ownSession();
    const token = await tokenOf(base, number);
    const own = credentials(number);
    const { merchantId } = own;
    for (const [path, body] of [
      [WALLET, single(own)],
      [WALLET, exampleOf('requests/bulk-payment', own)],
      [PAYOUT, exampleOf('requests/bulk-payout', own)],
      ['/api/requestPaymentToken', exampleOf('requests/payment-token', { merchantId })],
      ['/api/requestPaymentTokenAndPay', exampleOf('requests/payment-token-with-payment', { merchantId })],
      ['/api/addRecurringPayment', exampleOf('requests/recurring-payment', { recurringMerchantId: merchantId })],
    ] as const) {
      const { status, message } = await post(path, body, base, token);
      expect([path, status, message]).toEqual([path, 403, expect.stringContaining(`merchant M-${number} is ${why};`)]);
    }
    expect((await saveLink(base, token, '/api/merchant/fastCheckOut')).status).toBe(403);
  });

  it('is nobody who registers by themselves', async () => {
    const own = { merchantId: 'SHOP', merchantApiKey: 'a', merchantKey: 'b' };
    expect((await post(WALLET, single(own), ownSession())).status).toBe(200);
  });
});

describe('lenient', () => {
  it('takes a credit whose merchant is null, with a warning; strict does not', async () => {
    const [first] = exampleOf('requests/bulk-payout')['dynamicCreditList'] as object[];
    const body = exampleOf('requests/bulk-payout', {
      debitTotalAmount: 60.5,
      dynamicCreditList: [{ ...first, creditMerchantId: null }],
    });
    const path = '$.dynamicCreditList[0].creditMerchantId';
    const refused = await post(PAYOUT, body, ownSession());
    expect([refused.status, pathsIn(refused.message)]).toEqual([400, [path]]);
    const lenient = await startSandbox({ now: NOW, validation: 'lenient' });
    expect((await post(PAYOUT, body, lenient.url)).status).toBe(200);
    const { items } = await lenient.client.list('requests');
    await lenient.close();
    expect(items[0]?.['findings']).toEqual([expect.objectContaining({ path, severity: 'warning' })]);
  });
});
