import { filterInTurns, mapInTurns } from '../../base/run-in-turns.ts';
import type { PageQuery } from '../../base/schema/generated/control.ts';
import { newTurnPause } from '../../base/timers.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Records } from '../store/store.ts';
import type { SessionCall } from './control-operation.ts';
import { cursorAt, keyIn, numberIn } from './cursor.ts';
import { SEARCHED_TEXTS, type SearchedCollection, searchFor, type Texts } from './search.ts';

/** Items on a page where no limit is asked for. */
export const DEFAULT_LIMIT = 50;
/** Items that are put in order at once. */
const ITEMS_AT_ONCE = 1000;

/** A page of a list. Source: design, "Control API". */
export interface List<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The query of every list of records; its further members are filters by the view's members. */
type RecordsQuery = PageQuery & { order?: 'newest' | 'oldest'; search?: string };

/** A page of a collection. */
export async function listRecords<C extends SearchedCollection, Item>(
  { session, query }: SessionCall<undefined, RecordsQuery>,
  collection: C,
  view: (record: Records[C], reader: Reader) => Item | Promise<Item>,
): Promise<List<Item>> {
  const { limit = DEFAULT_LIMIT, cursor, order, search, ...filters } = query;
  const textsOf: (record: Records[C]) => Texts = SEARCHED_TEXTS[collection];
  const isFound = search === undefined ? undefined : searchFor(search);
  const options = {
    limit,
    newestFirst: order !== 'oldest',
    ...(cursor === undefined ? {} : { after: numberIn(collection, cursor) }),
    where: (record: Records[C]) => matchesFilters(record, filters) && (isFound?.(textsOf(record)) ?? true),
  };
  const { items, nextCursor } = await session.read(async (reader) => {
    const page = await reader.list(collection, options);
    return { ...page, items: await mapInTurns(page.items, (record) => view(record, reader)) };
  });
  return { items, nextCursor: nextCursor === null ? null : cursorAt(collection, String(nextCursor)) };
}

/** The name and order of a list in memory. Keys must be unique and must not change. */
export interface ListOrder<Item> {
  name: string;
  keyOf(item: Item): string;
}

/** The same for a list that is only in memory. */
export async function listEntries<Entry extends object>(
  by: ListOrder<NoInfer<Entry>>,
  entries: readonly Entry[],
  { search, order, limit, cursor, ...filters }: RecordsQuery,
  textsOf: (entry: Entry) => Texts = () => [],
): Promise<List<Entry>> {
  const isFound = search === undefined ? undefined : searchFor(search);
  const fitting = await filterInTurns(
    entries,
    (entry) => matchesFilters(entry, filters) && (isFound?.(textsOf(entry)) ?? true),
  );
  return pageOf(by, fitting, { limit, cursor }, order !== 'oldest');
}

/** A page of things that are all at hand, by their keys; the last ones first where that is asked for. */
export async function pageOf<Item>(
  { name, keyOf }: ListOrder<NoInfer<Item>>,
  all: readonly Item[],
  { limit = DEFAULT_LIMIT, cursor }: { [Member in keyof PageQuery]: PageQuery[Member] | undefined },
  lastFirst = false,
): Promise<List<Item>> {
  const after = cursor === undefined ? undefined : keyIn(name, cursor);
  const isBefore = (one: string, other: string) => (lastFirst ? one > other : one < other);
  const pause = newTurnPause();
  let first: { item: Item; key: string }[] = [];
  // Sorting all of them could be a long turn.
  for (let from = 0; from < all.length; from += ITEMS_AT_ONCE) {
    const some = all.slice(from, from + ITEMS_AT_ONCE).map((item) => ({ item, key: keyOf(item) }));
    first = [...first, ...some.filter(({ key }) => after === undefined || isBefore(after, key))]
      .sort((one, other) => (isBefore(one.key, other.key) ? -1 : 1))
      .slice(0, limit + 1);
    await pause();
  }
  const items = first.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = last !== undefined && first.length > limit ? cursorAt(name, last.key) : null;
  return { items: items.map(({ item }) => item), nextCursor };
}

/** Filters are for people, too: in any case. */
export function matchesFilters(record: object, filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(record, name)).toLowerCase() === String(value).toLowerCase(),
  );
}
