import { filterInTurns, mapInTurns } from '../../base/run-in-turns.ts';
import type { PageQuery } from '../../base/schema/generated/control.ts';
import { newTurnPause } from '../../base/timers.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Records } from '../store/store.ts';
import type { SessionCall } from './control-operation.ts';
import { cursorAt, keyInCursor, numberInCursor } from './cursor.ts';
import { matcherFor, SEARCHED_TEXTS, type SearchedCollection, type Texts } from './search.ts';

/** Items on a page of a call without a limit. */
export const DEFAULT_LIMIT = 50;
/** Number of items that are sorted at once. */
const CHUNK_LENGTH = 1000;

/** Source: ours. */
export interface ItemPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The query of every list of records; its other members are filters by members of the record. */
type RecordsQuery = PageQuery & { order?: 'newest' | 'oldest'; search?: string };

export async function listRecords<C extends SearchedCollection, Item>(
  { session, query }: SessionCall<undefined, RecordsQuery>,
  collection: C,
  view: (record: Records[C], reader: Reader) => Item | Promise<Item>,
): Promise<ItemPage<Item>> {
  const { limit = DEFAULT_LIMIT, cursor, order, search, ...filters } = query;
  const textsOf: (record: Records[C]) => Texts = SEARCHED_TEXTS[collection];
  const matchesSearch = search === undefined ? undefined : matcherFor(search);
  const options = {
    limit,
    newestFirst: order !== 'oldest',
    ...(cursor === undefined ? {} : { after: numberInCursor(collection, cursor) }),
    where: (record: Records[C]) => matchesFilters(record, filters) && (matchesSearch?.(textsOf(record)) ?? true),
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

/** A page of a list that is only in memory. */
export async function listEntries<Entry extends object>(
  listOrder: ListOrder<NoInfer<Entry>>,
  entries: readonly Entry[],
  { search, order, limit, cursor, ...filters }: RecordsQuery,
  textsOf: (entry: Entry) => Texts = () => [],
): Promise<ItemPage<Entry>> {
  const matchesSearch = search === undefined ? undefined : matcherFor(search);
  const matching = await filterInTurns(
    entries,
    (entry) => matchesFilters(entry, filters) && (matchesSearch?.(textsOf(entry)) ?? true),
  );
  return pageOf(listOrder, matching, { limit, cursor }, order !== 'oldest');
}

/** A page of these items, in the order of their keys or, with `lastFirst`, in reverse order. */
export async function pageOf<Item>(
  { name, keyOf }: ListOrder<NoInfer<Item>>,
  list: readonly Item[],
  { limit = DEFAULT_LIMIT, cursor }: { [Member in keyof PageQuery]: PageQuery[Member] | undefined },
  lastFirst = false,
): Promise<ItemPage<Item>> {
  const afterKey = cursor === undefined ? undefined : keyInCursor(name, cursor);
  const isBefore = (one: string, other: string) => (lastFirst ? one > other : one < other);
  const pause = newTurnPause();
  let firstItems: { item: Item; key: string }[] = [];
  // In chunks, because sorting all items at once could block the event loop.
  for (let start = 0; start < list.length; start += CHUNK_LENGTH) {
    const chunk = list.slice(start, start + CHUNK_LENGTH).map((item) => ({ item, key: keyOf(item) }));
    firstItems = [...firstItems, ...chunk.filter(({ key }) => afterKey === undefined || isBefore(afterKey, key))]
      .sort((one, other) => (isBefore(one.key, other.key) ? -1 : 1))
      .slice(0, limit + 1);
    await pause();
  }
  const items = firstItems.slice(0, limit);
  const lastItem = items.at(-1);
  const nextCursor = lastItem !== undefined && firstItems.length > limit ? cursorAt(name, lastItem.key) : null;
  return { items: items.map(({ item }) => item), nextCursor };
}

/** Ignores the letter case, because people type filters, too. */
export function matchesFilters(record: object, filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(record, name)).toLowerCase() === String(value).toLowerCase(),
  );
}
