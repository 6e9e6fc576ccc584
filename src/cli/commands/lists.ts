import type { TimelineView } from '../../base/schema/control.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownList } from '../../client/shown.ts';
import { type Command, type Options, type Shown, UsageError } from '../../command/command.ts';
import { cellOf, tableOf } from '../../command/show.ts';
import { suggestFilters, suggestRecords } from '../../command/suggestion.ts';
import { textOfRecord } from './record-text.ts';
import { textOfTimeline } from './timeline-text.ts';

/** Items that a page has at most. */
const MOST_OF_PAGE = '1000';

interface List {
  name: string;
  help: string;
  /** Where the control API has it, below /_sandbox. */
  path: string;
  /** Schema of its filters. */
  query: string;
  columns: readonly string[];
  /** What the table shows of an item besides its members. */
  rowOf?(item: object): object;
  /** What the page of one says in place of its members; left out, those. */
  pageOf?(record: object): object;
  /** Whether one of them is found by what the merchant or the sandbox calls it. */
  hasOne: boolean;
  /** Whether one of them is shown with its timeline. */
  hasTimeline?: boolean;
}

/** A command that lists things by filters, or shows one of them whole. */
export function listCommand({
  name,
  help,
  path,
  query,
  columns,
  rowOf = (item) => item,
  pageOf = (record) => record,
  hasOne,
  hasTimeline = false,
}: List): Command {
  return {
    name,
    parameters: [hasOne ? '[id-or-filter...]' : '[filter...]'],
    help,
    details: () => filtersOf(query),
    async suggest(client, before, current) {
      // Whatever names one stands alone.
      const records = hasOne && before.length === 0 && !current.includes('=') ? await suggestRecords(client, path) : [];
      return [...records, ...suggestFilters(query, current)];
    },
    async run(client, words, options) {
      const [id] = words;
      if (hasOne && id !== undefined && !id.includes('=')) {
        return showOne(client, { path, pageOf, hasTimeline }, words);
      }
      const list = await listFor<object>(client, path, readFilters(words), options);
      return showList(list, tableOf(list.items.map(rowOf), columns));
    },
  };
}

async function showOne(
  client: SandboxClient,
  { path, pageOf, hasTimeline }: Required<Pick<List, 'path' | 'pageOf' | 'hasTimeline'>>,
  [id = '', ...others]: readonly string[],
): Promise<Shown> {
  if (others.length > 0) {
    throw new UsageError(`${id} names one record; leave out ${others.join(' ')}`);
  }
  const address = `/${path}/${encodeURIComponent(id)}`;
  if (!hasTimeline) {
    const record = await client.call<object>('GET', address);
    return { data: record, text: textOfRecord(pageOf(record)) };
  }
  const timeline = await client.call<TimelineView>('GET', `${address}/timeline`);
  const { record, ...rest } = timeline;
  // The timeline tells what these do.
  const page = { ...pageOf(record), history: null, adjustments: null };
  return { data: { ...record, timeline: rest }, text: `${textOfRecord(page)}\n\n${textOfTimeline(timeline)}` };
}

/** A list for people, who get its first page, or for a program, which gets all of it unless it sets a limit. */
export function listFor<Item>(
  client: SandboxClient,
  path: string,
  filters: Record<string, string>,
  { json }: Options,
): Promise<ShownList<Item>> {
  return json === true && filters['limit'] === undefined
    ? listAll(client, path, filters)
    : client.list<Item>(path, filters);
}

/** Every page of a list, from the cursor on if the filters have one. */
export async function listAll<Item>(
  client: SandboxClient,
  path: string,
  filters: Record<string, string> = {},
): Promise<ShownList<Item>> {
  const all: Item[] = [];
  let page: Record<string, string> = filters;
  for (;;) {
    const { items, nextCursor } = await client.list<Item>(path, { ...page, limit: MOST_OF_PAGE });
    for (const item of items) {
      all.push(item);
    }
    if (nextCursor === null) {
      return { items: all, nextCursor };
    }
    page = { ...filters, cursor: nextCursor };
  }
}

/** A list with how to get the rest of it: below the table, and on standard error where the output is JSON. */
export function showList({ items, nextCursor }: ShownList<object>, table: Pick<Shown, 'text'>): Shown {
  if (nextCursor === null) {
    return { data: items, text: table.text };
  }
  const note = `There are more: add limit=1000, or cursor=${cellOf(nextCursor)} for the next page.`;
  return { data: items, text: `${table.text}\n${note}`, note };
}

/** The filters of a list and their words, from the schema that checks them. */
export function filtersOf(query: string): string {
  const filters = Object.entries(schemaMembers(query))
    .filter(([name]) => name !== 'cursor')
    .map(([name, { enum: words }]) => {
      const known = ((words ?? []) as unknown[]).filter((word) => typeof word === 'string');
      return known.length > 0 && known.length < 6 ? `${name}=${known.join('|')}` : name;
    })
    .join(', ');
  return `Filters (upper or lower case): ${filters}`;
}

/** Filters as they stand on the command line, `state=Paid`. */
export function readFilters(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split(/=(.*)/s);
      if (value === undefined || name === '') {
        throw new UsageError(`write a filter as name=value, such as limit=10, not ${word}`);
      }
      return [name, value];
    }),
  );
}
