import { newTurnPause } from '../../../../base/timers.ts';
import type { Reader } from '../../../sessions/reader.ts';
import type { IndexedField } from '../../../store/store.ts';
import { entriesOf, type LedgerEntry } from './ledger-entries.ts';
import { BOOKED_COLLECTIONS, type BookedCollection, type BookedRecords } from './record-movements.ts';

const PAGE_SIZE = 200;

/** A record that can move money, with its collection. */
export type AnyBookedRecord = {
  [Name in BookedCollection]: { collection: Name; record: BookedRecords[Name] };
}[BookedCollection];

/** Visits the records by collection, oldest first. Yields to other work at intervals, because there may be a million. */
export async function walkRecords(
  reader: Pick<Reader, 'list'>,
  visit: (booked: AnyBookedRecord) => void,
  collections: readonly BookedCollection[] = BOOKED_COLLECTIONS,
): Promise<void> {
  const pause = newTurnPause();
  for (const collection of collections) {
    let after: number | undefined;
    do {
      const page = await reader.list(collection, {
        limit: PAGE_SIZE,
        ...(after === undefined ? {} : { after }),
      });
      for (const record of page.items) {
        visit({ collection, record } as AnyBookedRecord);
        await pause();
      }
      after = page.nextCursor ?? undefined;
    } while (after !== undefined);
  }
}

/** The fields of a record that contain the numbers of its moves. The moves of adjustments are also in the history. */
const MOVE_FIELDS: { [Name in BookedCollection]: readonly IndexedField<Name>[] } = {
  payments: ['history.move'],
  payouts: ['history.move', 'credits.history.move'],
  settlements: ['history.move'],
};

function entryOfMove(reader: Pick<Reader, 'find'>, move: number): LedgerEntry | undefined {
  for (const collection of BOOKED_COLLECTIONS) {
    for (const field of MOVE_FIELDS[collection]) {
      const [record] = reader.find(collection, field, String(move));
      if (record) {
        return entriesOf(collection, record).find((entry) => entry.move === move);
      }
    }
  }
  return undefined;
}

/** The entries of a range of moves, oldest first unless `newestFirst`. */
export async function* entriesBetween(
  reader: Pick<Reader, 'find'>,
  { from, to, newestFirst = false }: { from: number; to: number; newestFirst?: boolean },
): AsyncGenerator<LedgerEntry, void> {
  const pause = newTurnPause();
  for (let count = 0; count <= to - from; count += 1) {
    const entry = entryOfMove(reader, newestFirst ? to - count : from + count);
    if (entry) {
      yield entry;
    }
    await pause();
  }
}
