import type { AnyRecord } from '../store.ts';
import { checksumOf } from './checksum.ts';
import type { JournalMark, KeptSession, State } from './state.ts';
import { FORMAT } from './state.ts';

/** How far a record's line is indented; the reader knows it by that. */
export const RECORD_INDENT = '        ';
/** The line behind the last one that has a checksum. */
export const CHECKSUMS_BEGIN = '  "checksums": [';
/** Where the journal's mark stands in the file, counted from its end: it is changed in place. */
export const MARK_FROM_END = 'none"\n}\n'.length;
const CHECKSUMS_PER_ROW = 16;

/** The lines behind the checksums. */
export function lastLinesOf(journal: JournalMark): string[] {
  return ['  ],', `  "journal": "${journal}"`, '}'];
}

/**
 * The state file's text, line by line: JSON with one record per line, so that it can be read, searched by line and
 * compared, is a quarter smaller than indented JSON, and can be read back without one string as long as the file.
 * Behind the records stands a checksum of each line.
 */
export function* textOf(stored: State, schema: string): Generator<string> {
  const checksums: string[] = [];
  for (const line of contentOf(stored, schema)) {
    checksums.push(checksumOf(line));
    yield `${line}\n`;
  }
  yield `${CHECKSUMS_BEGIN}\n`;
  for (let from = 0; from < checksums.length; from += CHECKSUMS_PER_ROW) {
    const end = from + CHECKSUMS_PER_ROW;
    yield `    "${checksums.slice(from, end).join('')}"${commaUnless(end >= checksums.length)}\n`;
  }
  for (const line of lastLinesOf(stored.journal)) {
    yield `${line}\n`;
  }
}

function* contentOf({ lastCommit, sessions }: State, schema: string): Generator<string> {
  yield '{';
  yield `  "$schema": ${JSON.stringify(schema)},`;
  yield `  "format": ${FORMAT},`;
  yield `  "lastCommit": ${lastCommit},`;
  yield '  "sessions": [';
  for (const [index, session] of sessions.entries()) {
    yield* sessionLines(session, index === sessions.length - 1);
  }
  yield '  ],';
}

function* sessionLines({ name, state, collections }: KeptSession, isLast: boolean): Generator<string> {
  const filled = collections.filter(({ records }) => lastOf(records) >= 0);
  yield '    {';
  yield `      "name": ${JSON.stringify(name)},`;
  yield `      "state": ${JSON.stringify(state)}${commaUnless(filled.length === 0)}`;
  for (const [index, { name: collection, records }] of filled.entries()) {
    yield `      "${collection}": [`;
    const last = lastOf(records);
    for (const [at, record] of records.entries()) {
      if (record) {
        yield `${RECORD_INDENT}${JSON.stringify(record)}${commaUnless(at === last)}`;
      }
    }
    yield `      ]${commaUnless(index === filled.length - 1)}`;
  }
  yield `    }${commaUnless(isLast)}`;
}

function lastOf(records: readonly (AnyRecord | undefined)[]): number {
  return records.findLastIndex((record) => record !== undefined);
}

function commaUnless(isLast: boolean): string {
  return isLast ? '' : ',';
}
