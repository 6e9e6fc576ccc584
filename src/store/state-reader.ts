import type { SessionHead } from '../shapes/records.ts';
import { damaged, expectFormat, expectRecord, expectShape } from './damage.ts';
import { linesOf } from './files.ts';
import type { KeptSession, State } from './state.ts';
import { RECORD_INDENT } from './state-text.ts';
import type { AnyRecord, CollectionName } from './store.ts';

/**
 * A state file cut in two: its records, each of a line of its own, and the rest of its text with running numbers in
 * their places. The rest is small, so it is parsed whole; a file that an editor laid out anew is all rest, and read too.
 */
interface CutFile {
  file: string;
  /** One entry per line of the file. */
  rest: string[];
  records: unknown[];
  /** The line of each record. */
  lines: number[];
}

/** Reads a state file. Null where there is none. Throws StoreError, naming file and line, where it is damaged. */
export async function readState(file: string): Promise<State | null> {
  const cut = cutFile(file);
  if (cut.rest.length === 0) {
    return null;
  }
  const outline = parseRest(cut);
  expectFormat(isObject(outline) ? outline['format'] : undefined, { file });
  const lists = takeLists(outline);
  await expectShape('state', outline, ({ path }) => ({ file, line: lineOfPath(path, cut.rest) }));
  const { lastCommit, sessions } = outline as { lastCommit: number; sessions: Record<string, { head: SessionHead }> };
  const found = new Map<string, KeptSession>(
    Object.entries(sessions).map(([name, { head }]) => [name, { name, head, collections: [] }]),
  );
  let next = 0;
  for (const { session, collection, items } of lists) {
    const records: AnyRecord[] = [];
    next = await fillList(cut, { session, collection, items }, records, next);
    found.get(session)?.collections.push({ name: collection, records });
  }
  if (next !== cut.records.length) {
    throw damaged({ file, line: cut.lines[next] }, 'a record stands outside a collection');
  }
  return { lastCommit, sessions: [...found.values()] };
}

function cutFile(file: string): CutFile {
  const cut: CutFile = { file, rest: [], records: [], lines: [] };
  for (const { text, number } of linesOf(file)) {
    const comma = text.endsWith('},');
    if (text.startsWith(`${RECORD_INDENT}{`) && (comma || text.endsWith('}'))) {
      cut.rest.push(comma ? `${cut.records.length},` : String(cut.records.length));
      cut.records.push(parseLine(comma ? text.slice(0, -1) : text, { file, line: number }));
      cut.lines.push(number);
    } else {
      cut.rest.push(text);
    }
  }
  return cut;
}

/** Throws StoreError where a line is not JSON. */
export function parseLine(text: string, place: { file: string; line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(place, `it is not JSON (${error instanceof Error ? error.message : error})`);
  }
}

function parseRest({ file, rest }: CutFile): unknown {
  try {
    return JSON.parse(rest.join('\n'));
  } catch {
    throw damaged({ file, line: lineOfSyntaxError(rest) }, 'it is not JSON');
  }
}

/** The first line with which the text is wrong, not merely unfinished. Not every message of the parser has a position. */
function lineOfSyntaxError(lines: readonly string[]): number {
  let right = 0;
  let wrong = lines.length;
  while (wrong - right > 1) {
    const middle = (right + wrong) >>> 1;
    if (isUnfinished(lines.slice(0, middle).join('\n'))) {
      right = middle;
    } else {
      wrong = middle;
    }
  }
  return wrong;
}

function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(message)?.[1];
    return position === undefined ? message.includes('Unexpected end') : Number(position) >= text.length;
  }
}

interface List {
  session: string;
  collection: CollectionName;
  items: unknown[];
}

/** Takes the records' arrays out of the outline, leaving empty ones, in the order of the file. */
function takeLists(outline: unknown): List[] {
  const lists: List[] = [];
  const sessions = isObject(outline) && isObject(outline['sessions']) ? outline['sessions'] : {};
  for (const [session, kept] of Object.entries(sessions)) {
    for (const [collection, items] of isObject(kept) ? Object.entries(kept) : []) {
      if (isObject(kept) && Array.isArray(items)) {
        lists.push({ session, collection: collection as CollectionName, items });
        kept[collection] = [];
      }
    }
  }
  return lists;
}

/** Puts a collection's records, checked, in place of their numbers. Returns the number of the record to come next. */
async function fillList(cut: CutFile, list: List, records: AnyRecord[], first: number): Promise<number> {
  const { session, collection, items } = list;
  const ids = new Set<string>();
  const begin = lineOfPath(`$.sessions.${session}.${collection}`, cut.rest);
  let next = first;
  for (const [index, item] of items.entries()) {
    const ownLine = item === next && next < cut.records.length;
    const record = ownLine ? cut.records[next] : item;
    const place = { file: cut.file, line: ownLine ? cut.lines[next] : begin };
    next += ownLine ? 1 : 0;
    await expectRecord(collection, record, place);
    const { id } = record as AnyRecord;
    if (ids.has(id)) {
      throw damaged(place, `record ${index + 1} of ${collection} has the id ${id} again`);
    }
    ids.add(id);
    records.push(record as AnyRecord);
  }
  return next;
}

/** The line on which a path like `$.sessions.default.head` stands, as far as it can be followed. */
function lineOfPath(path: string, lines: readonly string[]): number {
  let line = 0;
  for (const [, name] of path.matchAll(/[.]([\w$-]+)/g)) {
    const found = lines.findIndex((text, index) => index >= line && text.includes(`"${name}":`));
    if (found < 0) {
      break;
    }
    line = found;
  }
  return line + 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
