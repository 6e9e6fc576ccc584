import { namesIn } from '../../../../base/members.ts';
import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment, Payout, Settlement } from '../../../../base/schema/records.ts';
import type { Instant } from '../../../../base/time.ts';
import { ACCOUNTS, FEE_KINDS, sumOfFees } from './accounts.ts';
import { type Moved, movedAdjustments } from './adjustments.ts';
import { sharesOf } from './shares.ts';
import { entryId } from './source-ids.ts';

export interface Posting {
  account: string;
  side: 'debit' | 'credit';
  /** Minor units, at least 1. */
  amount: MinorUnits;
}

/** One step of a record's history that moved money, as the books have it: debits and credits add up to the same. */
export interface Entry {
  /** entry-7 for move 7. */
  id: string;
  /** The number of the step in its session: the order of the books. */
  move: number;
  at: Instant;
  /** What happened, such as payment.paid. */
  event: string;
  recordId: string;
  /** Where the step stands in its record, such as history[1]. */
  step: string;
  /** Books are kept by environment and currency. */
  environment: Payment['environment'];
  currency: string;
  postings: Posting[];
}

/** An amount that goes from the account that is debited to the one that is credited. Nothing goes where it is 0. */
type Transfer = readonly [debit: string, credit: string, amount: MinorUnits];

export interface BookedRecords {
  payments: Payment;
  payouts: Payout;
  settlements: Settlement;
}

export type BookedCollection = keyof BookedRecords;

/** The collections whose records move money, each with what its records mean in the books. */
const ENTRIES: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Entry[] } = {
  payments: paymentEntries,
  payouts: payoutEntries,
  settlements: settlementEntries,
};

export const BOOKED_COLLECTIONS = namesIn<BookedCollection>(ENTRIES);

/** The entries of a record, in the order of its steps: they follow from the record alone. */
export type EntriesOf = <Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]) => Entry[];
export const entriesOf: EntriesOf = (collection, record) => ENTRIES[collection](record);

/** Payers owe what is paid; each receiver is owed its share, less the fees that it bears. An adjustment goes back the way it came. */
function paymentEntries(payment: Payment): Entry[] {
  const paid = payment.history.flatMap(({ from, to, at, move }, index) =>
    isPaying({ from, to }) && move !== undefined
      ? [entryOf(payment, { event: 'payment.paid', step: `history[${index}]`, at, move }, paidTransfers(payment))]
      : [],
  );
  const after = movedAdjustments(payment).flatMap((moved, index) => {
    const { kind, at, move } = moved.adjustment;
    const step = `adjustments[${index}]`;
    const event = ADJUSTMENT_EVENTS[kind];
    return move === undefined ? [] : [entryOf(payment, { event, step, at, move }, adjustmentTransfers(payment, moved))];
  });
  return [...paid, ...after];
}

/** Whether a step of a payment's history is the one that paid it, late or not: no adjustment leads from there to Paid. */
export function isPaying({ from, to }: Pick<Payment['history'][number], 'from' | 'to'>): boolean {
  return to === 'Paid' && (from === 'Processing' || from === 'Failed' || from === 'Expired');
}

/** The events of adjustments, by kind. */
export const ADJUSTMENT_EVENTS = {
  refund: 'payment.refunded',
  reversal: 'payment.reversed',
  chargeback: 'payment.charged-back',
  'chargeback-reversed': 'payment.chargeback-reversed',
  'late-failure': 'payment.failed',
} as const;

function adjustmentTransfers({ channel }: Payment, { shares, penalties, payerFees }: Moved): Transfer[] {
  const payers = ACCOUNTS.payers(channel);
  return [
    ...shares.flatMap(({ merchantId, gross, fees }, index): Transfer[] => {
      const merchant = ACCOUNTS.merchant(merchantId);
      return [
        [payers, merchant, gross],
        ...FEE_KINDS.map((kind): Transfer => [ACCOUNTS.fees[kind], merchant, fees[kind]]),
        [merchant, ACCOUNTS.fees.chargeback, penalties[index] ?? 0],
      ];
    }),
    ...FEE_KINDS.map((kind): Transfer => [ACCOUNTS.fees[kind], payers, payerFees[kind]]),
  ];
}

function paidTransfers(payment: Payment): Transfer[] {
  const payers = ACCOUNTS.payers(payment.channel);
  const shares = sharesOf(payment);
  const shared = shares.reduce((sum, { gross }) => sum + gross, 0);
  const fees = payment.feesBorneBy === 'payer' ? [{ account: payers, fees: payment.fees }] : [];
  const borne = [
    ...fees,
    ...shares.map((share) => ({ account: ACCOUNTS.merchant(share.merchantId), fees: share.fees })),
  ];
  return [
    ...shares.map(({ merchantId, gross }): Transfer => [payers, ACCOUNTS.merchant(merchantId), gross]),
    // What the shares leave over belongs to nobody that is known.
    [payers, ACCOUNTS.suspense, payment.amount - shared],
    ...borne.flatMap(({ account, fees }) =>
      FEE_KINDS.map((kind): Transfer => [account, ACCOUNTS.fees[kind], fees[kind]]),
    ),
  ];
}

/** What is taken for a payout is on its way until its credits are paid; what fails or comes back goes where it was taken from. */
function payoutEntries(payout: Payout): Entry[] {
  const { merchantId, total, fees, credits } = payout;
  const debited = debitedBy(payout);
  const sum = credits.reduce((added, { amount }) => added + amount, 0);
  const accepted: Transfer[] = [
    [debited, ACCOUNTS.inTransit, sum],
    [debited, ACCOUNTS.suspense, total - sum],
    [ACCOUNTS.merchant(merchantId), ACCOUNTS.fees.payout, sumOfFees(fees)],
  ];
  const [start] = payout.history;
  const begun =
    start?.move === undefined
      ? []
      : [entryOf(payout, { event: 'payout.created', step: 'history[0]', at: start.at, move: start.move }, accepted)];
  return [...begun, ...credits.flatMap((credit, index) => creditEntries(payout, credit, index))];
}

function creditEntries(payout: Payout, credit: Payout['credits'][number], index: number): Entry[] {
  const debited = debitedBy(payout);
  const bank = ACCOUNTS.bank(credit.bankBICCode, credit.accountNumber);
  const ways = {
    Paid: ['payout.credit-paid', ACCOUNTS.inTransit, bank],
    Failed: ['payout.credit-failed', ACCOUNTS.inTransit, debited],
    Returned: ['payout.credit-returned', bank, debited],
  } as const;
  return credit.history.flatMap(({ to, at, move }, step) => {
    if (move === undefined || to === 'Processing') {
      return [];
    }
    const [event, debit, target] = ways[to];
    const place = `credits[${index}].history[${step}]`;
    return [entryOf(payout, { event, step: place, at, move }, [[debit, target, credit.amount]])];
  });
}

/** The account that a payout is taken from. */
export function debitedBy({ merchantId, debit, debitedFrom }: Payout): string {
  return debitedFrom === 'bank' ? ACCOUNTS.bank(debit.bankBICCode, debit.accountNumber) : ACCOUNTS.merchant(merchantId);
}

/**
 * What a merchant is owed goes to its bank by way of a transfer, and back again where the bank returns it. What it owes comes the
 * other way, or is put on its invoice.
 */
function settlementEntries(settlement: Settlement): Entry[] {
  const { history, merchantId, bank, totals } = settlement;
  const merchant = ACCOUNTS.merchant(merchantId);
  const account = ACCOUNTS.bank(bank.bankBICCode, bank.accountNumber);
  const transferred = totals?.transferred ?? 0;
  const ways = {
    InTransit: ['settlement.created', merchant, ACCOUNTS.inTransit, transferred],
    Paid: ['settlement.paid', ACCOUNTS.inTransit, account, transferred],
    Returned: ['settlement.returned', account, merchant, transferred],
    Invoiced: ['settlement.invoiced', merchant, ACCOUNTS.receivables(merchantId), totals?.invoiced ?? 0],
  } as const;
  return history.flatMap(({ to, at, move }, index) => {
    if (move === undefined || to === 'CarriedOver') {
      return [];
    }
    const [event, ...transfer] = ways[to];
    const step = `history[${index}]`;
    return [entryOf(settlement, { event, step, at, move }, [transfer])];
  });
}

function entryOf(
  { id: recordId, environment, currency }: Pick<Payment, 'id' | 'environment' | 'currency'>,
  facts: Pick<Entry, 'event' | 'step' | 'at' | 'move'>,
  transfers: readonly Transfer[],
): Entry {
  return { id: entryId(facts.move), ...facts, recordId, environment, currency, postings: postingsOf(transfers) };
}

/** One posting for each account and side. An amount below 0 goes the other way. */
function postingsOf(transfers: readonly Transfer[]): Posting[] {
  const postings: Posting[] = [];
  const post = (account: string, side: Posting['side'], amount: MinorUnits) => {
    const known = postings.find((posting) => posting.account === account && posting.side === side);
    if (known) {
      known.amount += amount;
    } else if (amount !== 0) {
      postings.push({ account, side, amount });
    }
  };
  for (const [debit, credit, amount] of transfers) {
    post(amount < 0 ? credit : debit, 'debit', Math.abs(amount));
    post(amount < 0 ? debit : credit, 'credit', Math.abs(amount));
  }
  return postings;
}
