import fc from 'fast-check';
import type { Settlement } from '../../../../../src/base/schema/generated/records.ts';
import { runSteps } from '../../../../../src/base/steps.ts';
import { balanceOf } from '../../../../../src/server/domain/books/ledger/account-balances.ts';
import { ACCOUNTS } from '../../../../../src/server/domain/books/ledger/accounts.ts';
import { BOOKED_COLLECTIONS } from '../../../../../src/server/domain/books/ledger/record-movements.ts';
import {
  isInSettlement,
  linesOfRecord,
  merchantBookKey,
  netOf,
  type SettlementLine,
} from '../../../../../src/server/domain/books/ledger/settlement-lines.ts';
import {
  FEE_MEMBERS,
  lineWithId,
  settlementFile,
} from '../../../../../src/server/domain/books/settlement-files/settlement-file.ts';
import { type BalanceDay, balanceDays } from '../../../../../src/server/domain/books/settlements/balance-days.ts';
import {
  type MerchantBalance,
  merchantBalances,
} from '../../../../../src/server/domain/books/settlements/merchant-balances.ts';
import { invoiceOf } from '../../../../../src/server/domain/books/settlements/month-invoice.ts';
import { readLines } from '../../../../../src/server/domain/books/settlements/read-lines.ts';
import { closeAll, returnSettlement } from '../../../../../src/server/domain/books/settlements/settlements.ts';
import { decidePayment } from '../../../../../src/server/domain/payments/payment.ts';
import { cases } from '../../../../cases.ts';
import { requireDefined, Workbench } from '../../workbench.ts';
import { anyFeeTerms, check, openBooks, postedBalances } from '../books-under-test.ts';
import { anyStep, moveTo, playSteps, settlementsOf } from './random-steps.ts';

const NOTHING_DIFFERS = expect.objectContaining({ differences: [], more: 0 });
const NO_FILE_PLAN = async () => undefined;
const DAY = 86_400_000;
const BOOK_KEY = { merchantId: 'M-1000', environment: 'sandbox', currency: 'USD' } as const;

type NegativeBalance = 'carry' | 'collect' | 'invoice';
const anyNegativeBalance = fc.constantFrom<NegativeBalance | undefined>('carry', 'collect', 'invoice', undefined);

function changeFixture(bench: Workbench, members: Partial<Workbench['fixtures']['settlement']>): void {
  bench.fixtures = { ...bench.fixtures, settlement: { ...bench.fixtures.settlement, ...members } };
}

async function makePaidPayment(bench: Workbench, amount: number): Promise<void> {
  const payment = await bench.pay({ amount });
  await bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }));
}

function daysIn(bench: Workbench): Promise<BalanceDay[]> {
  return bench.transact(async (transaction) => balanceDays(await transaction.all('settlements'), transaction));
}

function balancesIn(bench: Workbench): Promise<MerchantBalance[]> {
  return bench.transact(merchantBalances);
}

function invoiceOfMonth(bench: Workbench, month: string, book: Pick<Settlement, keyof typeof BOOK_KEY> = BOOK_KEY) {
  const { merchantId, environment, currency } = book;
  return bench.transact((transaction) => invoiceOf({ merchantId, environment, currency, month }, transaction));
}

async function accountsIn(bench: Workbench): Promise<Record<string, number>> {
  return Object.fromEntries((await postedBalances(bench)).map((account) => [account.account, balanceOf(account)]));
}

/** Every line that the records produce, for all settlements. */
function allLines(bench: Workbench): Promise<SettlementLine[]> {
  return bench.transact(async (transaction) => {
    const lines: SettlementLine[] = [];
    for (const collection of BOOKED_COLLECTIONS) {
      lines.push(...(await transaction.all(collection)).flatMap((record) => linesOfRecord(collection, record)));
    }
    return lines;
  });
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((added, item) => added + amountOf(item), 0);
}

/** Balances must agree with the ledger, and with the records of open and closed settlements. */
async function expectBalances(bench: Workbench): Promise<MerchantBalance[]> {
  const [balances, settlements, lines, accounts] = await Promise.all([
    balancesIn(bench),
    settlementsOf(bench),
    allLines(bench),
    postedBalances(bench),
  ]);
  const merchantAccounts = accounts.filter(({ account }) => account.startsWith('merchant:'));
  expect(new Set(balances.map((each) => merchantBookKey(each.merchantId, each)))).toEqual(
    new Set(merchantAccounts.map((each) => merchantBookKey(each.account.replace('merchant:', ''), each))),
  );
  for (const { pending, available, inTransit, balance, ...key } of balances) {
    const inBook = settlements.filter(
      (each) => merchantBookKey(each.merchantId, each) === merchantBookKey(key.merchantId, key),
    );
    const open = inBook.filter(({ totals }) => totals === null);
    const ledgerAccount = merchantAccounts.find(
      ({ account, environment, currency }) =>
        account === ACCOUNTS.merchant(key.merchantId) && environment === key.environment && currency === key.currency,
    );
    expect([balance, pending + available]).toEqual([balanceOf(requireDefined(ledgerAccount)), balance]);
    expect(pending).toBe(
      sum(
        lines.filter((line) => open.some((settlement) => isInSettlement(settlement, line))),
        netOf,
      ),
    );
    expect(inTransit).toBe(
      sum(
        inBook.filter(({ state }) => state === 'InTransit'),
        ({ totals }) => totals?.transferred ?? 0,
      ),
    );
  }
  return balances;
}

/** Each day must open with the closing balance of the previous one, and the last one must close with the present balance. */
async function expectDays(bench: Workbench, balances: readonly MerchantBalance[]): Promise<void> {
  const days = await daysIn(bench);
  for (const { balance, ...key } of balances) {
    const inBook = days.filter(
      (each) => merchantBookKey(each.merchantId, each) === merchantBookKey(key.merchantId, key),
    );
    const dates = inBook.map(({ businessDate }) => businessDate);
    expect(dates).toEqual([...new Set(dates)].sort());
    expect(inBook.map(({ opening }) => opening)).toEqual([0, ...inBook.map(({ closing }) => closing).slice(0, -1)]);
    expect(inBook.at(-1)?.closing).toBe(balance);
    for (const { opening, gross, fee, net, transferred, invoiced, closing } of inBook) {
      expect([net, closing]).toEqual([gross + fee, opening + net - transferred - invoiced]);
    }
  }
}

/** An invoice must contain exactly the fees in the files of its month. */
async function expectInvoices(bench: Workbench, balances: readonly MerchantBalance[]): Promise<void> {
  const settlements = await settlementsOf(bench);
  for (const key of balances) {
    const inBook = settlements.filter(
      (each) => merchantBookKey(each.merchantId, each) === merchantBookKey(key.merchantId, key),
    );
    for (const month of new Set(inBook.map(({ businessDate }) => businessDate.slice(0, 7)))) {
      const invoice = await invoiceOfMonth(bench, month, key);
      const inMonth = inBook.filter(({ businessDate }) => businessDate.startsWith(month));
      const closed = inMonth.flatMap(({ totals, ...settlement }) => (totals ? { ...settlement, totals } : []));
      const files = await bench.transact((transaction) =>
        Promise.all(
          closed.map(async (each) => {
            const lines = await readLines(each, transaction);
            return runSteps(
              settlementFile(
                each,
                lines.map((line) => lineWithId(each, line)),
              ),
            );
          }),
        ),
      );
      for (const { kind, amount, count } of invoice.fees) {
        const member = FEE_MEMBERS[kind];
        expect(amount).toBe(sum(files, ({ totals }) => 0 - totals[member]) + 0);
        expect(count).toBe(sum(files, ({ lines }) => lines.filter((line) => line[member] !== 0).length));
      }
      expect(invoice.net).toBe(sum(files, ({ totals }) => 0 - totals.fee) + 0);
      expect(sum(invoice.negativeBalances, ({ amount }) => amount)).toBe(
        sum(files, ({ totals }) => 0 - totals.invoiced) + 0,
      );
      expect(invoice.openSettlements).toEqual(inMonth.flatMap(({ id, totals }) => (totals ? [] : id)));
      expect(invoice.openSettlements.length > 0 && invoice.status === 'final').toBe(false);
    }
  }
}

it('balances and days agree with the ledger, and invoices with the files, for any treatment of negative balances', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 14 }),
      fc.array(anyStep, { maxLength: 14 }),
      anyFeeTerms,
      anyNegativeBalance,
      anyNegativeBalance,
      async (steps, laterSteps, terms, treatment, laterTreatment) => {
        const bench = await openBooks(terms);
        for (const [part, negativeBalance] of [
          [steps, treatment],
          [laterSteps, laterTreatment],
        ] as const) {
          changeFixture(bench, negativeBalance === undefined ? {} : { negativeBalance });
          await playSteps(bench, part);
          const balances = await expectBalances(bench);
          await expectDays(bench, balances);
          await expectInvoices(bench, balances);
        }
        await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
        const balances = await expectBalances(bench);
        expect(balances.filter(({ pending }) => pending !== 0)).toEqual([]);
        await expectInvoices(bench, balances);
        for (const { totals } of await settlementsOf(bench)) {
          const { carriedIn, net, transferred, carriedOut, invoiced = 0 } = requireDefined(totals ?? undefined);
          expect(carriedIn + net).toBe(transferred + carriedOut + invoiced);
        }
        expect(await check(bench)).toEqual(NOTHING_DIFFERS);
      },
    ),
    { numRuns: cases(150) },
  );
});

it('a negative balance is carried over by default', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, 100);
  expect(await balancesIn(bench)).toEqual([{ ...BOOK_KEY, pending: -104, available: 0, inTransit: 0, balance: -104 }]);
  await moveTo(bench, bench.now + DAY);
  await makePaidPayment(bench, 1000);
  expect(await balancesIn(bench)).toEqual([{ ...BOOK_KEY, pending: 760, available: -104, inTransit: 0, balance: 656 }]);
});

it("a negative balance is collected from the merchant's bank account, and again if the bank returns it", async () => {
  const bench = await Workbench.open();
  changeFixture(bench, { negativeBalance: 'collect' });
  await makePaidPayment(bench, 100);
  await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
  const [first] = await settlementsOf(bench);
  expect(first).toMatchObject({ state: 'InTransit', totals: { transferred: -104, carriedOut: 0 } });
  expect(await balancesIn(bench)).toMatchObject([{ pending: 0, available: 0, inTransit: -104, balance: 0 }]);
  await moveTo(bench, bench.now + 5 * DAY);
  expect(await accountsIn(bench)).toMatchObject({
    'merchant:M-1000': 0,
    'in-transit': 0,
    'bank:FSBKZZ22:M-1000': -104,
  });
  const [paidSettlement] = await settlementsOf(bench);
  expect(paidSettlement?.state).toBe('Paid');
  await bench.transact((transaction) =>
    returnSettlement(transaction, requireDefined(paidSettlement), { code: 'AC04' }),
  );
  expect(await balancesIn(bench)).toMatchObject([{ pending: -104, balance: -104 }]);
  await moveTo(bench, bench.now + 5 * DAY);
  expect((await settlementsOf(bench))[1]).toMatchObject({ state: 'Paid', totals: { transferred: -104 } });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it("a negative balance is put on the month's invoice, so that the balance of the merchant's account is 0", async () => {
  const bench = await Workbench.open();
  changeFixture(bench, { negativeBalance: 'invoice', invoice: { vatPercent: '14.5', seller: 'Payments Ltd' } });
  await makePaidPayment(bench, 100);
  await moveTo(bench, bench.now + DAY);
  const [settlement] = await settlementsOf(bench);
  expect(settlement).toMatchObject({ state: 'Invoiced', dueAt: null, valueDate: null });
  expect(settlement?.totals).toMatchObject({ transferred: 0, carriedOut: 0, invoiced: -104 });
  expect(await accountsIn(bench)).toMatchObject({ 'merchant:M-1000': 0, 'receivables:M-1000': -104 });
  await makePaidPayment(bench, 1000);
  const before = await invoiceOfMonth(bench, '2026-03');
  expect(before).toMatchObject({ status: 'preliminary', number: null, issueDate: null, net: 204 });
  expect(before.openSettlements).toEqual(['settlement-2']);
  bench.now = Date.parse('2026-03-31T22:00:00Z') - 1;
  await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
  expect(await invoiceOfMonth(bench, '2026-03')).toMatchObject({ status: 'preliminary', openSettlements: [] });
  bench.now += 1;
  expect(await invoiceOfMonth(bench, '2026-03')).toEqual({
    ...BOOK_KEY,
    month: '2026-03',
    status: 'final',
    number: 'INV-2026-03-M-1000-sandbox-USD',
    issueDate: '2026-04-01',
    seller: 'Payments Ltd',
    openSettlements: [],
    fees: [
      { kind: 'markUp', count: 2, amount: 22 },
      { kind: 'serviceProvider', count: 2, amount: 400 },
      { kind: 'gateway', count: 2, amount: 22 },
      { kind: 'payout', count: 0, amount: 0 },
      { kind: 'chargeback', count: 0, amount: 0 },
    ],
    net: 444,
    vatPercent: '14.5',
    // 64.38 cents, rounded.
    vat: 64,
    total: 508,
    deducted: 444,
    negativeBalances: [{ settlementId: 'settlement-1', businessDate: '2026-03-01', amount: 104 }],
    amountDue: 168,
  });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it.each([
  ['half a cent up', '12.5', 26],
  ['less than half a cent down', '12.49', 25],
  ['no tax at a rate of 0', '0', 0],
])('the tax of an invoice is rounded to the cent: %s', async (_, vatPercent, vat) => {
  const bench = await Workbench.open();
  changeFixture(bench, { invoice: { vatPercent } });
  // The fees of a payment of 1.00 are 4 % and 2.00.
  await makePaidPayment(bench, 100);
  await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
  expect(await invoiceOfMonth(bench, '2026-03')).toMatchObject({ net: 204, vat });
});

it('an invoice is issued at the close of its settlement if the settlement is closed late by hand', async () => {
  const bench = await Workbench.open();
  changeFixture(bench, { automatic: false });
  await makePaidPayment(bench, 1000);
  await moveTo(bench, Date.parse('2026-04-03T10:00:00Z'));
  expect(await invoiceOfMonth(bench, '2026-03')).toMatchObject({
    status: 'preliminary',
    openSettlements: ['settlement-1'],
  });
  await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
  expect(await invoiceOfMonth(bench, '2026-03')).toMatchObject({ status: 'final', issueDate: '2026-04-03' });
});

const TAMPERED: Record<string, (totals: NonNullable<Settlement['totals']>) => NonNullable<Settlement['totals']>> = {
  'less was invoiced': (totals) => ({ ...totals, invoiced: -103 }),
  'it was carried over': ({ invoiced, ...totals }) => ({ ...totals, carriedOut: invoiced ?? 0 }),
  'it was transferred': ({ invoiced, ...totals }) => ({ ...totals, transferred: invoiced ?? 0 }),
};

it.each(Object.entries(TAMPERED))(
  'the check of the books finds an invoiced settlement whose totals say that %s',
  async (_, tamper) => {
    const bench = await Workbench.open();
    changeFixture(bench, { negativeBalance: 'invoice' });
    await makePaidPayment(bench, 100);
    await moveTo(bench, bench.now + DAY);
    expect(await check(bench)).toEqual(NOTHING_DIFFERS);
    const settlement = requireDefined((await settlementsOf(bench))[0]);
    const totals = tamper(requireDefined(settlement.totals ?? undefined));
    await bench.transact((transaction) => transaction.put('settlements', { ...settlement, totals }));
    expect((await check(bench)).differences).not.toEqual([]);
  },
);
