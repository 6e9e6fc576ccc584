import type { Settlement } from '../../../../base/schema/generated/records.ts';
import { newTurnPause } from '../../../../base/timers.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { idOf, numberIn } from '../../../store/record-numbers.ts';
import type { IndexedField } from '../../../store/store.ts';
import { BOOKED_COLLECTIONS, type BookedCollection, type BookedRecords } from '../ledger/record-movements.ts';
import { isInSettlement, linesOfRecord, type SettlementLine } from '../ledger/settlement-lines.ts';

/**
 * The lines of a settlement, sorted by moves; none if `last` is null, as in an open one. Reads only the merchant's records, from the
 * first with moves in the settlement to the newest, so that the cost does not depend on earlier records or on other merchants.
 */
export async function readLines(settlement: Settlement, reader: Pick<Reader, 'find'>): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  const pause = newTurnPause();
  for (const collection of BOOKED_COLLECTIONS) {
    const lastNumber = settlement.last?.[collection] ?? 0;
    for (const record of recordsOf(collection, settlement, reader)) {
      if (numberIn(collection, record.id) <= lastNumber) {
        lines.push(...linesOfRecord(collection, record).filter((line) => isInSettlement(settlement, line)));
      }
      await pause();
    }
  }
  return lines.sort((one, other) => one.move - other.move);
}

/** The numbers of the newest records, from the counters: no later record can have moves in a settlement that is closed now. */
export function lastNumbers(lastOf: (counter: string) => number): NonNullable<Settlement['last']> {
  return { payments: lastOf('payment'), payouts: lastOf('payout'), settlements: lastOf('settlement') };
}

/** The fields that name other merchants on whose accounts a record moves money. */
const OTHER_MERCHANT_FIELDS: { [Name in BookedCollection]: readonly IndexedField<Name>[] } = {
  payments: ['shares.merchantId'],
  payouts: [],
  settlements: [],
};

function recordsOf<Name extends BookedCollection>(
  collection: Name,
  { merchantId, first }: Settlement,
  reader: Pick<Reader, 'find'>,
): BookedRecords[Name][] {
  const from = first[collection];
  if (from === undefined) {
    return [];
  }
  const range = { from: idOf(collection, from) };
  const find = (field: IndexedField<Name>) => reader.find(collection, field, merchantId, range);
  const others = OTHER_MERCHANT_FIELDS[collection].flatMap(find);
  return find('merchantId').concat(others.filter((record) => record.merchantId !== merchantId));
}
