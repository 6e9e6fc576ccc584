import type { SessionState } from '../../base/schema/generated/records.ts';
import { endOfTurn } from '../../base/timers.ts';
import type { CapturedSession, Tables } from '../../server/store/memory/tables.ts';
import type { AnyRecord, CollectionName, Commit, RecordChange } from '../../server/store/store.ts';

/** Characters after which a snapshot begins another row, so that no query is too large. */
const ROW_LENGTH = 4 << 20;
/** Lines that are read in one turn of the event loop. They take a few milliseconds, so that other calls do not wait long. */
const LINES_PER_TURN = 500;

export interface JournalRow {
  /** The session's state as JSON after the row; null if the row does not change it. */
  state: string | null;
  /** A line of JSON for each commit that changes more than the state, or for each record of a part of a snapshot. */
  lines: string;
}

/** One commit, without the state. */
interface CommitLine {
  wipe?: true;
  changes: RecordChange[];
}

interface SnapshotLine {
  collection: CollectionName;
  record: AnyRecord;
}

/** A commit as a line of the journal; empty if it only changes the state. */
export function encodeCommit({ wipe, changes }: Commit): string {
  return !wipe && changes.length === 0 ? '' : JSON.stringify({ wipe: wipe || undefined, changes });
}

/** The rows of a session's snapshot: first the state, then the records. */
export function* snapshotRows({ state, collections }: CapturedSession): Generator<JournalRow> {
  yield { state: JSON.stringify(state), lines: '' };
  let lines: string[] = [];
  let length = 0;
  for (const { name: collection, records } of collections) {
    for (const record of records) {
      const line = JSON.stringify({ collection, record } satisfies SnapshotLine);
      lines.push(line);
      length += line.length;
      if (length >= ROW_LENGTH) {
        yield { state: null, lines: lines.join('\n') };
        lines = [];
        length = 0;
      }
    }
  }
  if (lines.length > 0) {
    yield { state: null, lines: lines.join('\n') };
  }
}

/**
 * Loads a session from its rows, of which those of a snapshot come first. Yields to other work between lines, because a session may be
 * large. Resolves with undefined if no data was ever stored.
 */
export async function loadSession(
  tables: Tables,
  session: string,
  rows: readonly JournalRow[],
): Promise<SessionState | undefined> {
  const lastState = rows.findLast(({ state }) => state !== null)?.state;
  if (lastState == null) {
    return undefined;
  }
  const state: SessionState = JSON.parse(lastState);
  tables.apply({ session, state, changes: [] });
  let lines = 0;
  for (const row of rows) {
    for (const line of row.lines === '' ? [] : row.lines.split('\n')) {
      tables.apply(decodeCommit(session, JSON.parse(line)));
      lines += 1;
      if (lines % LINES_PER_TURN === 0) {
        await endOfTurn();
      }
    }
  }
  return state;
}

function decodeCommit(session: string, line: CommitLine | SnapshotLine): Commit {
  if ('changes' in line) {
    return { session, ...line };
  }
  const { collection, record } = line;
  return { session, changes: [{ collection, id: record.id, record }] };
}
