import { messageOf } from '../../../base/errors.ts';
import { membersOf } from '../../../base/members.ts';
import { validate } from '../../../base/schema/validation.ts';
import type { Tables } from '../memory/tables.ts';
import { recordSchemas } from '../record-schemas.ts';
import type { StoreError } from '../store.ts';
import { isSealed } from './checksum.ts';
import { assertFormat, assertValid, corruptionError, schemaError } from './corruption.ts';
import { decodeLine, readLines, type StoredLine } from './files.ts';
import type { JournalCommit, JournalHeader } from './journal-line.ts';
import { parseLine } from './json-lines.ts';
import type { UnreadableSessions } from './unreadable-sessions.ts';

export interface ReplayResult {
  /** Number of the last commit. */
  lastCommit: number;
  /** How many of the journal's commits were not in the state. */
  newCommits: number;
  /** The journal's header, with the number of the last valid commit; undefined without a journal. */
  header: JournalHeader | undefined;
  /** Bytes of the journal that are valid; the rest was never confirmed. */
  validBytes: number;
  /** Lines of the rest. The write failed, or the process was killed. */
  unconfirmedLines: number;
}

/**
 * Applies a journal to the state before it, skipping commits that the state contains. Changes no file. If the state or a record in a
 * commit does not fit its schema, its session is unreadable from there on, until it is wiped or dropped. Throws StoreError with file and
 * line for any other corruption, such as a line that does not fit `journal-line`, except unconfirmed lines at the end.
 */
export async function replayJournal(
  file: string,
  lastCommit: number,
  tables: Tables,
  unreadable: UnreadableSessions,
): Promise<ReplayResult> {
  const replayed: ReplayResult = { lastCommit, newCommits: 0, header: undefined, validBytes: 0, unconfirmedLines: 0 };
  let header: JournalHeader | undefined;
  let nextNumber = 0;
  let lines = 0;
  for (const line of readLines(file)) {
    const location = { file, line: line.number };
    lines = line.number;
    const isSound = line.isComplete && isSealed(line.bytes);
    if (!header) {
      header = parseHeader(line, isSound, location, lastCommit);
      nextNumber = header.first;
    } else if (replayed.unconfirmedLines > 0 || (!isSound && nextNumber > header.last)) {
      replayed.unconfirmedLines += 1;
      continue;
    } else if (isSound) {
      const commit = await parseCommit(line, location);
      if (commit.number !== nextNumber) {
        throw corruptionError(location, `expected commit ${nextNumber} here, but found commit ${commit.number}`);
      }
      nextNumber += 1;
      if (commit.number > lastCommit) {
        await applyCommit(tables, commit, location, unreadable);
        replayed.lastCommit = commit.number;
        replayed.newCommits += 1;
      }
    } else {
      const problem = line.isComplete ? 'its checksum does not match' : 'the end of the line is missing';
      throw corruptionError(location, `expected commit ${nextNumber} here, but ${problem}`);
    }
    replayed.validBytes = line.end;
  }
  if (header) {
    if (nextNumber <= header.last) {
      throw corruptionError(
        { file, line: lines + 1 },
        `the journal ends here, but commits ${nextNumber} to ${header.last} should follow`,
      );
    }
    replayed.header = { first: header.first, last: nextNumber - 1 };
  }
  return replayed;
}

function parseHeader(
  line: StoredLine,
  isSound: boolean,
  location: { file: string; line: number },
  lastCommit: number,
): JournalHeader {
  const header = membersOf(parseLine(decodeLine(line, location.file), location));
  assertFormat(header['format'], location);
  const [first, last] = [Number(header['first']), Number(header['last'])];
  if (!isSound) {
    throw corruptionError(location, 'its checksum does not match');
  }
  if (first > lastCommit + 1) {
    throw corruptionError(
      location,
      `the journal begins with commit ${first}, but the state file ends with commit ${lastCommit}`,
    );
  }
  return { first, last };
}

async function parseCommit(line: StoredLine, location: { file: string; line: number }): Promise<JournalCommit> {
  const value = parseLine(decodeLine(line, location.file), location) as JournalCommit;
  // An invalid state affects only its session.
  const { state: _, ...others } = value;
  await assertValid('journal-line', others, location, 'a commit has the wrong shape: ');
  return value;
}

/** The error of a commit's state, or of its first invalid record; undefined if all fit. */
async function findCorruption(
  { state, changes }: JournalCommit,
  location: { file: string; line: number },
): Promise<StoreError | undefined> {
  const findings = state ? await validate('records/session-state', state) : [];
  let corruption = schemaError(findings, location, 'the state of a session has the wrong shape: ');
  for (const { collection, id, record } of corruption ? [] : changes) {
    const recordFindings = record ? await validate(recordSchemas()[collection], record) : [];
    corruption ??= schemaError(recordFindings, location, `the record ${id} of ${collection} has the wrong shape: `);
  }
  return corruption;
}

async function applyCommit(
  tables: Tables,
  commit: JournalCommit,
  location: { file: string; line: number },
  unreadable: UnreadableSessions,
): Promise<void> {
  const { session, drop, wipe } = commit;
  const corruption = await findCorruption(commit, location);
  if (drop || (wipe && !corruption)) {
    unreadable.delete(session);
  }
  if (corruption && !unreadable.has(session)) {
    unreadable.takeFrom(tables, session, corruption);
  }
  if (drop) {
    tables.drop(session);
  } else if (unreadable.has(session)) {
    unreadable.apply(commit);
  } else {
    try {
      tables.apply(commit);
    } catch (error) {
      throw corruptionError(location, messageOf(error));
    }
  }
}
