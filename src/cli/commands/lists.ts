import type { Sentence, TimelineView } from '../../base/schema/generated/control.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import { guessOrList } from '../../base/text/nearest.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownList } from '../../client/shown.ts';
import { type Command, type CommandResult, type Options, UsageError } from '../../command/command.ts';
import { cellOf, tableOf } from '../../command/show.ts';
import { suggestFilters, suggestRecords } from '../../command/suggestion.ts';
import { textOfRecord } from './record-text.ts';
import { textOfSentence, textOfTimeline } from './timeline-text.ts';

const MAX_PAGE_SIZE = '1000';

interface List {
  name: string;
  help: string;
  /** The path in the control API, below /_sandbox. */
  path: string;
  /** The name of the schema of the filters. */
  query: string;
  columns: readonly string[];
  /** An item as a row of the table. Default: its members. */
  rowOf?(item: object): object;
  /** The members that are shown of a single record; default: all of them. */
  shownMembersOf?(record: object): object;
  /** Whether a single record can be shown, by its id or the merchant's reference. */
  canShowOne: boolean;
  /** Whether a single record is shown with its timeline. */
  hasTimeline?: boolean;
}

/** A command that lists records by filters, or shows a single one completely. */
export function listCommand(list: List): Command {
  const { name, help, path, query, canShowOne } = list;
  return {
    name,
    parameters: [canShowOne ? '[id-or-filter...]' : '[filter...]'],
    help,
    details: () => describeFilters(query),
    async suggest(client, args, current) {
      // An id is only accepted as the single argument.
      const records =
        canShowOne && args.length === 0 && !current.includes('=') ? await suggestRecords(client, path) : [];
      return [...records, ...suggestFilters(query, current)];
    },
    async run(client, words, options) {
      const [id] = words;
      if (canShowOne && id !== undefined && !id.includes('=')) {
        return showRecord(client, list, words);
      }
      const page = await fetchList<object>(client, path, parseFilters(words, query), options);
      return showList(page, tableOf(page.items.map(list.rowOf ?? ((item) => item)), list.columns));
    },
  };
}

async function showRecord(
  client: SandboxClient,
  { path, shownMembersOf = (record) => record, hasTimeline }: List,
  [id = '', ...others]: readonly string[],
): Promise<CommandResult> {
  if (others.length > 0) {
    throw new UsageError(`${id} names one record; leave out ${others.join(' ')}`);
  }
  const address = `/${path}/${encodeURIComponent(id)}`;
  if (!hasTimeline) {
    const record = await client.call<{ sentence?: Sentence }>('GET', address);
    const text = textOfRecord({ ...shownMembersOf(record), sentence: null });
    return { data: record, text: record.sentence ? `${text}\n\n${textOfSentence(record.sentence)}` : text };
  }
  const timeline = await client.call<TimelineView>('GET', `${address}/timeline`);
  const { record, ...rest } = timeline;
  // The timeline contains the same information.
  const members = { ...shownMembersOf(record), history: null, adjustments: null };
  return { data: { ...record, timeline: rest }, text: `${textOfRecord(members)}\n\n${textOfTimeline(timeline)}` };
}

/** Fetches one page of a list for people (the first, or that of a cursor), and all pages for programs unless they set a limit. */
export function fetchList<Item>(
  client: SandboxClient,
  path: string,
  filters: Record<string, string>,
  { json }: Options,
): Promise<ShownList<Item>> {
  return json === true && filters['limit'] === undefined
    ? listAll(client, path, filters)
    : client.list<Item>(path, filters);
}

/** Fetches all pages of a list, or those from the cursor on. */
export async function listAll<Item>(
  client: SandboxClient,
  path: string,
  filters: Record<string, string> = {},
): Promise<ShownList<Item>> {
  const all: Item[] = [];
  let pageFilters: Record<string, string> = filters;
  for (;;) {
    const { items, nextCursor } = await client.list<Item>(path, { ...pageFilters, limit: MAX_PAGE_SIZE });
    for (const item of items) {
      all.push(item);
    }
    // Otherwise a server that repeats its cursor would be asked forever.
    if (nextCursor === null || nextCursor === pageFilters['cursor']) {
      return { items: all, nextCursor };
    }
    pageFilters = { ...filters, cursor: nextCursor };
  }
}

/** A list with a hint on how to get the rest: below the table, or on standard error if the output is JSON. */
export function showList({ items, nextCursor }: ShownList<object>, table: Pick<CommandResult, 'text'>): CommandResult {
  if (nextCursor === null) {
    return { data: items, text: table.text };
  }
  const hint = `There are more: add limit=1000, or cursor=${cellOf(nextCursor)} for the next page.`;
  return { data: items, text: `${table.text}\n${hint}`, note: hint };
}

/** The filters of a list, from the schema that validates them; with their values, if these are fewer than ten. */
export function describeFilters(query: string): string {
  const filters = Object.entries(schemaMembers(query))
    .filter(([name]) => name !== 'cursor')
    .map(([name, { enum: values }]) => {
      const choices = ((values ?? []) as unknown[]).filter((word) => typeof word === 'string');
      return choices.length > 0 && choices.length < 10 ? `${name}=${choices.join('|')}` : name;
    })
    .join(', ');
  return `Filters (upper or lower case): ${filters}`;
}

/** Parses filters of the command line, such as `state=Paid`, in upper or lower case. Throws UsageError for a filter or value that the list lacks. */
export function parseFilters(words: readonly string[], query: string): Record<string, string> {
  const members = Object.entries(schemaMembers(query));
  const names = members.map(([name]) => name);
  return Object.fromEntries(
    words.map((word) => {
      const [typed = '', value] = word.split(/=(.*)/s);
      if (value === undefined || typed === '') {
        throw new UsageError(`write a filter as name=value, such as limit=10, not ${word}`);
      }
      const [name, schema] = members.find(([each]) => each.toLowerCase() === typed.toLowerCase()) ?? [];
      if (name === undefined) {
        throw new UsageError(`there is no filter ${typed}${guessOrList(typed, names)}`);
      }
      return [name, parseWord(name, value, schema?.['enum'])];
    }),
  );
}

/** The value in the spelling of the schema, if the schema lists the allowed words. */
function parseWord(name: string, value: string, allowed: readonly unknown[] | undefined): string {
  const choices = allowed?.filter((word) => typeof word === 'string');
  const word = choices?.find((each) => each.toLowerCase() === value.toLowerCase());
  if (choices !== undefined && word === undefined) {
    throw new UsageError(`${name} cannot be ${value}${guessOrList(value, choices)}`);
  }
  return word ?? value;
}
