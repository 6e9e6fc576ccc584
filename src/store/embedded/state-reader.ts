import type { SessionState } from '../../schema/records.ts';
import { COLLECTIONS } from '../collections.ts';
import type { AnyRecord, CollectionName } from '../store.ts';
import { corrupted, expectFormat, expectRecord, expectValid } from './corruption.ts';
import { linesOf, textOf } from './files.ts';
import { parseLine, parseLines } from './json-lines.ts';
import { lineOfPath, stepsOf } from './line-of-path.ts';
import type { JournalMark, KeptSession, State } from './state.ts';
import { StateChecksums } from './state-checksums.ts';
import { RECORD_INDENT } from './state-text.ts';

/** Records on lines of their own that follow each other. */
interface Run {
  /** Line of the first. */
  line: number;
  /** The collection that the line above names, by whose schema the records were checked while they were read. */
  checkedAs: CollectionName | undefined;
  records: unknown[];
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

/** The rest, once it is known to fit its schema. */
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

/** Reads a state file. Null where there is none. Throws StoreError, naming file and line, where it is corrupted. */
export async function readState(file: string): Promise<State | null> {
  const cut = await cutFile(file);
  if (cut.rest.length === 0) {
    return null;
  }
  const outline = parseLines(cut.rest, file);
  expectFormat(isObject(outline) ? outline['format'] : undefined, { file });
  const lists = takeLists(outline);
  await expectValid('state', outline, ({ path }) => ({ file, line: lineOfPath(stepsOf(path), cut.rest) }));
  const { lastCommit, sessions, edited = false, checksums, journal = 'none' } = outline as Outline;
  if (!edited) {
    cut.checksums.expect(checksums ?? [], journal);
  }
  const kept = sessions.map(({ name, state }): KeptSession => ({ name, state, collections: [] }));
  expectDistinct(kept, cut);
  await fill(kept, lists, cut);
  return { lastCommit, sessions: kept, journal, edited };
}

/** Gives each session its records. */
async function fill(
  kept: readonly KeptSession[],
  lists: readonly List[],
  { file, rest, runs }: CutFile,
): Promise<void> {
  let used = 0;
  for (const list of lists) {
    let begin: number | undefined;
    const ofList = list.items.map((item): Run => {
      const run = item === used ? runs[used] : undefined;
      if (run) {
        used += 1;
        return run;
      }
      // Not on a line of its own: an editor laid the file out anew. The line of its collection must do.
      begin ??= lineOfPath(['sessions', list.session, list.collection], rest);
      return { line: begin, checkedAs: undefined, records: [item] };
    });
    const records = await recordsOf(ofList, list, file);
    kept[list.session]?.collections.push({ name: list.collection, records });
  }
  const stray = runs[used];
  if (stray) {
    throw corrupted({ file, line: stray.line }, 'a record stands where none belongs');
  }
}

function expectDistinct(kept: readonly KeptSession[], { file, rest }: CutFile): void {
  const names = new Set<string>();
  for (const [index, { name }] of kept.entries()) {
    if (names.size === names.add(name).size) {
      const line = lineOfPath(['sessions', index, 'name'], rest);
      throw corrupted({ file, line }, `there is a session ${name} a second time`);
    }
  }
}

/** Records are checked while they are fresh in the processor's cache, which takes a quarter of the time of a second pass. */
async function cutFile(file: string): Promise<CutFile> {
  const cut: CutFile = { file, rest: [], runs: [], checksums: new StateChecksums(file) };
  let run: Run | undefined;
  let comma = false;
  for (const line of linesOf(file)) {
    const { number } = line;
    const text = textOf(line, file);
    cut.checksums.add(line, text);
    if (!text.startsWith(`${RECORD_INDENT}{`) || !/\},?$/.test(text)) {
      cut.rest.push(run && comma ? `,${text}` : text);
      run = undefined;
      continue;
    }
    const place = { file, line: number };
    if (!run) {
      run = { line: number, checkedAs: collectionNamedIn(cut.rest.at(-1)), records: [] };
      cut.rest.push(String(cut.runs.push(run) - 1));
    } else if (comma) {
      cut.rest.push('');
    } else {
      throw corrupted(place, 'it is not JSON (a comma is missing before it)');
    }
    comma = text.endsWith(',');
    const record = parseLine(comma ? text.slice(0, -1) : text, place);
    if (run.checkedAs) {
      await expectRecord(run.checkedAs, record, place);
    }
    run.records.push(record);
  }
  return cut;
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

/** The runs' records in one array, checked where they were not yet, each with an id of its own. */
async function recordsOf(runs: readonly Run[], { collection }: List, file: string): Promise<AnyRecord[]> {
  const records: AnyRecord[] = [];
  const ids = new Set<string>();
  for (const run of runs) {
    for (const [index, record] of run.records.entries()) {
      const place = { file, line: run.line + index };
      if (run.checkedAs !== collection) {
        await expectRecord(collection, record, place);
      }
      const { id } = record as AnyRecord;
      if (ids.size === ids.add(id).size) {
        throw corrupted(place, `${collection} has the id ${id} a second time`);
      }
      records.push(record as AnyRecord);
    }
  }
  return records;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
