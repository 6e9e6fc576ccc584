import fc from 'fast-check';
import type { BankMistake, Settlement } from '../../../../../src/base/schema/generated/records.ts';
import { LAST_CLOCK_INSTANT } from '../../../../../src/base/time.ts';
import { applyBankMistakes } from '../../../../../src/server/domain/books/bank-statements/apply-bank-mistakes.ts';
import {
  type BankEntry,
  bookingContext,
  bookingDateOf,
  isPaidTo,
} from '../../../../../src/server/domain/books/bank-statements/bank-entries.ts';
import {
  bankStatement,
  statementAnswerKey,
} from '../../../../../src/server/domain/books/bank-statements/bank-statement.ts';
import { bookedSteps } from '../../../../../src/server/domain/books/bank-statements/booked-steps.ts';
import { balanceOf } from '../../../../../src/server/domain/books/ledger/account-balances.ts';
import { zoneOf } from '../../../../../src/server/domain/books/settlements/business-calendar.ts';
import { returnSettlement } from '../../../../../src/server/domain/books/settlements/settlements.ts';
import { cases } from '../../../../cases.ts';
import { requireDefined, type Workbench } from '../../workbench.ts';
import { anyFeeTerms, openBooks, postedBalances } from '../books-under-test.ts';
import { anyStep, moveTo, playSteps, settlementsOf } from '../settlements/random-steps.ts';

const KINDS: readonly BankMistake[] = ['late', 'short', 'twice', 'unknown-credit'];
const DAY = 86_400_000;

/** The course of one settlement: its mistakes, whether it is collected from the merchant, and whether the bank returns it. */
const anyCourse = fc.record({
  bank: fc.shuffledSubarray([...KINDS]),
  isCollected: fc.boolean(),
  isReturned: fc.boolean(),
});
type Course = typeof anyCourse extends fc.Arbitrary<infer T> ? T : never;

/** Adds the mistakes of their courses to settlements, and negates the amounts of those that are collected. */
function withCourses(settlements: readonly Settlement[], courses: readonly Course[]): Settlement[] {
  return settlements.map((settlement, index) => {
    const { bank, isCollected } = requireDefined(courses[index % courses.length]);
    const { totals } = settlement;
    return {
      ...settlement,
      totals: totals && { ...totals, transferred: isCollected ? 0 - totals.transferred : totals.transferred },
      ...(bank.length > 0 ? { mismatches: { kinds: [], totals: 'stay', bank } } : {}),
    };
  });
}

/** Accounts that merchants are paid to: their own, one that payouts debit, and one that payouts credit. */
const anyAccount = fc.constantFrom('{{merchantId}}', '1000000001', '2000000000');

/** The fixtures, but merchants are paid to this account. */
function paidTo({ fixtures }: Workbench, accountNumber: string): Workbench['fixtures'] {
  const { settlement } = fixtures;
  return { ...fixtures, settlement: { ...settlement, account: { ...settlement.account, accountNumber } } };
}

async function ledgerBalance(bench: Workbench, { bank, environment, currency }: Settlement): Promise<number> {
  const name = `bank:${bank.bankBICCode}:${bank.accountNumber}`;
  const account = (await postedBalances(bench)).find(
    (each) => each.account === name && each.environment === environment && each.currency === currency,
  );
  return account ? balanceOf(account) : 0;
}

/** Makes the bank return the paid settlements that are `isReturned` in their course. */
async function returnSettlements(bench: Workbench, courses: readonly Course[]): Promise<void> {
  for (const [index, settlement] of (await settlementsOf(bench)).entries()) {
    if (settlement.state === 'Paid' && requireDefined(courses[index % courses.length]).isReturned) {
      await bench.transact((transaction) => returnSettlement(transaction, settlement, { code: 'AC04' }));
    }
  }
}

const sum = (entries: readonly { amount: number }[]) => entries.reduce((added, { amount }) => added + amount, 0);
const factsOf = ({ reference, amount, type }: Pick<BankEntry, 'reference' | 'amount' | 'type'>) =>
  `${type} ${reference} ${amount}`;

it("a statement has each movement once, the ledger's balance, and an answer key for its mistakes", async () => {
  const steps = fc.array(anyStep, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      anyFeeTerms,
      steps,
      fc.array(anyCourse, { minLength: 1, maxLength: 5 }),
      fc.string(),
      anyAccount,
      async (terms, history, courses, seed, accountNumber) => {
        const bench = await openBooks(terms);
        bench.fixtures = paidTo(bench, accountNumber);
        await playSteps(bench, history);
        await moveTo(bench, bench.now + 8 * DAY);
        await returnSettlements(bench, courses);
        const payouts = await bench.transact((transaction) => transaction.all('payouts'));
        const unchanged = await settlementsOf(bench);
        const calendar = bookingContext(bench.fixtures);
        for (const account of unchanged) {
          const entries = bookedSteps(account, { settlements: unchanged, payouts }, calendar).map(({ entry }) => entry);
          expect(sum(entries)).toBe(await ledgerBalance(bench, account));
        }
        const settlements = withCourses(unchanged, courses);
        const context = { now: LAST_CLOCK_INSTANT, zone: zoneOf(bench.fixtures) };
        const ids = new Set(settlements.map(({ id }) => id));
        const typeOf = (id: string, amount: number) =>
          settlements.some((each) => each.id === id && each.totals?.transferred === amount) ? 'transfer' : 'return';
        for (const account of settlements) {
          const accountSettlements = settlements.filter((settlement) => isPaidTo(account, settlement));
          const bookedInOrder = bookedSteps(account, { settlements, payouts }, calendar);
          const bookedEntries = bookedInOrder.map(({ entry }) => entry);
          const payoutEntries = bookedEntries.filter(({ payoutId }) => payoutId !== undefined);
          const options = { seed, referenceCheckFor: () => async () => false };
          const shown = await applyBankMistakes(bookedInOrder, calendar, options);
          const days = [...new Set([...bookedEntries, ...shown.entries].map(({ bookingDate }) => bookingDate))].sort();
          let [opening, shownOpening] = [0, 0];
          for (const day of days) {
            const bookedStatement = bankStatement(account, bookedEntries, day, context);
            const shownStatement = bankStatement(account, shown.entries, day, context);
            const { findings } = statementAnswerKey(bookedStatement, shownStatement, shown, []);
            expect([bookedStatement.opening, shownStatement.opening]).toEqual([opening, shownOpening]);
            expect([bookedStatement.closing, shownStatement.closing]).toEqual([
              opening + sum(bookedStatement.entries),
              shownOpening + sum(shownStatement.entries),
            ]);
            [opening, shownOpening] = [bookedStatement.closing, shownStatement.closing];
            expect(sum(shownStatement.entries) - sum(bookedStatement.entries)).toBe(
              findings.reduce((all, { difference }) => all + difference, 0),
            );
            // The shown entries must be the booked ones with the changes in the findings.
            const remaining = bookedStatement.entries.map(factsOf);
            const take = (fact: string) => expect(remaining.splice(remaining.indexOf(fact), 1)).toEqual([fact]);
            for (const finding of findings) {
              const { kind, settlementId, reference, difference, expected, shown: received } = finding;
              const { shownEntries: entryIds } = finding;
              const namedEntries = shownStatement.entries.filter(({ id }) => entryIds.includes(id));
              expect(namedEntries).toHaveLength(kind === 'late' ? 0 : kind === 'twice' ? 2 : 1);
              expect(namedEntries.every((entry) => entry.reference === reference)).toBe(true);
              if (kind === 'late') {
                take(factsOf({ type: typeOf(settlementId, 0 - difference), reference, amount: 0 - difference }));
              } else if (kind === 'short') {
                take(factsOf({ type: 'transfer', reference, amount: Number(expected) }));
                remaining.push(factsOf({ type: 'transfer', reference, amount: Number(received) }));
                expect(Number(received)).toBeGreaterThan(0);
              } else {
                expect(ids.has(reference)).toBe(kind !== 'unknown-credit');
                const type = kind === 'arrived' ? typeOf(settlementId, difference) : 'transfer';
                remaining.push(factsOf({ type, reference, amount: difference }));
              }
            }
            expect(shownStatement.entries.map(factsOf).sort()).toEqual(remaining.sort());
          }
          // Payouts have no mistakes.
          expect(shown.entries.filter(({ payoutId }) => payoutId !== undefined)).toEqual(payoutEntries);
          // The sum of all days is transfers less returns, each on the day of its step, plus payouts.
          const paidSettlements = accountSettlements.filter(({ history: all }) => all.some(({ to }) => to === 'Paid'));
          const returnedSettlements = accountSettlements.filter(({ state }) => state === 'Returned');
          const transferred = (all: readonly Settlement[]) =>
            all.reduce((added, { totals }) => added + (totals?.transferred ?? 0), 0);
          expect(opening).toBe(transferred(paidSettlements) - transferred(returnedSettlements) + sum(payoutEntries));
          for (const settlement of paidSettlements) {
            const entry = bookedEntries.find(
              ({ reference, type }) => reference === settlement.id && type === 'transfer',
            );
            expect([entry?.bookingDate, entry?.amount]).toEqual([
              bookingDateOf(settlement, calendar),
              settlement.totals?.transferred,
            ]);
            const skipped = shown.skipped.get(settlement.id) ?? [];
            const findings = shown.findings.filter(
              ({ settlementId, kind }) => settlementId === settlement.id && kind !== 'arrived',
            );
            // A return that was booked before the late transfer is shown late, too.
            const kinds = new Set(findings.map(({ kind }) => kind));
            expect([...kinds, ...skipped].sort()).toEqual([...(settlement.mismatches?.bank ?? [])].sort());
          }
          expect(new Set(shown.entries.map(({ id }) => id)).size).toBe(shown.entries.length);
          // Unless the clock was set back, no return is shown before its transfer.
          for (const { reference } of bookedEntries.filter(({ type }) => type === 'return')) {
            const daysOf = (entries: readonly BankEntry[]) =>
              (['transfer', 'return'] as const).map(
                (type) =>
                  entries.find((entry) => entry.type === type && entry.reference === reference)?.bookingDate ?? '',
              );
            const [[transferDay = '', returnDay = ''], [shownTransferDay = '', shownReturnDay = '']] = [
              daysOf(bookedEntries),
              daysOf(shown.entries),
            ];
            expect(transferDay > returnDay || shownTransferDay <= shownReturnDay).toBe(true);
          }
        }
      },
    ),
    { numRuns: cases(300) },
  );
});
