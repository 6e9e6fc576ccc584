import { readdirSync } from 'node:fs';
import { PACKAGE_ROOT } from '../base/package.ts';
import { schemaMembers } from '../base/schema/references.ts';
import type { SandboxClient } from '../client/client.ts';

/** A completion of the word at the cursor. After one that ends with `=`, the user continues without a space. */
export interface Suggestion {
  word: string;
  help?: string;
}

/** Completions of a word: a list, or `files` if the shell is to complete a path. */
export type Suggestions = readonly Suggestion[] | 'files';

/** Returns completions of the argument after `args`; some need the running sandbox. */
export type SuggestionSource = (
  client: SandboxClient,
  args: readonly string[],
  current: string,
) => Promise<readonly Suggestion[]> | readonly Suggestion[];

/** Only the newest records are suggested. */
const MAX_RECORDS = '100';

export function listWords(...words: readonly string[]): Suggestion[] {
  return words.map((word) => ({ word }));
}

/** The records of a list, by their ids and the merchant's references. */
export async function suggestRecords(
  client: SandboxClient,
  path: string,
  filters: Record<string, string> = {},
): Promise<Suggestion[]> {
  const { items } = await client.list(path, { limit: MAX_RECORDS, ...filters });
  return items.flatMap((item) => {
    const { id, state, amount, total, currency, payerReference, reference = payerReference } = item;
    const facts = [state, amount ?? total, currency];
    return [
      ...(typeof reference === 'string' ? [{ word: reference, help: joinFacts(id, ...facts) }] : []),
      { word: id, help: joinFacts(reference, ...facts) },
    ];
  });
}

function joinFacts(...facts: readonly unknown[]): string {
  return facts.filter((fact) => typeof fact === 'string').join(' ');
}

/** The filters of a list, and the values of the one that is being typed. */
export function suggestFilters(query: string, current: string): Suggestion[] {
  const filters = Object.entries(schemaMembers(query)).filter(([name]) => name !== 'cursor');
  return filters.flatMap(([name, { enum: words, description }]) =>
    words !== undefined && current.startsWith(`${name}=`)
      ? listWords(...(words as unknown[]).flatMap((word) => (typeof word === 'string' ? [`${name}=${word}`] : [])))
      : [{ word: `${name}=`, ...(typeof description === 'string' ? { help: description } : {}) }],
  );
}

export async function suggestSessions(client: SandboxClient): Promise<Suggestion[]> {
  const { items } = await client.list<{ name: string; scenario: string }>('sessions', { limit: MAX_RECORDS });
  return items.map(({ name, scenario }) => ({ word: name, help: scenario }));
}

/** The shipped scenarios or behaviours, for `start`, which has no sandbox to ask yet. */
export function suggestShipped(kind: 'scenarios' | 'behaviours'): Suggestion[] {
  return listWords(...readdirSync(`${PACKAGE_ROOT}fixtures/${kind}`).map((file) => file.replace(/\.json$/, '')));
}
