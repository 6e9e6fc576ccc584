import { crc32 } from 'node:zlib';
import { membersOf } from '../../../base/members.ts';
import { runInTurns } from '../../../base/run-in-turns.ts';
import { withoutByteOrderMark } from '../../../base/written-file.ts';
import type { Tables } from '../memory/tables.ts';
import { checkShape, findRepeatedIds } from '../session-shape.ts';
import type { SessionSnapshot } from '../store.ts';
import { assertFormat, assertValid, corruptionError, schemaError } from './corruption.ts';
import { decodeLine, readLines } from './files.ts';
import { parseLine, parseLines } from './json-lines.ts';
import { DIGEST_BEGIN, lastLinesOf, RECORD_INDENT } from './state-text.ts';
import { JOURNAL_MARKS, type JournalMark, type StoredState } from './stored-state.ts';
import type { UnreadableSessions } from './unreadable-sessions.ts';

/** A state file in two parts, because it may exceed the maximum length of a string. In a reformatted one, the outline contains records. */
interface SplitText {
  /** Records that are each on a separate line. */
  records: unknown[];
  /** All lines, with the numbers of the records in place of the records. */
  outline: string[];
  /** CRC-32 of the lines before the digest. */
  digest: number;
  /** The digest's line and those after it. */
  end: string;
}

/** A state file's outline: either the sandbox wrote it, as its digest shows, or everything except the sessions' data was validated. */
interface Outline {
  lastCommit: number;
  sessions: ({ name: string } & Record<string, unknown>)[];
  journal?: JournalMark;
}

/**
 * Reads a state file; its sessions go into the tables. Null if it does not exist or is empty. Throws StoreError with file and line or
 * path if the file as a whole is invalid. If its digest matches, it is as the sandbox wrote it; otherwise each session is validated, and
 * an invalid one is unreadable.
 */
export async function readState(
  file: string,
  tables: Tables,
  unreadable: UnreadableSessions,
): Promise<StoredState | null> {
  const { records, outline: lines, digest, end } = splitText(file);
  if (lines.length === 0) {
    return null;
  }
  const outline = parseLines(lines, file);
  assertFormat(membersOf(outline)['format'], { file });
  const isUnchanged = JOURNAL_MARKS.some((mark) => end === lastLinesOf(digest, mark));
  if (!isUnchanged) {
    await assertOutline(outline, file);
  }
  const { lastCommit, sessions, journal = 'none' } = outline as Outline;
  for (const { name, ...members } of sessions) {
    const snapshot = withRecords(members, records);
    const reason = isUnchanged ? undefined : schemaError(await findingsIn(snapshot), { file }, `session ${name}: `);
    if (reason) {
      unreadable.add(name, reason, snapshot);
    } else {
      tables.load(name, snapshot);
    }
  }
  return { lastCommit, sessions: [], journal, isUnchanged };
}

function splitText(file: string): SplitText {
  const text: SplitText = { records: [], outline: [], digest: 0, end: '' };
  for (const line of readLines(file)) {
    const json = line.number === 1 ? withoutByteOrderMark(decodeLine(line, file)) : decodeLine(line, file);
    if (text.end !== '' || json.startsWith(DIGEST_BEGIN)) {
      text.end += line.isComplete ? `${json}\n` : json;
    } else {
      text.digest = crc32('\n', crc32(line.bytes, text.digest));
    }
    const comma = json.endsWith(',') ? ',' : '';
    const end = json.length - comma.length;
    if (json.startsWith(`${RECORD_INDENT}{`) && json.endsWith('}', end)) {
      text.outline.push(`${text.records.length}${comma}`);
      text.records.push(parseLine(json.slice(0, end), { file, line: line.number }));
    } else {
      text.outline.push(json);
    }
  }
  return text;
}

/** Throws StoreError if anything except the sessions' data does not fit the file's schema. */
async function assertOutline(outline: unknown, file: string): Promise<void> {
  const { sessions, ...others } = membersOf(outline);
  const isList = Array.isArray(sessions);
  await assertValid('state', { ...others, sessions: isList ? [] : sessions }, { file });
  const names = new Set<unknown>();
  for (const [index, session] of (isList ? sessions : []).entries()) {
    const { name } = membersOf(session);
    if (typeof name !== 'string' || names.has(name)) {
      const received = name === undefined ? 'none' : JSON.stringify(name);
      throw corruptionError({ file }, `$.sessions[${index}].name: expected a unique name, received ${received}`);
    }
    names.add(name);
  }
}

/** Puts the records back in place of their numbers. */
function withRecords(session: Record<string, unknown>, records: readonly unknown[]) {
  const members = Object.entries(session).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((item) => (typeof item === 'number' ? (records[item] ?? item) : item)) : value,
  ]);
  return Object.fromEntries(members) as SessionSnapshot;
}

async function findingsIn(snapshot: SessionSnapshot) {
  const findings = await checkShape(snapshot);
  return findings.length > 0 ? findings : runInTurns(findRepeatedIds(snapshot));
}
