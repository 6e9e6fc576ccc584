import type { Settlement } from '../../base/schema/records.ts';
import { endOfTurn } from '../../base/timers.ts';
import type { Reader } from '../../sessions/reader.ts';
import { idOf } from '../../store/record-numbers.ts';
import { BOOKED_COLLECTIONS } from '../ledger/entries.ts';
import { isIn, type Line, linesOfRecord } from '../ledger/lines.ts';

/** So many records are looked at in one turn of the event loop. */
const RECORDS_PER_TURN = 200;

/**
 * The lines of a settlement in the order of their moves. They follow from the records between the first and the last that may
 * have moves in it, so that a day costs no more than the day's records, however long the books are.
 */
export async function linesOf(settlement: Settlement, reader: Pick<Reader, 'get'>): Promise<Line[]> {
  const lines: Line[] = [];
  for (const collection of BOOKED_COLLECTIONS) {
    const first = settlement.first[collection] ?? Number.POSITIVE_INFINITY;
    const last = settlement.last?.[collection] ?? 0;
    for (let number = first; number <= last; number += 1) {
      const record = await reader.get(collection, idOf(collection, number));
      if (record) {
        lines.push(...linesOfRecord(collection, record).filter((line) => isIn(settlement, line)));
      }
      if ((number - first) % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) {
        await endOfTurn();
      }
    }
  }
  return lines.sort((one, other) => one.move - other.move);
}
