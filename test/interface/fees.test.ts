import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { credentials, post, single, tokenOf } from './calls.ts';
import { exampleOf } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/init/authenticate/merchant/wallet';
const PAYOUT = '/init/authenticate/merchant/bulkPayment';
const CALCULATOR = '/param/merchant/feesCalculator';

const newFolder = temporaryFolders();
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true, fixtures: fixtures() });
});
afterAll(() => sandbox.close());

function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`fees-${sessions}`);
}

/** A folder with two more currencies, and with fees that differ by currency, merchant and period. */
function fixtures(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'scenarios'));
  const at = { createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' };
  const row = {
    feesMerchantId: 'DEFAULT',
    feesUserId: 'DEFAULT',
    feesStatus: true,
    feesStartDate: '2024-01-01T00:00:00.000+02:00',
    feesEndDate: '2099-12-31T00:00:00.000+02:00',
  };
  const free = { feesMarkUp: 0, feesServiceProviderFee: 0, feesGatewayFee: 0 };
  const currency = (id: number, currencyCode: string) => ({
    id,
    currencyCode,
    currencyName: currencyCode,
    currencySymbol: currencyCode,
    ...at,
  });
  const files = {
    'currencies.json': { currencies: [currency(2, 'AAA'), currency(3, 'BBB')] },
    'fees.json': {
      fees: [
        { id: 5, feesEndDate: '2025-12-31T00:00:00.000+02:00' },
        { id: 6, feesMinAmount: 10, feesMaxAmount: 200 },
        {
          ...row,
          ...free,
          id: 8,
          channel: 'qr-wallet',
          feesMerchantId: 'M-1001',
          feesPaymentMethod: 1,
          feesCurrencyId: 1,
          feesMinAmount: 0.01,
          feesMaxAmount: 20,
        },
        {
          id: 7,
          channel: 'qr-wallet',
          feesPaymentMethod: 1,
          feesCurrencyId: 2,
          feesMinAmount: 50,
          feesMaxAmount: 60,
          ...free,
          ...row,
        },
      ],
    },
  };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  return folder;
}

describe('fees', () => {
  it.each([
    ['AAA', '55.00', 200, undefined],
    ['AAA', '49.99', 422, 'from 50.00 to 60.00'],
    ['USD', '49.99', 200, undefined],
    ['BBB', '55.00', 422, 'received string "BBB", which has no fees on qr-wallet'],
  ])('in %s for an amount of %s lead to the status %d', async (paymentCurrency, amount, code, words) => {
    const { status, message } = await post(WALLET, single({ paymentCurrency, amount }), newSession());
    expect(status).toBe(code);
    expect(message).toContain(words ?? '');
  });

  it('whose period has ended lead to a refusal, for payments and in the calculator', async () => {
    const why = 'whose fees on card-network-b ended on 2025-12-31T00:00:00.000+02:00';
    const payment = await post(WALLET, single({ walletName: 'WALLET_CARD_B' }), newSession());
    const calculated = await post(
      CALCULATOR,
      exampleOf('requests/fees-calculation', { paymentMethod: 'WALLET_CARD_B' }),
      newSession(),
    );
    expect([payment.status, payment.message]).toEqual([422, expect.stringContaining(why)]);
    expect([calculated.status, calculated.message]).toEqual([422, expect.stringContaining(`number 1, ${why}`)]);
  });

  it('in another currency are calculated with the row of that currency', async () => {
    const { body } = await post(
      CALCULATOR,
      exampleOf('requests/fees-calculation', { paymentCurrency: 2, paymentAmount: 55 }),
      newSession(),
    );
    expect(body).toMatchObject({ id: 7, feesCurrencyId: 2, feeTotalToBePaid: 55 });
    expect(
      (await post(CALCULATOR, exampleOf('requests/fees-calculation', { paymentCurrency: 9 }), newSession())).message,
    ).toContain('1 (USD), 2 (AAA), 3 (BBB), received number 9');
  });

  it('of one merchant apply only to that merchant, for payments and in the calculator with its token', async () => {
    const base = newSession();
    expect((await post(WALLET, single({ amount: '20.01' }), base)).status).toBe(200);
    const refused = await post(WALLET, single({ ...credentials(1001), amount: '20.01' }), base);
    expect([refused.status, refused.message]).toEqual([422, expect.stringContaining('from 0.01 to 20.00')]);
    const calculated = async (token?: string) =>
      (await post(CALCULATOR, exampleOf('requests/fees-calculation'), base, token)).body;
    expect(await calculated()).toMatchObject({ feesMerchantId: 'DEFAULT', feeTotalToBePaid: 12.4 });
    expect(await calculated(await tokenOf(base))).toMatchObject({ feesMerchantId: 'DEFAULT' });
    expect(await calculated(await tokenOf(base, 1001))).toMatchObject({
      feesMerchantId: 'M-1001',
      feeTotalToBePaid: 10,
    });
  });

  it('reject an amount of zero, in a payment and in a credit of a payout', async () => {
    const [credit] = exampleOf('requests/bulk-payout')['dynamicCreditList'] as object[];
    const body = exampleOf('requests/bulk-payout', {
      debitTotalAmount: 100,
      dynamicCreditList: [
        { ...credit, creditAmount: 100 },
        { ...credit, creditAmount: 0 },
      ],
    });
    const { status, message } = await post(PAYOUT, body, newSession());
    expect([status, message]).toEqual([
      422,
      '$.dynamicCreditList[1].creditAmount: expected an amount of at least 0.01, received number 0',
    ]);
    expect((await post(WALLET, single({ amount: '0.00' }), newSession())).status).toBe(422);
  });

  it.each([[9.99], [200.01]])('limit the total of a payout: %d is refused', async (total) => {
    const [credit] = exampleOf('requests/bulk-payout')['dynamicCreditList'] as object[];
    const body = exampleOf('requests/bulk-payout', {
      debitTotalAmount: total,
      dynamicCreditList: [{ ...credit, creditAmount: total }],
    });
    const { status, message } = await post(PAYOUT, body, newSession());
    expect([status, message]).toEqual([
      422,
      `$.debitTotalAmount: expected an amount from 10.00 to 200.00, the limits of payout, received number ${total}`,
    ]);
  });
});
