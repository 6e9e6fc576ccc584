import type { Settlement } from '../../base/schema/records.ts';
import { endOfTurn } from '../../base/timers.ts';
import type { Reader } from '../../sessions/reader.ts';
import { idOf, numberIn } from '../../store/record-numbers.ts';
import type { IndexedField } from '../../store/store.ts';
import { BOOKED_COLLECTIONS, type BookedCollection, type BookedRecords } from '../ledger/entries.ts';
import { isIn, type Line, linesOfRecord } from '../ledger/lines.ts';

/** So many records are looked at in one turn of the event loop. */
const RECORDS_PER_TURN = 200;

/**
 * The lines of a settlement in the order of their moves. They follow from the merchant's records between the first and the last that
 * may have moves in it, so that a day costs no more than what the merchant did on it, however long the books are and whoever else is
 * in them.
 */
export async function linesOf(settlement: Settlement, reader: Pick<Reader, 'find'>): Promise<Line[]> {
  const lines: Line[] = [];
  for (const collection of BOOKED_COLLECTIONS) {
    const records = await recordsOf(collection, settlement, reader);
    for (const [index, record] of records.entries()) {
      lines.push(...linesOfRecord(collection, record).filter((line) => isIn(settlement, line)));
      if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) {
        await endOfTurn();
      }
    }
  }
  return lines.sort((one, other) => one.move - other.move);
}

/** The numbers of the records that were made last, by what counters gave out last: none after them may have moves in what is closed now. */
export function lastNumbers(lastOf: (counter: string) => number): NonNullable<Settlement['last']> {
  return { payments: lastOf('payment'), payouts: lastOf('payout'), settlements: lastOf('settlement') };
}

/** Where a record names the merchants whose accounts it moves. */
const FIELDS: { [Name in BookedCollection]: readonly IndexedField<Name>[] } = {
  payments: ['merchantId', 'shares.merchantId'],
  payouts: ['merchantId'],
  settlements: ['merchantId'],
};

/** The records that may move the account of the settlement's merchant. */
async function recordsOf<Name extends BookedCollection>(
  collection: Name,
  { merchantId, first, last }: Settlement,
  reader: Pick<Reader, 'find'>,
): Promise<BookedRecords[Name][]> {
  const [from, to] = [first[collection], last?.[collection] ?? 0];
  if (from === undefined) {
    return [];
  }
  const range = { from: idOf(collection, from) };
  const found = await Promise.all(FIELDS[collection].map((field) => reader.find(collection, field, merchantId, range)));
  const records = new Map(found.flat().map((record) => [record.id, record]));
  return [...records.values()].filter((record) => numberIn(collection, record.id) <= to);
}
