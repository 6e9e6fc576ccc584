import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { Movement, Transfer } from './movement.ts';
import { type BookedCollection, type BookedRecords, movementsOf } from './record-movements.ts';
import { entryId } from './source-ids.ts';

export interface Posting {
  account: string;
  side: 'debit' | 'credit';
  /** Minor units, at least 1. */
  amount: MinorUnits;
}

/** A movement as an entry of the books: the sums of its debits and of its credits are equal. */
export interface LedgerEntry extends Pick<Movement, 'event' | 'step' | 'at' | 'move'> {
  /** entry-7 for move 7. */
  id: string;
  recordId: string;
  /** Books are kept by environment and currency. */
  environment: Payment['environment'];
  currency: string;
  postings: Posting[];
}

export type EntriesOf = <Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]) => LedgerEntry[];
export const entriesOf: EntriesOf = (collection, record) => {
  const { id: recordId, environment, currency } = record;
  return movementsOf(collection, record).map(({ event, step, at, move, transfers }) => ({
    id: entryId(move),
    event,
    step,
    at,
    move,
    recordId,
    environment,
    currency,
    postings: postingsOf(transfers()),
  }));
};

/** One posting for each account and side. */
function postingsOf(transfers: readonly Transfer[]): Posting[] {
  const postings: Posting[] = [];
  const post = (account: string, side: Posting['side'], amount: MinorUnits) => {
    const existing = postings.find((posting) => posting.account === account && posting.side === side);
    if (existing) {
      existing.amount += amount;
    } else {
      postings.push({ account, side, amount });
    }
  };
  for (const [debit, credit, amount] of transfers.filter(([, , amount]) => amount !== 0)) {
    post(amount < 0 ? credit : debit, 'debit', Math.abs(amount));
    post(amount < 0 ? debit : credit, 'credit', Math.abs(amount));
  }
  return postings;
}
