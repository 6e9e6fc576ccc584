import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import { checkBooks } from '../ledger/check.ts';
import type { Difference } from '../ledger/difference.ts';
import { BOOKED_COLLECTIONS, type BookedCollection } from '../ledger/entries.ts';
import { checkReferences } from './references.ts';
import { checkSense } from './sense.ts';

/**
 * Where records that fit their schemas contradict each other, themselves or the books. Whoever takes a state that this sandbox may
 * not have written asks this first: with what passes, a session can go on. Looks at no more than there is.
 */
export async function checkRestored(snapshot: SessionSnapshot, fixtures: Fixtures): Promise<Finding[]> {
  return [
    ...checkReferences(snapshot, fixtures),
    ...checkSense(snapshot),
    ...checkNumbers(snapshot),
    ...(await checkLedger(snapshot)),
  ];
}

/** The counters of the collections that nothing is ever removed from, whose records are looked for by their numbers. */
const COUNTERS: Record<BookedCollection, string> = {
  payments: 'payment',
  payouts: 'payout',
  settlements: 'settlement',
};

function checkNumbers({ state, ...collections }: SessionSnapshot): Finding[] {
  return BOOKED_COLLECTIONS.flatMap((collection) => {
    const records = collections[collection]?.length ?? 0;
    const last = state.counters[COUNTERS[collection]] ?? 0;
    const expected = `${records}, as there are ${records} ${collection} and none is ever removed`;
    const path = `$.state.counters.${COUNTERS[collection]}`;
    const beyond = (collections.settlements ?? []).flatMap((settlement, index) => {
      const number = settlement.last?.[collection] ?? 0;
      const place = `$.settlements[${index}].last.${collection}`;
      return number <= records ? [] : [errorFinding(place, `at most ${records}`, String(number))];
    });
    return last === records ? beyond : [errorFinding(path, expected, String(last)), ...beyond];
  });
}

/** What the check of the ledger finds, at the places of the records that it is about. */
async function checkLedger({ state, ...collections }: SessionSnapshot): Promise<Finding[]> {
  const list = (async (collection: BookedCollection, { limit, after = 0 }: { limit: number; after?: number }) => {
    const records = collections[collection] ?? [];
    const end = after + limit;
    return { items: records.slice(after, end), nextCursor: end < records.length ? end : null };
  }) as Reader['list'];
  const { differences, more } = await checkBooks({ list }, state.counters['move'] ?? 0);
  const places = new Map(
    BOOKED_COLLECTIONS.flatMap((collection) =>
      (collections[collection] ?? []).map(({ id }, index) => [id, `$.${collection}[${index}]`] as const),
    ),
  );
  const findings = differences.map((difference) => findingOf(difference, places));
  return more > 0 ? [...findings, errorFinding('$', 'books that agree', `${more} more differences`)] : findings;
}

/** A subject ends with the id of its record: `credit 1 of payout-3`. Of a move that has none the counter may be wrong. */
function findingOf({ subject, expected, found }: Difference, places: ReadonlyMap<string, string>): Finding {
  const place = places.get(subject.slice(subject.lastIndexOf(' ') + 1));
  const path = place ?? (subject.startsWith('move ') ? '$.state.counters.move' : '$');
  return errorFinding(path, `${expected} (${subject})`, found);
}
