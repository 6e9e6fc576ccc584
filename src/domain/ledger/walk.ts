import { endOfTurn } from '../../base/timers.ts';
import type { Reader } from '../../sessions/reader.ts';
import { BOOKED_COLLECTIONS, type BookedCollection, type BookedRecords, type Entry, entriesOf } from './entries.ts';

/** So many records are looked at in one turn of the event loop: a few milliseconds. */
const RECORDS_PER_TURN = 200;

/** A record that moves money, and where it is kept. */
export type Booked = {
  [Name in BookedCollection]: { collection: Name; record: BookedRecords[Name] };
}[BookedCollection];

/** Shows each record that moves money, in order of creation. Lets other work through now and then: there may be a million. */
export async function walkRecords(
  reader: Pick<Reader, 'list'>,
  visit: (booked: Booked) => void,
  collections: readonly BookedCollection[] = BOOKED_COLLECTIONS,
): Promise<void> {
  for (const collection of collections) {
    let after: number | undefined;
    do {
      const page = await reader.list(collection, {
        limit: RECORDS_PER_TURN,
        ...(after === undefined ? {} : { after }),
      });
      for (const record of page.items) {
        visit({ collection, record } as Booked);
      }
      after = page.nextCursor ?? undefined;
      await endOfTurn();
    } while (after !== undefined);
  }
}

/**
 * Shows each entry up to a move, record by record. What is in the books stays there: whatever is added meanwhile has a later
 * number, so that all of it is seen as of one moment.
 */
export function walkEntries(
  reader: Pick<Reader, 'list'>,
  lastMove: number,
  visit: (entry: Entry) => void,
): Promise<void> {
  return walkRecords(reader, ({ collection, record }) => {
    for (const entry of entriesOf(collection, record)) {
      if (entry.move <= lastMove) {
        visit(entry);
      }
    }
  });
}
