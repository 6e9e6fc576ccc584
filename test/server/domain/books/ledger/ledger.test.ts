import fc from 'fast-check';
import { Refusal } from '../../../../../src/base/refusal.ts';
import type { Adjustment, Payment } from '../../../../../src/base/schema/generated/records.ts';
import { balanceOf } from '../../../../../src/server/domain/books/ledger/account-balances.ts';
import { adjustmentAmounts } from '../../../../../src/server/domain/books/ledger/adjustment-amounts.ts';
import { checkBooks } from '../../../../../src/server/domain/books/ledger/check-books.ts';
import {
  type EntriesOf,
  entriesOf,
  type LedgerEntry,
} from '../../../../../src/server/domain/books/ledger/ledger-entries.ts';
import { sharesOf } from '../../../../../src/server/domain/books/ledger/shares.ts';
import { addAdjustment } from '../../../../../src/server/domain/payments/add-adjustment.ts';
import { decidePayment } from '../../../../../src/server/domain/payments/payment.ts';
import { cases } from '../../../../cases.ts';
import { Workbench } from '../../workbench.ts';
import { anyFeeTerms, anyPayment, check, makePayment, openBooks, postedBalances } from '../books-under-test.ts';

const NOTHING_DIFFERS = expect.objectContaining({ differences: [], more: 0 });
const anyPayments = fc.array(anyPayment, { minLength: 1, maxLength: 12 });

async function makePaidPayment(bench: Workbench, members: Parameters<Workbench['pay']>[0] = {}): Promise<Payment> {
  const payment = await bench.pay(members);
  return bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }));
}

async function balancesOf(bench: Workbench): Promise<Record<string, number>> {
  return Object.fromEntries((await postedBalances(bench)).map((account) => [account.account, balanceOf(account)]));
}

it('a payment is posted to its payers, its merchant and each kind of fee', async () => {
  const bench = await Workbench.open();
  const payment = await makePaidPayment(bench, { amount: 1000 });
  expect(entriesOf('payments', payment)).toEqual([
    {
      id: 'entry-1',
      move: 1,
      at: bench.now,
      event: 'payment.paid',
      recordId: 'payment-1',
      step: 'history[1]',
      environment: 'sandbox',
      currency: 'USD',
      postings: [
        { account: 'payers:qr-wallet', side: 'debit', amount: 1000 },
        { account: 'merchant:M-1000', side: 'credit', amount: 1000 },
        { account: 'merchant:M-1000', side: 'debit', amount: 240 },
        { account: 'fees:mark-up', side: 'credit', amount: 20 },
        { account: 'fees:service-provider', side: 'credit', amount: 200 },
        { account: 'fees:gateway', side: 'credit', amount: 20 },
      ],
    },
  ]);
});

it('payers bear the fees if the fixture says so, from the next payment on', async () => {
  const bench = await Workbench.open();
  const before = await bench.pay({ amount: 1000 });
  bench.fixtures = { ...bench.fixtures, ledger: { ...bench.fixtures.ledger, feesBorneBy: 'payer' } };
  await bench.transact((transaction) => decidePayment(transaction, before, { to: 'Paid', cause: 'payer' }));
  await makePaidPayment(bench, { amount: 1000, channel: bench.fixtures.channel('mobile-money') as never });
  expect(await balancesOf(bench)).toMatchObject({
    'payers:qr-wallet': -1000,
    'payers:mobile-money': -1240,
    'merchant:M-1000': 760 + 1000,
  });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('the fees of a split payment are divided among its receivers, or charged to the merchant that requested it', async () => {
  const split = [
    { merchantId: 'M-1001', percentage: 33.3 },
    { merchantId: 'M-1002', percentage: 66.7 },
  ];
  const bench = await Workbench.open();
  const proRata = await makePaidPayment(bench, { amount: 1001, split });
  expect(sharesOf(proRata)).toEqual([
    { merchantId: 'M-1001', gross: 333, fees: { markUp: 7, serviceProvider: 67, gateway: 7 } },
    { merchantId: 'M-1002', gross: 668, fees: { markUp: 13, serviceProvider: 133, gateway: 13 } },
  ]);
  bench.fixtures = { ...bench.fixtures, ledger: { ...bench.fixtures.ledger, splitFees: 'initiator' } };
  const paidByInitiator = await makePaidPayment(bench, { amount: 1001, split });
  expect(sharesOf(paidByInitiator).map(({ merchantId, gross, fees }) => [merchantId, gross, fees.markUp])).toEqual([
    ['M-1001', 333, 0],
    ['M-1002', 668, 0],
    ['M-1000', 0, 20],
  ]);
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('a payment that was made in test mode, or not paid, is not posted', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, { profileId: 2 });
  const payment = await bench.pay();
  await bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Failed', cause: 'payer' }));
  expect(await check(bench)).toEqual(expect.objectContaining({ records: 2, entries: 0, moves: 0, differences: [] }));
});

it('the ledger is balanced, agrees with the records and loses no cent to rounding, for any payments', async () => {
  await fc.assert(
    fc.asyncProperty(anyPayments, anyFeeTerms, async (payments, terms) => {
      const bench = await openBooks(terms);
      const created: Payment[] = [];
      for (const payment of payments) {
        created.push(await makePayment(bench, payment));
      }
      expect(await check(bench)).toEqual(NOTHING_DIFFERS);
      for (const payment of created) {
        const shares = sharesOf(payment);
        const sum = (numbers: number[]) => numbers.reduce((added, each) => added + each, 0);
        expect(sum(shares.map(({ gross }) => gross))).toBe(payment.amount);
        for (const kind of ['markUp', 'serviceProvider', 'gateway'] as const) {
          const expectedFee = payment.feesBorneBy === 'payer' ? 0 : payment.fees[kind];
          expect(sum(shares.map(({ fees }) => fees[kind]))).toBe(expectedFee);
          expect(shares.every(({ fees }) => fees[kind] >= 0)).toBe(true);
        }
        for (const { postings } of entriesOf('payments', payment)) {
          expect(postings.every(({ amount }) => amount > 0)).toBe(true);
        }
      }
    }),
    { numRuns: cases(60) },
  );
});

it('a refund returns no fees, a reversal returns them, and the merchant bears the cost of a chargeback', async () => {
  const bench = await Workbench.open();
  const adjust = async (payment: Payment, kind: Adjustment['kind'], amount: number | null) =>
    bench.transact((transaction) => addAdjustment(transaction, payment, { kind, amount, cause: 'control' }));
  await adjust(await makePaidPayment(bench, { amount: 1000 }), 'refund', 400);
  expect(await balancesOf(bench)).toMatchObject({ 'payers:qr-wallet': -600, 'merchant:M-1000': 360 });
  await adjust(await makePaidPayment(bench, { amount: 1000 }), 'reversal', null);
  expect(await balancesOf(bench)).toMatchObject({
    'payers:qr-wallet': -600,
    'merchant:M-1000': 360,
    'fees:mark-up': 20,
  });
  const charged = await adjust(await makePaidPayment(bench, { amount: 1000 }), 'chargeback', null);
  expect(await balancesOf(bench)).toMatchObject({
    'payers:qr-wallet': -600,
    'merchant:M-1000': 360 - 240 - 1500,
    'fees:chargeback': 1500,
  });
  await adjust(charged, 'chargeback-reversed', 500);
  expect(await balancesOf(bench)).toMatchObject({ 'merchant:M-1000': 360 - 240 - 1500 + 500, 'fees:chargeback': 1500 });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it("adjustments of a payment never take more of a share, or return more of the payer's fees, than remains", async () => {
  const anyParts = fc.array(
    fc.tuple(fc.constantFrom('refund', 'chargeback', 'chargeback-reversed', 'reversal'), fc.nat(60)),
  );
  await fc.assert(
    fc.asyncProperty(anyPayment, anyFeeTerms, anyParts, async (one, terms, parts) => {
      const bench = await openBooks(terms);
      let payment = await makePayment(bench, { ...one, amount: 1 + (one.amount % 300), outcome: 0, isTest: false });
      for (const [kind, amount] of parts) {
        const order = { kind, amount: amount === 0 ? null : amount, cause: 'control' as const };
        payment = await bench
          .transact((transaction) => addAdjustment(transaction, payment, order))
          .catch((error) => {
            if (error instanceof Refusal) {
              return payment;
            }
            throw error;
          });
      }
      const retained = sharesOf(payment);
      const remainingPayerFees = {
        ...(payment.feesBorneBy === 'payer' ? payment.fees : { markUp: 0, serviceProvider: 0, gateway: 0 }),
      };
      for (const { adjustment, shares, payerFees } of adjustmentAmounts(payment)) {
        const sum = shares.reduce((added, { gross }) => added + gross, 0);
        expect(Math.abs(sum)).toBe(adjustment.amount);
        for (const [index, share] of retained.entries()) {
          share.gross += shares[index]?.gross ?? 0;
          expect(share.gross).toBeGreaterThanOrEqual(0);
        }
        for (const kind of ['markUp', 'serviceProvider', 'gateway'] as const) {
          remainingPayerFees[kind] -= payerFees[kind];
          expect(remainingPayerFees[kind]).toBeGreaterThanOrEqual(0);
          const returnedFees = shares.reduce((added, { fees }) => added + fees[kind], 0);
          expect(returnedFees).toBeLessThanOrEqual(payment.fees[kind]);
        }
      }
      expect(await check(bench)).toEqual(NOTHING_DIFFERS);
    }),
    { numRuns: cases(75) },
  );
});

const FAULTS: Record<string, (entries: LedgerEntry[]) => LedgerEntry[]> = {
  'drops a posting': ([first, ...others]) => [
    ...(first ? [{ ...first, postings: first.postings.slice(1) }] : []),
    ...others,
  ],
  'drops an entry': (entries) => entries.slice(1),
  'posts an entry twice': (entries) => [...entries, ...entries],
  'posts a cent too much on both sides': (entries) =>
    entries.map((entry) => ({
      ...entry,
      postings: entry.postings.map((each) => ({ ...each, amount: each.amount + 1 })),
    })),
  'posts the right amounts to another account': (entries) =>
    entries.map((entry) => ({
      ...entry,
      postings: entry.postings.map((each) => ({ ...each, account: each.account.replace('M-1000', 'M-1001') })),
    })),
  'posts into another book': (entries) => entries.map((entry) => ({ ...entry, currency: 'EUR' })),
  'posts nothing at all': () => [],
};

it.each(Object.entries(FAULTS))('the check of the books finds code that %s', async (_, applyFault) => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, { amount: 1 });
  const derive: EntriesOf = (collection, record) => applyFault(entriesOf(collection, record));
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
  expect((await check(bench, derive)).differences).not.toEqual([]);
});

const TAMPERED: Record<string, (payment: Payment) => Payment> = {
  'whose state was changed': (payment) => ({ ...payment, state: 'Failed' }),
  'without its move': ({ history: steps, ...payment }) => ({
    ...payment,
    history: steps.map(({ move: _, ...step }) => step),
  }),
  'with the move of another payment': ({ history: steps, ...payment }) => ({
    ...payment,
    history: steps.map((step) => (step.move === undefined ? step : { ...step, move: 2 })),
  }),
  'with a move in the future': ({ history: steps, ...payment }) => ({
    ...payment,
    history: steps.map((step) => (step.move === undefined ? step : { ...step, move: 9 })),
  }),
  'whose shares were changed': ({ shares, ...payment }) => ({
    ...payment,
    shares: shares.map((share) => ({ ...share, amount: share.amount + 1 })),
  }),
  'whose amount is not the sum of its shares': (payment) => ({ ...payment, amount: payment.amount + 1 }),
  'that was put into test mode': (payment) => ({ ...payment, testMode: true }),
};

it.each(Object.entries(TAMPERED))('the check of the books finds a payment %s', async (_, tamper) => {
  const bench = await Workbench.open();
  const split = [
    { merchantId: 'M-1001', percentage: 50 },
    { merchantId: 'M-1002', percentage: 50 },
  ];
  const payment = await makePaidPayment(bench, { split });
  await makePaidPayment(bench);
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
  await bench.transact((transaction) => transaction.put('payments', tamper(payment)));
  expect((await check(bench)).differences).not.toEqual([]);
});

it('the check of the books finds an adjustment whose move is not in the history', async () => {
  const bench = await Workbench.open();
  const order = { kind: 'refund', amount: 300, cause: 'control' } as const;
  const before = await makePaidPayment(bench);
  const payment = await bench.transact((transaction) => addAdjustment(transaction, before, order));
  const adjustments = (payment.adjustments ?? []).map((adjustment) => ({ ...adjustment, move: 7 }));
  await bench.transact((transaction) => transaction.put('payments', { ...payment, adjustments }));
  expect((await check(bench)).differences).toContainEqual({
    subject: payment.id,
    expected: 'one step with a move per adjustment in its history',
    found: '1, 2',
  });
});

it('the check of the books finds a missing payment', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await bench.transact((transaction) => transaction.remove('payments', 'payment-1'));
  expect((await check(bench)).differences).toEqual([{ subject: 'move 1', expected: 'an entry', found: 'none' }]);
});

it('the check of the books lists a hundred missing moves and counts the rest, even if the number of the last move is far too large', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  const audit = await bench.transact((transaction) => checkBooks(transaction, Number.MAX_SAFE_INTEGER));
  expect(audit.differences.slice(0, 2)).toEqual([
    { subject: 'move 2', expected: 'an entry', found: 'none' },
    { subject: 'move 3', expected: 'an entry', found: 'none' },
  ]);
  expect([audit.differences.length, audit.more]).toEqual([100, Number.MAX_SAFE_INTEGER - 1 - 100]);
});
