import { crc32 } from 'node:zlib';
import type { CapturedSession } from '../memory/tables.ts';
import { toHexDigits } from './checksum.ts';
import { DATA_FORMAT, type JournalMark, type StoredState } from './stored-state.ts';

/** The indent of a record's line, by which the reader recognizes it. */
export const RECORD_INDENT = '        ';
/** The beginning of the first line that is not part of the digest. */
export const DIGEST_BEGIN = '  "digest": ';
/** Offset of the journal's mark from the end of the file, because it is changed in place. */
export const MARK_FROM_END = 'none"\n}\n'.length;
/** Characters that are serialized, digested and written at once. */
const SLICE_LENGTH = 1 << 18;

/** The lines after the digested ones. */
export function lastLinesOf(digest: number, journal: JournalMark): string {
  return `${DIGEST_BEGIN}"${toHexDigits(digest)}",\n  "journal": "${journal}"\n}\n`;
}

/**
 * The state file's text, in slices that each cost about a millisecond: JSON with one record per line, so that it can be read,
 * searched by line and compared, and parsed without one string as long as the file. It ends with the CRC-32 of everything before, and
 * the mark of the journal.
 */
export function* slicesOf(stored: StoredState, schema: string): Generator<Buffer> {
  let digest = 0;
  let text = '';
  for (const line of contentOf(stored, schema)) {
    text += `${line}\n`;
    if (text.length >= SLICE_LENGTH) {
      const slice = Buffer.from(text);
      digest = crc32(slice, digest);
      yield slice;
      text = '';
    }
  }
  yield Buffer.from(text + lastLinesOf(crc32(text, digest), stored.journal));
}

function* contentOf({ lastCommit, sessions }: StoredState, schema: string): Generator<string> {
  yield '{';
  yield `  "$schema": ${JSON.stringify(schema)},`;
  yield `  "format": ${DATA_FORMAT},`;
  yield `  "lastCommit": ${lastCommit},`;
  yield '  "sessions": [';
  for (const [index, session] of sessions.entries()) {
    yield* sessionLines(session, index === sessions.length - 1);
  }
  yield '  ],';
}

function* sessionLines({ name, state, collections }: CapturedSession, isLast: boolean): Generator<string> {
  yield '    {';
  yield `      "name": ${JSON.stringify(name)},`;
  yield `      "state": ${JSON.stringify(state)}${commaUnless(collections.length === 0)}`;
  for (const [index, { name: collection, records }] of collections.entries()) {
    yield `      "${collection}": [`;
    for (const [position, record] of records.entries()) {
      yield RECORD_INDENT + JSON.stringify(record) + commaUnless(position === records.length - 1);
    }
    yield `      ]${commaUnless(index === collections.length - 1)}`;
  }
  yield `    }${commaUnless(isLast)}`;
}

function commaUnless(isLast: boolean): string {
  return isLast ? '' : ',';
}
