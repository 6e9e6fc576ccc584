import { foreignCursor } from '../cursor.ts';
import type { PageQuery } from '../schema/control.ts';
import type { Records } from '../store/store.ts';
import type { SessionCall } from './operation.ts';
import { SEARCHED, type SearchedCollection, searchFor, type Texts } from './search.ts';

/** Items on a page where no limit is asked for. */
export const USUAL_LIMIT = 50;

/** A page of a list. Source: design, "Control API". */
export interface List<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** What every list of records may be asked; further members of a query are filters by the names of what the view shows. */
type RecordsQuery = PageQuery & { order?: 'newest' | 'oldest'; search?: string };

/** A page of a collection. */
export async function listRecords<C extends SearchedCollection, Item>(
  { session, query }: SessionCall<undefined, RecordsQuery>,
  collection: C,
  view: (record: Records[C]) => Item,
): Promise<List<Item>> {
  const { limit = USUAL_LIMIT, cursor, order, search, ...filters } = query;
  const textsOf: (record: Records[C]) => Texts = SEARCHED[collection];
  const isFound = search === undefined ? undefined : searchFor(search);
  const options = {
    limit,
    newestFirst: order !== 'oldest',
    ...(cursor === undefined ? {} : { after: cursor }),
    where: (record: Records[C]) => fits(record, filters) && (isFound?.(textsOf(record)) ?? true),
  };
  const { items, nextCursor } = await session.read((reader) => reader.list(collection, options));
  return { items: items.map(view), nextCursor };
}

/** The same for what is kept in memory alone, oldest first. */
export function listEntries<Entry extends { id: string }>(
  entries: readonly Entry[],
  { order, limit, cursor, search, ...filters }: RecordsQuery,
  textsOf: (entry: Entry) => Texts = () => [],
): List<Entry> {
  const isFound = search === undefined ? undefined : searchFor(search);
  const fitting = entries.filter((entry) => fits(entry, filters) && (isFound?.(textsOf(entry)) ?? true));
  return pageOf(order === 'oldest' ? fitting : fitting.reverse(), { limit, cursor }, ({ id }) => id);
}

/** A page of things that are all at hand, in the order that they have. */
export function pageOf<Item>(
  all: readonly Item[],
  { limit = USUAL_LIMIT, cursor }: { [Member in keyof PageQuery]: PageQuery[Member] | undefined },
  keyOf: (item: Item) => string,
): List<Item> {
  const start = cursor === undefined ? 0 : all.findIndex((item) => keyOf(item) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw foreignCursor(cursor);
  }
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && start + limit < all.length ? keyOf(last) : null };
}

/** Filters are for people, too: in any case. */
export function fits(record: object, filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(record, name)).toLowerCase() === String(value).toLowerCase(),
  );
}
