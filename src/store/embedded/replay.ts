import { corrupted, expectFormat, expectRecord, expectValid } from './corruption.ts';
import { type Line, linesOf } from './files.ts';
import type { JournalLine } from './journal-line.ts';
import { parseLine } from './json-lines.ts';
import type { Tables } from './tables.ts';

export interface Replayed {
  /** Number of the last commit there is now. */
  lastCommit: number;
  /** How many of the journal's commits the state did not have. */
  commits: number;
  /** Bytes of the journal that are sound; what follows is a torn line. */
  size: number;
  /** A last line without its end: its writer was killed while writing it, so nobody was told that it is kept. */
  torn: boolean;
}

/**
 * Applies a journal to the state that it follows, skipping what the state already has. Changes no file.
 * Throws StoreError, naming file and line, for any corruption but a torn last line.
 */
export async function replay(file: string, lastCommit: number, tables: Tables): Promise<Replayed> {
  const replayed: Replayed = { lastCommit, commits: 0, size: 0, torn: false };
  let expected: number | undefined;
  for (const line of linesOf(file)) {
    if (!line.whole) {
      replayed.torn = true;
      break;
    }
    const place = { file, line: line.number };
    const value = parseLine(line.text, place);
    if (line.number === 1) {
      expectFormat((value as { format?: unknown } | null)?.format, place);
    } else {
      const entry = await checkLine(file, line, value);
      if (entry.number !== expected && !(expected === undefined && entry.number <= lastCommit + 1)) {
        throw corrupted(
          place,
          `commit ${expected ?? lastCommit + 1} should stand here, but it is commit ${entry.number}`,
        );
      }
      expected = entry.number + 1;
      if (entry.number > lastCommit) {
        applyLine(tables, entry, place);
        replayed.lastCommit = entry.number;
        replayed.commits += 1;
      }
    }
    replayed.size = line.end;
  }
  return replayed;
}

async function checkLine(file: string, line: Line, value: unknown): Promise<JournalLine> {
  const place = { file, line: line.number };
  await expectValid('journal-line', value, () => place, 'a commit has the wrong shape: ');
  const entry = value as JournalLine;
  for (const { collection, record } of entry.changes) {
    if (record) {
      await expectRecord(collection, record, place);
    }
  }
  return entry;
}

function applyLine(tables: Tables, entry: JournalLine, place: { file: string; line: number }): void {
  if (entry.drop) {
    tables.drop(entry.session);
    return;
  }
  try {
    tables.apply(entry);
  } catch (error) {
    throw corrupted(place, error instanceof Error ? error.message : String(error));
  }
}
