import fc from 'fast-check';
import { toMinorUnits } from '../../../../src/base/money.ts';
import { Refusal } from '../../../../src/base/refusal.ts';
import type { Payment, Payout } from '../../../../src/base/schema/generated/records.ts';
import { entriesOf } from '../../../../src/server/domain/books/ledger/ledger-entries.ts';
import type { BookedCollection, BookedRecords } from '../../../../src/server/domain/books/ledger/record-movements.ts';
import { addAdjustment } from '../../../../src/server/domain/payments/add-adjustment.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import { decideCredit } from '../../../../src/server/domain/payouts/payout.ts';
import { addDeliveries } from '../../../../src/server/domain/webhooks/outbox.ts';
import { paymentNotification } from '../../../../src/server/domain/wire/notification.ts';
import type { Transaction } from '../../../../src/server/sessions/transaction.ts';
import { cases } from '../../../cases.ts';
import { anyFeeTerms, makePayout, openBooks } from '../books/books-under-test.ts';
import { requireDefined, type Workbench } from '../workbench.ts';

type Notification = ReturnType<typeof paymentNotification>;
type Change<Item> = (transaction: Transaction) => Promise<Item>;

/** The meaning of each status for a shop that knows all of them: the sign of the amount, and of the charges. */
const MEANINGS: Readonly<Record<string, readonly [amount: number, charges: number]>> = {
  Paid: [1, -1],
  Failed: [0, 0],
  Cancelled: [0, 0],
  Expired: [0, 0],
  PartlyRefunded: [-1, 0],
  Refunded: [-1, 0],
  PartlyReversed: [-1, 1],
  Reversed: [-1, 1],
  PartlyChargedBack: [-1, -1],
  ChargedBack: [-1, -1],
  ChargebackReversed: [1, 0],
};

/** Makes a change and its notifications, as a session does. A refused change has no effect. */
async function changeAndNotify<Item>(bench: Workbench, record: Item, change: Change<Item>) {
  return bench
    .transact(async (transaction) => {
      const changed = await change(transaction);
      await addDeliveries(transaction, transaction.events, 'http://127.0.0.1:9/');
      const notifications = transaction.changes.flatMap(({ collection, record: stored }) =>
        collection === 'deliveries' && stored ? [JSON.parse((stored as { body: string }).body) as Notification] : [],
      );
      return { changed, notifications };
    })
    .catch((error: unknown) => {
      if (error instanceof Refusal) {
        return { changed: record, notifications: [] };
      }
      throw error;
    });
}

/** The sum that a shop counts if it regards only the status Paid, in any letter case, as success. */
function countAsPaid(notifications: readonly Notification[]): number {
  const paidNotifications = notifications.filter(({ status }) => status.trim().toLowerCase() === 'paid');
  return paidNotifications.reduce((sum, { paymentAmount }) => sum + toMinorUnits(paymentAmount), 0);
}

/** The effect of a record on the ledger's accounts whose names begin with a prefix. */
function ledgerOf<Name extends BookedCollection>(
  collection: Name,
  record: BookedRecords[Name],
  prefix: string,
): number {
  const postings = entriesOf(collection, record).flatMap((entry) => entry.postings);
  return postings
    .filter((posting) => posting.account.startsWith(prefix))
    .reduce((sum, { side, amount }) => sum + (side === 'credit' ? amount : 0 - amount), 0);
}

const anyAdjustments = fc.array(
  fc.tuple(
    fc.constantFrom('refund', 'chargeback', 'chargeback-reversed', 'reversal'),
    fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 600 })),
  ),
  { maxLength: 8 },
);
const anySplit = fc.constantFrom<number[]>([], [33.3, 66.7], [10, 20, 70]);

it("a shop that knows only Paid counts a paid payment once, and a shop that knows every status arrives at the ledger's amounts", async () => {
  const outcomes = fc.constantFrom('Paid', 'Paid', 'Paid', 'Failed', 'Cancelled', 'Expired');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1500 }),
      anySplit,
      outcomes,
      anyFeeTerms,
      anyAdjustments,
      async (amount, percentages, to, terms, adjustments) => {
        const bench = await openBooks(terms);
        const split = percentages.map((percentage, index) => ({ merchantId: `M-100${index}`, percentage }));
        const created = await bench.pay({ amount, split });
        const decided = await changeAndNotify<Payment>(bench, created, async (transaction) =>
          decidePayment(transaction, created, { to, cause: 'payer' }),
        );
        let payment = decided.changed;
        const all = [...decided.notifications];
        for (const [kind, part] of adjustments) {
          const { changed, notifications } = await changeAndNotify(bench, payment, async (transaction) =>
            addAdjustment(transaction, payment, { kind, amount: part, cause: 'control' }),
          );
          payment = changed;
          all.push(...notifications);
          expect(countAsPaid(all)).toBe(to === 'Paid' ? amount : 0);
          // The status query returns the same status and description, for the whole payment.
          const last = requireDefined(all.at(-1));
          const query = paymentNotification(payment, bench.fixtures);
          expect(query).toEqual({ ...last, paymentAmount: query.paymentAmount, paymentCharges: query.paymentCharges });
          expect(toMinorUnits(query.paymentAmount)).toBe(amount);
        }
        expect(all).toHaveLength(1 + (payment.adjustments ?? []).length);
        const bookedSum = all.reduce((sum, { status, paymentAmount, paymentCharges }) => {
          const [sign, charged] = requireDefined(MEANINGS[status]);
          // The shop knows from its contract which charges it bears.
          const isOwnFee = terms.feesBorneBy === 'merchant' || status.endsWith('ChargedBack');
          return sum + sign * toMinorUnits(paymentAmount) + (isOwnFee ? charged * toMinorUnits(paymentCharges) : 0);
        }, 0);
        expect(bookedSum).toBe(ledgerOf('payments', payment, 'merchant:'));
      },
    ),
    { numRuns: cases(150) },
  );
});

it('a shop that knows only Paid counts a payout at most once, and a shop that counts credits arrives at the amounts that reached the banks', async () => {
  const anyChanges = fc.array(fc.tuple(fc.nat(3), fc.constantFrom('Paid', 'Failed', 'Returned')), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 4 }),
      anyChanges,
      async (amounts, changes) => {
        const bench = await openBooks({
          feesBorneBy: 'merchant',
          splitFees: 'pro-rata',
          markUp: 0,
          payoutDebit: 'merchant',
          payoutFunds: 'unlimited',
          payoutFee: 0.1,
          flat: 0,
        });
        let payout: Payout = await makePayout(bench, amounts);
        const all: Notification[] = [];
        for (const [creditIndex, outcome] of changes) {
          const { changed, notifications } = await changeAndNotify(bench, payout, async (transaction) =>
            decideCredit(transaction, payout, { number: 1 + (creditIndex % amounts.length), outcome }),
          );
          payout = changed;
          all.push(...notifications);
          expect([0, payout.total]).toContain(countAsPaid(all));
        }
        const bookedSum = all.reduce((sum, { status, paymentAmount }) => {
          const sign = { CreditPaid: 1, CreditReturned: -1 }[status] ?? 0;
          return sum + sign * toMinorUnits(paymentAmount);
        }, 0);
        expect(bookedSum).toBe(ledgerOf('payouts', payout, 'bank:'));
        const isOfPayout = (status: string) => ['Paid', 'PartlyPaid', 'Failed'].includes(status);
        const aboutCredits = all.filter(({ status }) => !isOfPayout(status));
        expect(aboutCredits).toHaveLength(payout.credits.reduce((sum, { history }) => sum + history.length, 0));
      },
    ),
    { numRuns: cases(100) },
  );
});
