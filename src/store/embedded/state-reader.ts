import { isMembers } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import type { SessionState } from '../../base/schema/records.ts';
import { validate } from '../../base/schema/validation.ts';
import { COLLECTIONS } from '../collections.ts';
import { Table } from '../memory/table.ts';
import type { Tables } from '../memory/tables.ts';
import type { CollectionName, StoreError } from '../store.ts';
import { corrupted, corruptionOf, corruptionOfRecord, expectFormat } from './corruption.ts';
import { addTo, type CutFile, cutFile, type Run, secondOf } from './cut-file.ts';
import { textOf } from './files.ts';
import { parseLine, parseLines } from './json-lines.ts';
import { lineOfPath, stepsOf } from './line-of-path.ts';
import type { JournalMark, State } from './state.ts';
import type { UnreadableSessions } from './unreadable-sessions.ts';

const MARKS: ReadonlySet<string> = new Set<JournalMark>(['none', 'open']);
/** Where in the outline a session's state stands. */
const OF_STATE = /^\$\.sessions\[(\d+)\]\.state\b/;

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
 * Where a person edited it, and what is wrong concerns one session, that one is unreadable, and the others are read.
 */
export async function readState(file: string, tables: Tables, unreadable: UnreadableSessions): Promise<State | null> {
  const cut = await cutFile(file);
  if (cut.rest.length === 0) {
    return null;
  }
  const outline = parseLines(cut.rest, file);
  expectFormat(isMembers(outline) ? outline['format'] : undefined, { file });
  const lists = takeLists(outline);
  const { lastCommit, sessions, edited = false, checksums, journal = 'none' } = outline as Outline;
  const difference = cut.checksums.differenceFrom(Array.isArray(checksums) ? checksums : [], journal);
  const unfit = new Map<number, StoreError>();
  if (difference || !MARKS.has(journal)) {
    const findings = await validate('state', outline);
    const placeOf = ({ path }: Finding) => ({ file, line: lineOfPath(stepsOf(path), cut.rest) });
    const ofStates = edited ? findings.filter(({ path }) => OF_STATE.test(path)) : [];
    throwIfAny(
      corruptionOf(
        findings.filter((finding) => !ofStates.includes(finding)),
        placeOf,
      ),
    );
    for (const finding of ofStates) {
      noteFirst(unfit, Number(OF_STATE.exec(finding.path)?.[1]), corruptionOf([finding], placeOf));
    }
  }
  expectDistinct(sessions, cut);
  const parts = partsOf(lists, cut);
  if (difference && edited) {
    for (const [index, list] of lists.entries()) {
      noteFirst(unfit, list.session, await corruptionIn(list, parts[index] ?? [], file));
    }
  } else if (difference) {
    // What is wrong with a record says more than that its line is another.
    for (const [index, list] of lists.entries()) {
      throwIfAny(await corruptionIn(list, parts[index]?.filter(isRun) ?? [], file));
    }
    throw difference;
  }
  const kept = sessions.map(({ name, state }) => ({ name, state, tables: new Map<CollectionName, Table>() }));
  for (const [index, list] of lists.entries()) {
    if (!unfit.has(list.session)) {
      kept[list.session]?.tables.set(list.collection, tableOf(list, parts[index] ?? [], { file, edited }));
    }
  }
  for (const [index, session] of kept.entries()) {
    const reason = unfit.get(index);
    if (reason) {
      const collectionsOf = lists.flatMap((list, at) =>
        list.session === index ? [{ list, records: [...allRecordsOf(parts[at] ?? [], file)] }] : [],
      );
      const collections = new Map<string, { id?: unknown }[]>(
        collectionsOf.map(({ list, records }) => [list.collection, records]),
      );
      unreadable.add(session.name, { reason, state: session.state, collections });
    } else {
      tables.load(session.name, session.state, session.tables);
    }
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

function* allRecordsOf(parts: readonly Part[], file: string): Generator<{ id?: unknown }> {
  for (const part of parts) {
    for (const { record } of recordsOf(part, file)) {
      yield record as { id?: unknown };
    }
  }
}

/** What is wrong with the first record that does not fit its collection's schema, or has the id of another. */
async function corruptionIn(
  { collection }: List,
  parts: readonly Part[],
  file: string,
): Promise<StoreError | undefined> {
  const ids = new Set<unknown>();
  for (const part of parts) {
    for (const { record, place } of recordsOf(part, file)) {
      const corruption = await corruptionOfRecord(collection, record, place);
      if (corruption) {
        return corruption;
      }
      const { id } = record as { id: string };
      if (ids.size === ids.add(id).size) {
        return secondOf(collection, id, place);
      }
    }
  }
  return undefined;
}

function throwIfAny(corruption: StoreError | undefined): void {
  if (corruption) {
    throw corruption;
  }
}

function noteFirst(unfit: Map<number, StoreError>, session: number, corruption: StoreError | undefined): void {
  if (corruption && !unfit.has(session)) {
    unfit.set(session, corruption);
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

function expectDistinct(sessions: readonly { name: string }[], { file, rest }: CutFile): void {
  const names = new Set<string>();
  for (const [index, { name }] of sessions.entries()) {
    if (names.size === names.add(name).size) {
      const line = lineOfPath(['sessions', index, 'name'], rest);
      throw corrupted({ file, line }, `there is a session ${name} a second time`);
    }
  }
}

/** Takes the collections' arrays out of the outline, leaving empty ones, in the order of the file. */
function takeLists(outline: unknown): List[] {
  const lists: List[] = [];
  const sessions: unknown[] = isMembers(outline) && Array.isArray(outline['sessions']) ? outline['sessions'] : [];
  for (const [session, kept] of sessions.entries()) {
    for (const [collection, items] of isMembers(kept) ? Object.entries(kept) : []) {
      if (isMembers(kept) && Array.isArray(items)) {
        lists.push({ session, collection: collection as CollectionName, items });
        kept[collection] = [];
      }
    }
  }
  return lists;
}
