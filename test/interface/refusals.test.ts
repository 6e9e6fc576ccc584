import fc from 'fast-check';
import { cases } from '../cases.ts';
import type { Sandbox } from '../sandbox.ts';
import { credentials, pathsIn, post, saveLink, single, tokenOf } from './calls.ts';
import { exampleOf } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/init/authenticate/merchant/wallet';
const LINK = '/api/merchant/sandbox/fastCheckOutRequest';
const PAYOUT = '/init/authenticate/merchant/bulkPayment';
const NEWCOMER = { merchantId: 'NEW', merchantApiKey: 'a', merchantKey: 'b' };

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`refusals-${sessions}`);
}

describe('a refusal names every wrong field at once', () => {
  it('of a form, for any name of a repeated part', async () => {
    const base = newSession();
    const token = await tokenOf(base);
    const name = fc
      .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
      .filter((text) => !/["\\%\r\n]/.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (oddName) => {
        const form = new FormData();
        for (const part of [oddName, oddName, 'paymentLinkName']) {
          form.append(part, 'x');
        }
        const headers = { Authorization: `Bearer ${token}` };
        const answer = await fetch(`${base}${LINK}`, { method: 'POST', headers, body: form });
        expect(answer.status).toBe(400);
        expect(JSON.parse(await answer.text()).message).toMatch(/expected (one part|no field) of this name/);
      }),
      { numRuns: cases(50), examples: [['\ud83d'], ['ü'], ['__proto__'], ['toJSON'], ['id']] },
    );
  });

  it('of the schema and of the fixtures, as one 400', async () => {
    const { status, message } = await post(WALLET, single({ walletName: 'NOPE', amount: 10 }), newSession());
    expect([status, message]).toEqual([
      400,
      '$.amount: expected a string (a decimal with two places), e.g. "10.00", received number 10; ' +
        '$.walletName: expected one of WALLET_QR, WALLET_MOBILE, WALLET_SWITCH, WALLET_CARD_A, WALLET_CARD_B (fixtures/channels.json has them all), received string "NOPE"',
    ]);
  });

  it.each<[string, string, object, number, string[]]>([
    [
      'a missing mobile number',
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
  ])('such as %s', async (_title, path, body, code, paths) => {
    const { status, message } = await post(path, body, newSession());
    expect([status, pathsIn(message)]).toEqual([code, paths]);
  });

  it.each<[string, string, object, string[]]>([
    [
      'a payment of a new merchant',
      WALLET,
      single({ ...NEWCOMER, amount: 10, paymentCurrency: 'XXX', payerName: null }),
      ['$.amount', '$.payerName', '$.paymentCurrency'],
    ],
    [
      'one entry of a list',
      WALLET,
      exampleOf('requests/bulk-payment', {
        profileId: 77,
        dynamicPaidList: [
          { dynamicMerchantId: 'M-9999', dynamicPayoutPercentage: 60 },
          { dynamicMerchantId: 'M-1001' },
        ],
      }),
      ['$.dynamicPaidList[1].dynamicPayoutPercentage', '$.profileId', '$.dynamicPaidList[0].dynamicMerchantId'],
    ],
    [
      'an entry that is not an object',
      WALLET,
      exampleOf('requests/bulk-payment', { paymentCurrency: 'XXX', dynamicPaidList: [''] }),
      ['$.dynamicPaidList[0]', '$.paymentCurrency'],
    ],
    [
      'a payout whose credits are invalid, so that their sum is not checked',
      PAYOUT,
      exampleOf('requests/bulk-payout', {
        debitTotalAmount: 1,
        debitPaymentCurrency: 'XXX',
        dynamicCreditList: [{ creditMerchantId: 'M-9999', creditAmount: 5 }],
      }),
      [
        '$.dynamicCreditList[0].creditBankName',
        '$.dynamicCreditList[0].creditBankBICCode',
        '$.dynamicCreditList[0].creditAccountNumber',
        '$.dynamicCreditList[0].creditAccountName',
        '$.debitPaymentCurrency',
        '$.dynamicCreditList[0].creditMerchantId',
      ],
    ],
    [
      'an amount beyond the limits of an unknown channel',
      WALLET,
      single({ walletName: 'NOPE', amount: '0.00', profileId: 77 }),
      ['$.walletName', '$.profileId'],
    ],
    [
      'a fee of an unknown currency',
      '/param/merchant/feesCalculator',
      { paymentMethod: 'WALLET_QR', paymentAmount: '10', paymentCurrency: 99 },
      ['$.paymentAmount', '$.paymentCurrency'],
    ],
  ])(
    'of the schema and of the business rules that can be checked, as one 400: %s',
    async (_title, path, body, paths) => {
      const base = newSession();
      const { status, message } = await post(path, body, base);
      expect([status, pathsIn(message)]).toEqual([400, paths]);
    },
  );

  it('of the schema and of the business rules, for any combination of wrong members', async () => {
    const shapes = fc.subarray(
      ['walletName', 'amount', 'paymentDescription', 'payerName', 'payerReference', 'payerAccountId'],
      { minLength: 1 },
    );
    const rules = fc.subarray(['paymentCurrency', 'profileId'] as const);
    await fc.assert(
      fc.asyncProperty(shapes, rules, async (misshapen, broken) => {
        const members = [
          ...misshapen.map((name) => [name, []] as const),
          ...broken.map((name) => [name, name === 'profileId' ? 77 : 'XXX'] as const),
        ];
        const { status, message } = await post(WALLET, single(Object.fromEntries(members)), sandbox.url);
        const paths = [...misshapen, ...broken].map((name) => `$.${name}`);
        expect([status, pathsIn(message).toSorted()]).toEqual([400, paths.toSorted()]);
      }),
      { numRuns: cases(50) },
    );
  });

  it('of a body and of its bearer token, and stores nothing', async () => {
    const base = newSession();
    const wrong = single({ ...NEWCOMER, amount: 10 });
    const { status, message } = await post(WALLET, wrong, base, 'nonsense');
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^\$\.amount: .*; the bearer token was not issued by this session/),
    ]);
    await post(WALLET, wrong, base);
    const right = await post(WALLET, single({ ...NEWCOMER, merchantKey: 'another' }), base);
    expect(right.status).toBe(200);
    const session = sandbox.session(`refusals-${sessions}`);
    expect((await session.list('payments')).items).toHaveLength(1);
    expect((await session.list('requests')).items[1]?.['findings']).toEqual([
      expect.objectContaining({ path: '$.amount' }),
    ]);
  });

  it('including wrong keys, and a merchant that may not trade', async () => {
    const otherBody = single({ merchantKey: 'another', amount: 10 });
    expect((await post(WALLET, otherBody, newSession())).message).toMatch(/^\$\.amount: .*wrong merchantKey/);
    const idle = single({ ...credentials(1007), amount: 10 });
    expect((await post(WALLET, idle, newSession())).message).toMatch(/^\$\.amount: .*M-1007 is not approved/);
  });

  it('including a wrong bearer token and wrong keys, besides other errors, and registers no merchant', async () => {
    const base = newSession();
    const bothReasons = /the bearer token was not issued by this session.*; wrong merchantKey for M-1000/;
    const wrongKey = single({ merchantKey: 'another' });
    expect(await post(WALLET, wrongKey, base, 'nonsense')).toMatchObject({
      status: 401,
      message: expect.stringMatching(bothReasons),
    });
    expect(await post(WALLET, { ...wrongKey, amount: 10 }, base, 'nonsense')).toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^\\$\\.amount: .*; ${bothReasons.source}`)),
    });
    await post(WALLET, single(NEWCOMER), base, 'nonsense');
    expect((await post(WALLET, single({ ...NEWCOMER, merchantKey: 'another' }), base)).status).toBe(200);
  });

  it('including both keys in a body that do not belong to its bearer token', async () => {
    const base = newSession();
    const token = await tokenOf(base);
    const wrong = exampleOf('requests/payment-token', { merchantApiKey: 'a', merchantKey: 'b' });
    expect(await post('/api/requestPaymentToken', wrong, base, token)).toMatchObject({
      status: 401,
      message: expect.stringMatching(
        /^the merchantApiKey and the merchantKey in the body are not those of merchant M-1000/,
      ),
    });
  });

  it('including every member that may be misspelled, for any kind of refusal', async () => {
    const unknown = '$.colour: expected no such field, received an unknown field';
    const base = newSession();
    for (const [code, body, bearer] of [
      [400, single({ colour: 'green', amount: 10 }), undefined],
      [401, single({ colour: 'green' }), 'nonsense'],
      [401, single({ colour: 'green', merchantKey: 'another' }), undefined],
      [422, single({ colour: 'green', paymentCurrency: 'XXX' }), undefined],
    ] as const) {
      const { status, message } = await post(WALLET, body, base, bearer);
      expect([status, message]).toEqual([code, expect.stringMatching(/^.+; SBX-W01 \$\.colour: .+$/)]);
      expect(message).toContain(unknown);
    }
  });

  it('of a payment link', async () => {
    const base = newSession();
    const notIds = { id: 'x', paymentLinkProfileId: 'x', paymentLinkCurrencyId: '' };
    expect((await saveLink(base, await tokenOf(base), '/api/merchant/fastCheckOut', notIds)).body.message).toBe(
      '$.id: expected digits, the id of the link, when updating; empty when creating, received string "x"; ' +
        '$.paymentLinkProfileId: expected digits, the id of a payment profile, e.g. "1", received string "x"; ' +
        '$.paymentLinkCurrencyId: expected digits, the id of a currency, e.g. "1", received string ""',
    );
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

  it('of a recurring payment, without the value of its token', async () => {
    const base = newSession();
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

  it('of a recurring payment with an unknown merchant', async () => {
    const body = exampleOf('requests/recurring-payment', {
      recurringMerchantId: 'M-9999',
      recurringIntervalName: 'Fortnightly',
      recurringCurrency: 'XXX',
    });
    const { status, message } = await post('/api/addRecurringPayment', body, newSession());
    expect([status, pathsIn(message)]).toEqual([
      422,
      ['$.recurringMerchantId', '$.recurringIntervalName', '$.recurringCurrency'],
    ]);
    expect(message).toContain('received string "M-9999"');
  });

  it('with the received value, unless that is a credential or a card number', async () => {
    const card = '4000 0000 0000 0010';
    const { message } = await post(
      WALLET,
      single({ merchantKey: 4711, payerReference: { card }, paymentCurrency: card }),
      newSession(),
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
    const base = newSession();
    const token = await tokenOf(base, number);
    const merchant = credentials(number);
    const { merchantId } = merchant;
    for (const [path, body] of [
      [WALLET, single(merchant)],
      [WALLET, exampleOf('requests/bulk-payment', merchant)],
      [PAYOUT, exampleOf('requests/bulk-payout', merchant)],
      ['/api/requestPaymentToken', exampleOf('requests/payment-token', { merchantId })],
      ['/api/requestPaymentTokenAndPay', exampleOf('requests/payment-token-with-payment', { merchantId })],
      ['/api/addRecurringPayment', exampleOf('requests/recurring-payment', { recurringMerchantId: merchantId })],
    ] as const) {
      const { status, message } = await post(path, body, base, token);
      expect([path, status, message]).toEqual([path, 403, expect.stringContaining(`merchant M-${number} is ${why};`)]);
    }
    expect((await saveLink(base, token, '/api/merchant/fastCheckOut')).status).toBe(403);
  });

  it('is not created by self-registration', async () => {
    const merchant = { merchantId: 'SHOP', merchantApiKey: 'a', merchantKey: 'b' };
    expect((await post(WALLET, single(merchant), newSession())).status).toBe(200);
  });
});

describe('lenient validation', () => {
  it('accepts a credit whose merchant is null, with a warning; strict validation does not', async () => {
    const [first] = exampleOf('requests/bulk-payout')['dynamicCreditList'] as object[];
    const body = exampleOf('requests/bulk-payout', {
      debitTotalAmount: 60.5,
      dynamicCreditList: [{ ...first, creditMerchantId: null }],
    });
    const path = '$.dynamicCreditList[0].creditMerchantId';
    const refused = await post(PAYOUT, body, newSession());
    expect([refused.status, pathsIn(refused.message)]).toEqual([400, [path]]);
    const lenient = await startSandbox({ now: NOW, validation: 'lenient' });
    expect((await post(PAYOUT, body, lenient.url)).status).toBe(200);
    const { items } = await lenient.client.list('requests');
    await lenient.close();
    expect(items[0]?.['findings']).toEqual([expect.objectContaining({ path, severity: 'warning' })]);
  });
});
