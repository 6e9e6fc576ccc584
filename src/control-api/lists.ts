import { Refusal } from '../refusal.ts';
import type { CollectionName, Records } from '../store/store.ts';
import type { ControlCall } from './operation.ts';
import type { View } from './views.ts';

const MOST = 1000;
const USUAL = 50;

/** A page of a list. Source: design, "Control API". */
export interface ListAnswer {
  items: View[];
  nextCursor: string | null;
}

/**
 * A page of a collection: `limit` (50, at most 1,000), `cursor`, `order` (newest or oldest first), and filters by the names of
 * what the view shows. Throws `invalid-field` for anything else in the query.
 */
export async function listRecords<C extends CollectionName>(
  { session, query }: ControlCall<never>,
  collection: C,
  filters: readonly string[],
  view: (record: Records[C]) => View,
): Promise<ListAnswer> {
  const { limit, cursor, newestFirst, wanted } = readQuery(query, filters);
  const options = {
    limit,
    newestFirst,
    ...(cursor === undefined ? {} : { after: cursor }),
    where: (record: Records[C]) => wanted.every(([name, value]) => String(Reflect.get(record, name)) === value),
  };
  const { items, nextCursor } = await session.read((reader) => reader.list(collection, options));
  return { items: items.map(view), nextCursor };
}

/** The same for what is kept in memory alone, oldest first, with ids that end in a running number. */
export function listEntries<Entry extends { id: string }>(
  { query }: ControlCall<never>,
  entries: readonly Entry[],
  filters: readonly string[],
  view: (entry: Entry) => View,
  usualOrder: 'newest' | 'oldest' = 'newest',
): ListAnswer {
  const { limit, cursor, newestFirst, wanted } = readQuery({ order: usualOrder, ...query }, filters);
  const ordered = newestFirst ? entries.toReversed() : entries;
  const start = cursor === undefined ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
  const matching = ordered
    .slice(start)
    .filter((entry) => wanted.every(([name, value]) => String(Reflect.get(entry, name)) === value));
  const page = matching.slice(0, limit);
  return { items: page.map(view), nextCursor: matching.length > limit ? (page.at(-1)?.id ?? null) : null };
}

function readQuery(query: Readonly<Record<string, string>>, filters: readonly string[]) {
  const { limit = String(USUAL), cursor, order = 'newest', ...wanted } = query;
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST) {
    throw new Refusal('invalid-field', `limit must be a whole number from 1 to ${MOST}, not ${JSON.stringify(limit)}`);
  }
  if (order !== 'newest' && order !== 'oldest') {
    throw new Refusal('invalid-field', `order must be newest or oldest, not ${JSON.stringify(order)}`);
  }
  const unknown = Object.keys(wanted).find((name) => !filters.includes(name));
  if (unknown !== undefined) {
    const known = ['limit', 'cursor', 'order', ...filters].join(', ');
    throw new Refusal('invalid-field', `${JSON.stringify(unknown)} is no filter of this list; there are ${known}`);
  }
  return { limit: count, cursor, newestFirst: order === 'newest', wanted: Object.entries(wanted) };
}
