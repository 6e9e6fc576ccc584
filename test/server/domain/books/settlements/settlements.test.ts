import fc from 'fast-check';
import type { Payment, Payout, Settlement } from '../../../../../src/base/schema/generated/records.ts';
import { formatWithOffset } from '../../../../../src/base/time.ts';
import { balanceOf } from '../../../../../src/server/domain/books/ledger/account-balances.ts';
import { feeOf, netOf } from '../../../../../src/server/domain/books/ledger/settlement-lines.ts';
import { closeAll, returnSettlement } from '../../../../../src/server/domain/books/settlements/settlements.ts';
import { decidePayment } from '../../../../../src/server/domain/payments/payment.ts';
import { decideCredit, decidePayout } from '../../../../../src/server/domain/payouts/payout.ts';
import { checkConsistency } from '../../../../../src/server/domain/restored-state/check-state.ts';
import { cases } from '../../../../cases.ts';
import { refusalOf, requireDefined, Workbench } from '../../workbench.ts';
import { anyFeeTerms, check, makePayout, openBooks, postedBalances } from '../books-under-test.ts';
import { anyStep, ignoreRefusal, linesIn, moveTo, playSteps, settlementsOf } from './random-steps.ts';

const NOTHING_DIFFERS = expect.objectContaining({ differences: [], more: 0 });
const NO_FILE_PLAN = async () => undefined;
const DAY = 86_400_000;
const HOUR = DAY / 24;

async function makePaidPayment(bench: Workbench, members: Parameters<Workbench['pay']>[0] = {}): Promise<Payment> {
  const payment = await bench.pay(members);
  return bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }));
}

async function onlySettlement(bench: Workbench): Promise<Settlement> {
  const all = await settlementsOf(bench);
  expect(all).toHaveLength(1);
  return requireDefined(all[0]);
}

it('a merchant is settled at the end of the day, net of fees, and paid on the next business day', async () => {
  const bench = await Workbench.open();
  // A Friday at noon, local time.
  bench.now = Date.parse('2026-03-06T10:00:00.000Z');
  await makePaidPayment(bench, { amount: 1000 });
  await makePaidPayment(bench, { amount: 5000 });
  const open = await onlySettlement(bench);
  expect(open).toMatchObject({ state: 'Open', businessDate: '2026-03-06', dueAt: Date.parse('2026-03-06T22:00:00Z') });
  await moveTo(bench, requireDefined(open.dueAt ?? undefined));
  expect(await onlySettlement(bench)).toMatchObject({
    state: 'InTransit',
    valueDate: '2026-03-09',
    totals: { count: 2, gross: 6000, fee: -240 - 400, net: 5360, carriedIn: 0, transferred: 5360, carriedOut: 0 },
  });
  await moveTo(bench, Date.parse('2026-03-09T07:00:00Z') - 1);
  expect((await onlySettlement(bench)).state).toBe('InTransit');
  await moveTo(bench, Date.parse('2026-03-09T07:00:00Z'));
  expect(await onlySettlement(bench)).toMatchObject({ state: 'Paid', dueAt: null });
  expect(bench.events.filter(({ type }) => type.startsWith('settlement')).map(({ type }) => type)).toEqual([
    'settlement.created',
    'settlement.paid',
  ]);
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('a settlement with a planned late report can be restored, even if its close by the clock failed before', async () => {
  const bench = await Workbench.open();
  bench.now = Date.parse('2026-03-06T10:00:00.000Z');
  await makePaidPayment(bench, { amount: 1000 });
  const failed = { ...(await onlySettlement(bench)), failure: { at: bench.now, reason: 'the disk is full' } };
  await bench.transact((transaction) => transaction.put('settlements', failed));
  await bench.transact((transaction) => closeAll(transaction, {}, async () => ({ reports: { late: 'PT1H' } })));
  await moveTo(bench, Date.parse('2026-03-09T07:00:00Z'));
  expect(await onlySettlement(bench)).toMatchObject({ state: 'Paid', dueAt: Date.parse('2026-03-09T08:00:00Z') });
  expect(await checkConsistency(await bench.snapshot(), bench.fixtures)).toEqual([]);
});

it('a settlement does not reach the bank before it is closed, whether the clock closes it or a later control call', async () => {
  for (const [cutOff, valueTime] of [
    ['24:00', '09:00'],
    ['17:00', '16:00'],
  ] as const) {
    for (const lateBy of [undefined, 0, HOUR, 2 * DAY]) {
      const bench = await Workbench.open();
      const terms = { cutOff, valueTime, delayDays: 0, automatic: lateBy === undefined };
      bench.fixtures = { ...bench.fixtures, settlement: { ...bench.fixtures.settlement, ...terms } };
      // A Monday, so that no weekend delays the value date.
      bench.now = Date.parse('2026-03-02T10:00:00.000Z');
      await makePaidPayment(bench);
      const open = await onlySettlement(bench);
      await moveTo(bench, open.cutOff + (lateBy ?? 0));
      await bench.transact((transaction) => closeAll(transaction, {}, NO_FILE_PLAN));
      const { dueAt, valueDate, history } = await onlySettlement(bench);
      expect(dueAt ?? history[1]?.at).toBeGreaterThanOrEqual(requireDefined(history[0]).at);
      const closedOn = lateBy === undefined ? open.businessDate : formatWithOffset(bench.now, '+02:00').slice(0, 10);
      expect(requireDefined(valueDate ?? undefined) >= closedOn).toBe(true);
    }
  }
});

it('an amount below 0 is carried over to the next settlement', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, { amount: 100 });
  await moveTo(bench, bench.now + DAY);
  expect((await onlySettlement(bench)).totals).toMatchObject({ net: -104, transferred: 0, carriedOut: -104 });
  await makePaidPayment(bench, { amount: 1000 });
  await moveTo(bench, bench.now + DAY);
  const second = requireDefined((await settlementsOf(bench))[1]);
  expect([second.state, second.sequence, second.previous]).toEqual(['Paid', 2, 'settlement-1']);
  expect(second.totals).toMatchObject({ carriedIn: -104, net: 760, transferred: 656, carriedOut: 0 });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('amounts are carried over until their sum reaches the minimum', async () => {
  const bench = await Workbench.open();
  bench.fixtures = { ...bench.fixtures, settlement: { ...bench.fixtures.settlement, minimum: '7.52' } };
  for (const [index, transferred] of [0, 752].entries()) {
    await makePaidPayment(bench, { amount: 600 });
    await moveTo(bench, bench.now + DAY);
    const { totals } = requireDefined((await settlementsOf(bench))[index]);
    expect(totals).toMatchObject({ net: 376, transferred, carriedOut: transferred === 0 ? 376 : 0 });
  }
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('a payment just before the cut-off is in the settlement of that day, and a payment at the cut-off is in the next one', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  const { cutOff } = await onlySettlement(bench);
  bench.now = cutOff - 1;
  await makePaidPayment(bench);
  // The job has not run yet.
  bench.now = cutOff;
  await makePaidPayment(bench);
  expect(await settlementsOf(bench)).toMatchObject([
    { state: 'Open', throughMove: 2 },
    { state: 'Open', throughMove: null },
  ]);
  await moveTo(bench, cutOff + 1);
  const [first, second] = await settlementsOf(bench);
  expect([first?.state, first?.totals?.count, first?.throughMove]).toEqual(['InTransit', 2, 2]);
  expect([second?.state, second?.businessDate, second?.firstMove]).toEqual(['Open', '2026-03-02', 3]);
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('payments after an early close belong to another settlement of the same business date', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await bench.transact((transaction) => closeAll(transaction, { merchantId: 'M-1001' }, NO_FILE_PLAN));
  expect((await onlySettlement(bench)).state).toBe('Open');
  await bench.transact((transaction) => closeAll(transaction, { merchantId: 'M-1000' }, NO_FILE_PLAN));
  await makePaidPayment(bench);
  const settlements = await settlementsOf(bench);
  expect(settlements.map(({ businessDate, sequence, state }) => [businessDate, sequence, state])).toEqual([
    ['2026-03-01', 1, 'InTransit'],
    ['2026-03-01', 2, 'Open'],
  ]);
});

it('the amount of a settlement that the bank returned is owed to the merchant again', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, { amount: 1000 });
  const open = await onlySettlement(bench);
  const refusal = await refusalOf(bench.transact((transaction) => returnSettlement(transaction, open, {})));
  expect([refusal.kind, refusal.message]).toEqual(['conflict', expect.stringContaining('only a paid settlement')]);
  await moveTo(bench, bench.now + 5 * DAY);
  const settlement = await onlySettlement(bench);
  await bench.transact((transaction) => returnSettlement(transaction, settlement, { code: 'AC04' }));
  await moveTo(bench, bench.now + DAY);
  const [first, second] = await settlementsOf(bench);
  expect(first?.state).toBe('Returned');
  expect(second?.totals).toMatchObject({ types: { 'settlement-returned': { count: 1, net: 760 } }, transferred: 760 });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('each move is in one settlement and no cent is lost, for any steps and settlement settings', async () => {
  const zone = fc.constantFrom(undefined, 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', '-11:00');
  const calendar = fc.record({
    zone,
    cutOff: fc.constantFrom('24:00', '02:30', '17:00'),
    negativeBalance: fc.constantFrom('carry', 'collect', 'invoice'),
  });
  const start = fc.constantFrom('2026-03-01T10:00:00.000Z', '2026-03-28T23:30:00.000Z', '2026-10-24T22:30:00.000Z');
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 25 }),
      anyFeeTerms,
      calendar,
      start,
      async (...args) => {
        const [steps, terms, { zone: zoneName, cutOff, ...treatment }, at] = args;
        const bench = await openBooks(terms);
        const { settlement: shipped } = bench.fixtures;
        const settlement = { ...shipped, cutOff, ...(zoneName === undefined ? {} : { zone: zoneName }), ...treatment };
        bench.fixtures = { ...bench.fixtures, settlement };
        bench.now = Date.parse(at);
        await playSteps(bench, steps);
        expect(await check(bench)).toEqual(NOTHING_DIFFERS);
        expect(await checkConsistency(await bench.snapshot(), bench.fixtures)).toEqual([]);
        await checkSettlements(bench);
      },
    ),
    { numRuns: cases(75) },
  );
});

/** Verifies the same invariants without the check of the books. */
async function checkSettlements(bench: Workbench): Promise<void> {
  const settlements = await settlementsOf(bench);
  const seen = new Set<string>();
  const owed = new Map<string, number>();
  for (const settlement of settlements) {
    const { totals, merchantId, environment, currency } = settlement;
    const lines = await linesIn(bench, {
      ...settlement,
      last: settlement.last ?? { payments: 999, payouts: 999, settlements: 999 },
    });
    expect(lines.some((line) => line.gross !== 0 || feeOf(line) !== 0)).toBe(true);
    for (const line of lines) {
      expect(line.at).toBeLessThan(settlement.cutOff);
      expect(seen.has(line.id)).toBe(false);
      seen.add(line.id);
    }
    const net = lines.reduce((sum, line) => sum + netOf(line), 0);
    const account = `${environment} ${currency} merchant:${merchantId}`;
    owed.set(account, (owed.get(account) ?? 0) + net - (totals?.transferred ?? 0) - (totals?.invoiced ?? 0));
    if (totals) {
      expect(totals.carriedIn + net).toBe(totals.transferred + totals.carriedOut + (totals.invoiced ?? 0));
      expect(totals.carriedOut).toBe(owed.get(account));
    }
  }
  for (const { environment, currency, account, ...sums } of await postedBalances(bench)) {
    if (account.startsWith('merchant:')) {
      expect([account, balanceOf(sums)]).toEqual([account, owed.get(`${environment} ${currency} ${account}`)]);
    }
    expect(account).not.toBe('suspense');
  }
}

it('a payout is taken from the balance; failed and returned credits go back, open ones are in transit', async () => {
  const bench = await Workbench.open();
  bench.fixtures = { ...bench.fixtures, ledger: { ...bench.fixtures.ledger, payoutDebit: 'merchant' } };
  await makePaidPayment(bench, { amount: 10_000 });
  const payout = await makePayout(bench, [1000, 2000, 3000]);
  expect(await balances(bench)).toMatchObject({ 'merchant:M-1000': 9400 - 6000, 'in-transit': 6000 });
  for (const [number, outcome] of [
    [1, 'Paid'],
    [2, 'Failed'],
    [1, 'Returned'],
  ] as const) {
    await bench.transact(async (transaction) =>
      decideCredit(transaction, requireDefined(await transaction.get('payouts', payout.id)), {
        number,
        outcome,
        code: 'AC04',
      }),
    );
  }
  expect(await balances(bench)).toMatchObject({
    'merchant:M-1000': 9400 - 3000,
    'in-transit': 3000,
    'bank:FSBKZZ22:2000000000': 0,
  });
  await moveTo(bench, bench.now + DAY);
  expect((await onlySettlement(bench)).totals?.types).toEqual({
    payment: { count: 1, gross: 10_000, fee: -600, net: 9400 },
    payout: { count: 1, gross: -6000, fee: 0, net: -6000 },
    'payout-failed': { count: 1, gross: 2000, fee: 0, net: 2000 },
    'payout-returned': { count: 1, gross: 1000, fee: 0, net: 1000 },
  });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it('a payout fails without a debit if the fixture requires sufficient funds and the balance is too low', async () => {
  const bench = await Workbench.open();
  bench.fixtures = {
    ...bench.fixtures,
    ledger: { ...bench.fixtures.ledger, payoutDebit: 'merchant', payoutFunds: 'enforced' },
  };
  await makePaidPayment(bench, { amount: 1000 });
  await moveTo(bench, bench.now + 3 * DAY);
  await makePaidPayment(bench, { amount: 1000 });
  const unfundedPayout = await makePayout(bench, [500, 261]);
  expect(unfundedPayout).toMatchObject({
    unfunded: true,
    credits: [{ plannedOutcomes: [{ outcome: 'Failed', code: 'AM04', decidedBy: 'payoutFunds in ledger.json' }] }, {}],
  });
  const fundedPayout = await makePayout(bench, [500, 260]);
  expect(fundedPayout.unfunded).toBe(undefined);
  const laterPayout = await makePayout(bench, [1]);
  expect(laterPayout.unfunded).toBe(true);
  const unlimitedPayout = await makePayout(bench, [1], { outcomePlan: { payoutFunds: 'unlimited' } });
  expect(unlimitedPayout.unfunded).toBe(undefined);
  const change = (outcome: 'Paid' | 'Failed') =>
    bench.transact((transaction) => decidePayout(transaction, unfundedPayout, { outcome, code: 'AM04' }));
  expect((await refusalOf(change('Paid'))).message).toContain("because the merchant's balance was too low");
  expect(await change('Failed')).toMatchObject({
    state: 'Failed',
    credits: [{ state: 'Failed' }, { state: 'Failed' }],
  });
  expect(await balances(bench)).toMatchObject({ 'merchant:M-1000': -1, 'in-transit': 761 });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

it("a payout from a bank account debits that account, and the merchant's balance only for the fees", async () => {
  const anyChanges = fc.array(fc.tuple(fc.nat(3), fc.constantFrom('Paid', 'Failed', 'Returned')), { maxLength: 8 });
  const anyAmounts = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 4 });
  const anyFee = fc.constantFrom(0, 0.35);
  await fc.assert(
    fc.asyncProperty(
      anyAmounts,
      anyChanges,
      anyFee,
      fc.constantFrom('1000000001', '77'),
      async (amounts, changes, fee, accountNumber) => {
        const bench = await Workbench.open();
        const fees = bench.fixtures.fees.fees.map((row) =>
          row.channel === 'payout' ? { ...row, feesServiceProviderFee: fee } : row,
        );
        bench.fixtures = { ...bench.fixtures, fees: { fees } };
        const account = { bankName: 'Own bank', bankBICCode: 'OWNBZZ22', accountName: 'Shop' };
        const { id } = await makePayout(bench, amounts, { debit: { ...account, accountNumber } });
        for (const [creditIndex, outcome] of changes) {
          await ignoreRefusal(
            bench.transact(async (transaction) => {
              const payout = requireDefined(await transaction.get('payouts', id));
              await decideCredit(transaction, payout, { number: 1 + (creditIndex % amounts.length), outcome });
            }),
          );
        }
        const { credits } = await bench.transact(async (transaction) =>
          requireDefined(await transaction.get('payouts', id)),
        );
        const debitedCredits = credits.filter(({ state }) => state === 'Processing' || state === 'Paid');
        const { [`bank:OWNBZZ22:${accountNumber}`]: debited, 'merchant:M-1000': owed = 0 } = await balances(bench);
        expect([debited, owed]).toEqual([
          0 - debitedCredits.reduce((sum, { amount }) => sum + amount, 0),
          0 - fee * 100,
        ]);
        await moveTo(bench, bench.now + DAY);
        for (const settlement of await settlementsOf(bench)) {
          const lines = await linesIn(bench, settlement);
          expect(lines.map(({ type, gross }) => [type, gross])).toEqual(fee === 0 ? [] : [['fee', 0]]);
        }
        expect(await check(bench)).toEqual(NOTHING_DIFFERS);
      },
    ),
    { numRuns: cases(40) },
  );
});

it('a payout is taken from the balance if its rule requires sufficient funds, and not debited if they are insufficient', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench, { amount: 1000 });
  const enforced = { outcomePlan: { payoutFunds: 'enforced' as const } };
  const payout = await makePayout(bench, [760], enforced);
  expect([payout.debitedFrom, payout.unfunded]).toEqual([undefined, undefined]);
  expect(await balances(bench)).toMatchObject({ 'merchant:M-1000': 0, 'in-transit': 760 });
  expect((await makePayout(bench, [1], enforced)).unfunded).toBe(true);
  expect(await makePayout(bench, [1])).toMatchObject({ debitedFrom: 'bank' });
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
});

const TAMPERED_PAYOUTS: Record<string, (payout: Payout) => Payout> = {
  'whose total was changed': (payout) => ({ ...payout, total: payout.total + 1 }),
  'whose credit was changed': (payout) => withCredit(payout, { amount: 999 }),
  'whose credit was changed to Paid': (payout) => withCredit(payout, { state: 'Paid' }),
  'that was changed to Paid': (payout) => ({ ...payout, state: 'Paid' }),
  'that was changed to unfunded': (payout) => ({ ...payout, unfunded: true }),
};

function withCredit(payout: Payout, members: Partial<Payout['credits'][number]>): Payout {
  return { ...payout, credits: payout.credits.map((credit) => ({ ...credit, ...members })) };
}

it.each(Object.entries(TAMPERED_PAYOUTS))('the check of the books finds a payout %s', async (_, tamper) => {
  const bench = await Workbench.open();
  const payout = await makePayout(bench, [1000]);
  await bench.transact((transaction) => transaction.put('payouts', tamper(payout)));
  expect((await check(bench)).differences).not.toEqual([]);
});

async function balances(bench: Workbench): Promise<Record<string, number>> {
  return Object.fromEntries((await postedBalances(bench)).map((account) => [account.account, balanceOf(account)]));
}

const TAMPERED: Record<string, (settlement: Settlement) => Settlement> = {
  'whose gross was changed': (settlement) => withTotals(settlement, { gross: 9999 }),
  'whose transferred amount was changed': (settlement) => withTotals(settlement, { transferred: 9999 }),
  'that begins with a later move': (settlement) => ({ ...settlement, firstMove: settlement.firstMove + 1 }),
  'that ends with a later move': (settlement) => ({ ...settlement, throughMove: 99 }),
  'that was changed to Paid': (settlement) => ({ ...settlement, state: 'Paid' }),
  'whose merchant was changed': (settlement) => ({ ...settlement, merchantId: 'M-1002' }),
  'whose currency was changed': (settlement) => ({ ...settlement, currency: 'EUR' }),
  'whose number was changed': (settlement) => ({ ...settlement, sequence: 7 }),
  'whose previous settlement is itself': (settlement) => ({ ...settlement, previous: settlement.id }),
  'that claims to be the latest': (settlement) => ({ ...settlement, latestOf: 'M-1000 sandbox USD' }),
  'whose lines are before its first record': (settlement) => ({ ...settlement, first: { payments: 2 } }),
  'whose lines are after its last record': (settlement) => ({ ...settlement, last: { payments: 0 } }),
  'whose cut-off is before its lines': (settlement) => ({ ...settlement, cutOff: 0 }),
  'whose totals say that only a part was transferred': (settlement) =>
    withTotals(settlement, { transferred: 1, carriedOut: 759 }),
};

function withTotals(settlement: Settlement, totals: object): Settlement {
  return { ...settlement, totals: { ...requireDefined(settlement.totals ?? undefined), ...totals } };
}

it.each(Object.entries(TAMPERED))('the check of the books finds a settlement %s', async (_, tamper) => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await moveTo(bench, bench.now + DAY / 2 + 1);
  await makePaidPayment(bench);
  const [settlement] = await settlementsOf(bench);
  expect(await check(bench)).toEqual(NOTHING_DIFFERS);
  await bench.transact((transaction) => transaction.put('settlements', tamper(requireDefined(settlement))));
  expect((await check(bench)).differences).not.toEqual([]);
});

it('the check of the books finds a latestOf in a settlement that is not the latest', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await moveTo(bench, bench.now + DAY / 2 + 1);
  await makePaidPayment(bench);
  const earlier = requireDefined((await settlementsOf(bench))[0]);
  const latestOf = 'M-1000 sandbox USD';
  await bench.transact((transaction) => transaction.put('settlements', { ...earlier, latestOf }));
  expect((await check(bench)).differences).toEqual([
    { subject: earlier.id, expected: 'latestOf null', found: latestOf },
  ]);
});

it('the check of the books finds a settled payment whose amount was changed', async () => {
  const bench = await Workbench.open();
  const payment = await makePaidPayment(bench);
  await moveTo(bench, bench.now + DAY);
  await bench.transact((transaction) => transaction.put('payments', { ...payment, amount: payment.amount + 1 }));
  expect((await check(bench)).differences).toContainEqual({
    subject: 'settlement-1',
    expected: 'gross 1001, by the records',
    found: '1000',
  });
});
