import { schemaMembers } from '../../base/schema/references.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Command, type Shown, UsageError } from './command.ts';
import { textOfRecord } from './record-text.ts';
import { cellOf, tableOf } from './show.ts';
import { suggestFilters, suggestRecords } from './suggestion.ts';

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
    async run(client, words) {
      const [id] = words;
      if (hasOne && id !== undefined && !id.includes('=')) {
        return showOne(client, { path, pageOf }, words);
      }
      const { items, nextCursor } = await client.list<object>(path, readFilters(words));
      const table = tableOf(items.map(rowOf), columns);
      return { data: items, text: `${table.text}${moreAfter(nextCursor)}` };
    },
  };
}

async function showOne(
  client: SandboxClient,
  { path, pageOf }: Required<Pick<List, 'path' | 'pageOf'>>,
  [id = '', ...others]: readonly string[],
): Promise<Shown> {
  if (others.length > 0) {
    throw new UsageError(`${id} names one record; leave out ${others.join(' ')}`);
  }
  const record = await client.call<object>('GET', `/${path}/${encodeURIComponent(id)}`);
  return { data: record, text: textOfRecord(pageOf(record)) };
}

/** What to add to see the rest of a list. */
export function moreAfter(nextCursor: string | null): string {
  return nextCursor === null
    ? ''
    : `\nThere are more: add limit=1000, or cursor=${cellOf(nextCursor)} for the next page.`;
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
