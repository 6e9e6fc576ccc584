import type { SessionState } from '../../schema/records.ts';
import { COLLECTIONS } from '../collections.ts';
import { MemberReader } from '../memory/member-reader.ts';
import { standsAt } from '../memory/stands-at.ts';
import { Table } from '../memory/table.ts';
import type { Tables } from '../memory/tables.ts';
import type { CollectionName } from '../store.ts';
import { corrupted, expectFormat, expectRecord, expectValid } from './corruption.ts';
import { linesOf, textOf } from './files.ts';
import { parseLine, parseLines } from './json-lines.ts';
import { lineOfPath, stepsOf } from './line-of-path.ts';
import type { JournalMark, State } from './state.ts';
import { StateChecksums } from './state-checksums.ts';
import { RECORD_INDENT } from './state-text.ts';

const MARKS: ReadonlySet<string> = new Set<JournalMark>(['none', 'open']);
const INDENTED = Buffer.from(`${RECORD_INDENT}{`);
const COMMA = ','.charCodeAt(0);
const BRACE = '}'.charCodeAt(0);

/** Records on lines of their own that follow each other. */
interface Run {
  /** Line of the first. */
  line: number;
  /** The collection that the line above names; undefined where it names none. */
  collection: CollectionName | undefined;
  /** Filled while the file is read: no record is held as an object. */
  table: Table;
  members: MemberReader;
}

/**
 * A state file cut in two: its records, run by run, and the rest of its text with each run's number in the run's place.
 * The rest is small, so it is parsed whole. A file that an editor laid out anew is all rest, and read as well.
 */
interface CutFile {
  file: string;
  /** One entry per line of the file. */
  rest: string[];
  runs: Run[];
  checksums: StateChecksums;
}

/** The rest, once its checksums fit, or it is known to fit its schema. */
interface Outline {
  lastCommit: number;
  sessions: { name: string; state: SessionState }[];
  edited?: true;
  checksums?: string[];
  journal?: JournalMark;
}

/** One collection of one session, as it stands in the rest: numbers of runs, or records. */
interface List {
  /** Which of the file's sessions. */
  session: number;
  collection: CollectionName;
  items: unknown[];
}

/** A list's records, in order: a run, or one record that does not stand on a line of its own. */
type Part = Run | { line: number; record: unknown };

/**
 * Reads a state file; its sessions go into the tables. Null where there is none. Throws StoreError, naming file and line, where
 * it is corrupted. Checksums that fit say that all is as it was written; only where they do not is it compared with its schemas.
 */
export async function readState(file: string, tables: Tables): Promise<State | null> {
  const cut = await cutFile(file);
  if (cut.rest.length === 0) {
    return null;
  }
  const outline = parseLines(cut.rest, file);
  expectFormat(isObject(outline) ? outline['format'] : undefined, { file });
  const lists = takeLists(outline);
  const { lastCommit, sessions, edited = false, checksums, journal = 'none' } = outline as Outline;
  const difference = cut.checksums.differenceFrom(Array.isArray(checksums) ? checksums : [], journal);
  if (difference || !MARKS.has(journal)) {
    await expectValid('state', outline, ({ path }) => ({ file, line: lineOfPath(stepsOf(path), cut.rest) }));
  }
  expectDistinct(sessions, cut);
  const parts = partsOf(lists, cut);
  if (difference && edited) {
    await checkRecords(lists, parts, file);
  } else if (difference) {
    // What is wrong with a record says more than that its line is another.
    const onLines = parts.map((ofList) => ofList.filter(isRun));
    await checkRecords(lists, onLines, file);
    throw difference;
  }
  const kept = sessions.map(({ name, state }) => ({ name, state, tables: new Map<CollectionName, Table>() }));
  for (const [index, list] of lists.entries()) {
    kept[list.session]?.tables.set(list.collection, tableOf(list, parts[index] ?? [], { file, edited }));
  }
  for (const session of kept) {
    tables.load(session.name, session.state, session.tables);
  }
  return { lastCommit, sessions: [], journal, edited };
}

/** What each list consists of. */
function partsOf(lists: readonly List[], { file, rest, runs }: CutFile): Part[][] {
  let used = 0;
  const parts = lists.map(({ session, collection, items }) => {
    let begin: number | undefined;
    return items.map((item): Part => {
      const run = item === used ? runs[used] : undefined;
      if (run) {
        used += 1;
        return run;
      }
      // An editor laid the file out anew. The line of its collection must do.
      begin ??= lineOfPath(['sessions', session, collection], rest);
      return { line: begin, record: item };
    });
  });
  const stray = runs[used];
  if (stray) {
    throw corrupted({ file, line: stray.line }, 'a record stands where none belongs');
  }
  return parts;
}

function isRun(part: Part): part is Run {
  return 'table' in part;
}

function* recordsOf(part: Part, file: string): Generator<{ record: unknown; place: { file: string; line: number } }> {
  if (!isRun(part)) {
    yield { record: part.record, place: { file, line: part.line } };
    return;
  }
  let { line } = part;
  for (const json of part.table.capture()) {
    yield { record: parseLine(textOf({ bytes: json, number: line }, file), { file, line }), place: { file, line } };
    line += 1;
  }
}

/** Throws StoreError for the first record that does not fit its collection's schema. */
async function checkRecords(lists: readonly List[], parts: readonly Part[][], file: string): Promise<void> {
  for (const [index, { collection }] of lists.entries()) {
    for (const part of parts[index] ?? []) {
      for (const { record, place } of recordsOf(part, file)) {
        await expectRecord(collection, record, place);
      }
    }
  }
}

/** A list's records, each with an id of its own. */
function tableOf(
  { collection }: List,
  parts: readonly Part[],
  { file, edited }: { file: string; edited: boolean },
): Table {
  const [first] = parts;
  if (!edited && first && isRun(first) && parts.length === 1 && first.collection === collection) {
    return first.table;
  }
  const table = new Table(COLLECTIONS[collection]);
  for (const part of parts) {
    for (const { record, place } of recordsOf(part, file)) {
      addTo({ collection, table }, record as { id: string }, JSON.stringify(record), place);
    }
  }
  return table;
}

function addTo(
  { collection, table }: Pick<Run, 'collection' | 'table'>,
  record: { id: string },
  json: string | Buffer,
  place: { file: string; line: number },
): void {
  if (!table.add(record.id, record, json)) {
    throw corrupted(place, `${collection} has the id ${record.id} a second time`);
  }
}

function expectDistinct(sessions: readonly { name: string }[], { file, rest }: CutFile): void {
  const names = new Set<string>();
  for (const [index, { name }] of sessions.entries()) {
    if (names.size === names.add(name).size) {
      const line = lineOfPath(['sessions', index, 'name'], rest);
      throw corrupted({ file, line }, `there is a session ${name} a second time`);
    }
  }
}

async function cutFile(file: string): Promise<CutFile> {
  const cut: CutFile = { file, rest: [], runs: [], checksums: new StateChecksums(file) };
  let run: Run | undefined;
  let comma = false;
  for (const line of linesOf(file)) {
    const { bytes, number } = line;
    cut.checksums.add(line);
    const json = recordIn(bytes);
    if (!json) {
      const text = textOf(line, file);
      cut.rest.push(run && comma ? `,${text}` : text);
      run = undefined;
      continue;
    }
    const place = { file, line: number };
    if (!run) {
      run = newRun(number, cut.rest.at(-1));
      cut.rest.push(String(cut.runs.push(run) - 1));
    } else if (comma) {
      cut.rest.push('');
    } else {
      throw corrupted(place, 'it is not JSON (a comma is missing before it)');
    }
    comma = bytes.at(-1) === COMMA;
    const facts = run.members.read(json);
    if (!hasId(facts)) {
      await (run.collection && expectRecord(run.collection, parseLine(textOf(line, file), place), place));
      throw corrupted(place, 'a record stands where none belongs');
    }
    addTo(run, facts, json, place);
  }
  return cut;
}

/** The JSON of a line that is a record, without the comma behind it; undefined for any other line. */
function recordIn(bytes: Buffer): Buffer | undefined {
  const end = bytes.at(-1) === COMMA ? bytes.length - 1 : bytes.length;
  return standsAt(bytes, 0, INDENTED) && bytes[end - 1] === BRACE
    ? bytes.subarray(RECORD_INDENT.length, end)
    : undefined;
}

function newRun(line: number, lineAbove: string | undefined): Run {
  const collection = collectionNamedIn(lineAbove);
  const facts = collection ? COLLECTIONS[collection] : { indexes: [], counted: [] };
  const members = new MemberReader(['id', 'dueAt', ...facts.indexes, ...facts.counted]);
  return { line, collection, table: new Table(facts), members };
}

function collectionNamedIn(line: string | undefined): CollectionName | undefined {
  const name = /^ {6}"(\w+)": \[$/.exec(line ?? '')?.[1];
  return name && Object.hasOwn(COLLECTIONS, name) ? (name as CollectionName) : undefined;
}

/** Takes the collections' arrays out of the outline, leaving empty ones, in the order of the file. */
function takeLists(outline: unknown): List[] {
  const lists: List[] = [];
  const sessions: unknown[] = isObject(outline) && Array.isArray(outline['sessions']) ? outline['sessions'] : [];
  for (const [session, kept] of sessions.entries()) {
    for (const [collection, items] of isObject(kept) ? Object.entries(kept) : []) {
      if (isObject(kept) && Array.isArray(items)) {
        lists.push({ session, collection: collection as CollectionName, items });
        kept[collection] = [];
      }
    }
  }
  return lists;
}

function hasId(record: object): record is { id: string } {
  return 'id' in record && typeof record.id === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
