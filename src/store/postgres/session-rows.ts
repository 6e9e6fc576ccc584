import type { SessionState } from '../../base/schema/records.ts';
import { endOfTurn } from '../../base/timers.ts';
import { type CommitTexts, encodeChanges } from '../memory/commit-texts.ts';
import type { CapturedSession, Tables } from '../memory/tables.ts';
import type { Change, CollectionName, Commit } from '../store.ts';

/** Characters of a snapshot's rows, and of the lines in them. */
const ROW_LENGTH = 4 << 20;
/** Lines that are read in one turn of the event loop: a few milliseconds. */
const LINES_PER_TURN = 200;
const RECORDS_PER_LINE = 100;

/** A row of the journal. */
export interface JournalRow {
  /** The session's state as JSON behind the row; null where the row leaves it as it is. */
  state: string | null;
  /** A line of JSON for each commit, or for some records of a snapshot. */
  lines: string;
}

/** One commit, without the state. */
interface CommitLine {
  wipe?: true;
  changes: Change[];
}

/** Some of the records that a session had, in order. */
interface SnapshotLine {
  collection: CollectionName;
  records: { id: string }[];
}

/** A commit as a line of the journal; empty where it only changes the state. */
export function lineOf({ wipe, changes }: Commit, texts: CommitTexts): string {
  if (!wipe && changes.length === 0) {
    return '';
  }
  return `{${wipe ? '"wipe":true,' : ''}"changes":${encodeChanges(changes, texts)}}`;
}

/** A session's rows from a snapshot of all that it keeps: the state alone, then the records. */
export function* snapshotRows({ state, collections }: CapturedSession): Generator<JournalRow> {
  yield { state: JSON.stringify(state), lines: '' };
  let lines: string[] = [];
  let length = 0;
  for (const line of snapshotLines(collections)) {
    lines.push(line);
    length += line.length;
    if (length >= ROW_LENGTH) {
      yield { state: null, lines: lines.join('\n') };
      lines = [];
      length = 0;
    }
  }
  if (lines.length > 0) {
    yield { state: null, lines: lines.join('\n') };
  }
}

function* snapshotLines(collections: CapturedSession['collections']): Generator<string> {
  for (const { name, records } of collections) {
    let texts: string[] = [];
    let length = 0;
    for (const record of records) {
      const text = record.toString();
      texts.push(text);
      length += text.length;
      if (texts.length === RECORDS_PER_LINE || length >= ROW_LENGTH) {
        yield snapshotLine(name, texts);
        texts = [];
        length = 0;
      }
    }
    if (texts.length > 0) {
      yield snapshotLine(name, texts);
    }
  }
}

function snapshotLine(collection: CollectionName, texts: readonly string[]): string {
  return `{"collection":"${collection}","records":[${texts.join(',')}]}`;
}

/**
 * Puts a session together from its rows, a snapshot's first. Lets other work through now and then. Undefined where it has never
 * kept anything.
 */
export async function loadSession(
  tables: Tables,
  session: string,
  rows: readonly JournalRow[],
): Promise<SessionState | undefined> {
  const last = rows.findLast(({ state }) => state !== null)?.state;
  if (last == null) {
    return undefined;
  }
  const state: SessionState = JSON.parse(last);
  tables.load(session, state, new Map());
  let lines = 0;
  for (const row of rows) {
    for (const line of row.lines === '' ? [] : row.lines.split('\n')) {
      applyLine(tables, session, JSON.parse(line));
      lines += 1;
      if (lines % LINES_PER_TURN === 0) {
        await endOfTurn();
      }
    }
  }
  return state;
}

function applyLine(tables: Tables, session: string, line: CommitLine | SnapshotLine): void {
  const commit =
    'records' in line
      ? { session, changes: line.records.map((record) => ({ ...line, id: record.id, record }) as unknown as Change) }
      : { session, ...line };
  tables.apply(
    commit,
    commit.changes.map(({ record }) => record && JSON.stringify(record)),
  );
}
