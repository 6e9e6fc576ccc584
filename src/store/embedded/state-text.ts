import { crc32 } from 'node:zlib';
import type { CapturedSession } from '../memory/tables.ts';
import { digitsOfAll } from './checksum.ts';
import type { JournalMark, State } from './state.ts';
import { FORMAT } from './state.ts';

/** How far a record's line is indented; the reader knows it by that. */
export const RECORD_INDENT = '        ';
/** The line behind the last one that has a checksum. */
export const CHECKSUMS_BEGIN = '  "checksums": [';
/** Where the journal's mark stands in the file, counted from its end: it is changed in place. */
export const MARK_FROM_END = 'none"\n}\n'.length;
/** In each of its rows. */
export const CHECKSUMS_PER_ROW = 16;
/** Bytes that are made and written in one go. */
const SLICE = 1 << 18;
const NEWLINE = 10;

/** The texts of the rows in which the checksums stand. */
export function* checksumRows(checksums: readonly number[]): Generator<string> {
  for (let from = 0; from < checksums.length; from += CHECKSUMS_PER_ROW) {
    yield digitsOfAll(checksums.slice(from, from + CHECKSUMS_PER_ROW));
  }
}

/** The lines behind the checksums. */
export function lastLinesOf(journal: JournalMark): string[] {
  return ['  ],', `  "journal": "${journal}"`, '}'];
}

/**
 * The state file's text, in slices that each cost under a millisecond: JSON with one record per line, so that it can be read,
 * searched by line and compared, is a quarter smaller than indented JSON, and can be read back without one string as long as
 * the file. Behind the records stands a checksum of each line. A slice is only good until the next one is asked for.
 */
export function* slicesOf(stored: State, schema: string): Generator<Buffer> {
  const slice = new Slice();
  const checksums: number[] = [];
  for (const line of contentOf(stored, schema)) {
    if (slice.isFull) {
      yield slice.take();
    }
    checksums.push(crc32(slice.add(line)));
  }
  for (const line of lastOf(checksums, stored.journal)) {
    if (slice.isFull) {
      yield slice.take();
    }
    slice.add(line);
  }
  yield slice.take();
}

/** A line: its text, or a record's JSON with what stands behind it. */
type Line = string | { record: Buffer; end: string };

function* contentOf({ lastCommit, sessions }: State, schema: string): Generator<Line> {
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

function* sessionLines({ name, state, collections }: CapturedSession, isLast: boolean): Generator<Line> {
  const filled = collections.filter(({ records }) => !records.isEmpty);
  yield '    {';
  yield `      "name": ${JSON.stringify(name)},`;
  yield `      "state": ${JSON.stringify(state)}${commaUnless(filled.length === 0)}`;
  for (const [index, { name: collection, records }] of filled.entries()) {
    yield `      "${collection}": [`;
    let before: Buffer | undefined;
    for (const record of records) {
      if (before) {
        yield { record: before, end: ',' };
      }
      before = record;
    }
    if (before) {
      yield { record: before, end: '' };
    }
    yield `      ]${commaUnless(index === filled.length - 1)}`;
  }
  yield `    }${commaUnless(isLast)}`;
}

function* lastOf(checksums: readonly number[], journal: JournalMark): Generator<string> {
  yield CHECKSUMS_BEGIN;
  let left = checksums.length;
  for (const row of checksumRows(checksums)) {
    left -= CHECKSUMS_PER_ROW;
    yield `    "${row}"${commaUnless(left <= 0)}`;
  }
  yield* lastLinesOf(journal);
}

/** Lines that are written in one go. */
class Slice {
  #bytes = Buffer.allocUnsafe(SLICE);
  #used = 0;

  get isFull(): boolean {
    return this.#used >= SLICE;
  }

  /** Adds a line. Returns its bytes, without the newline. */
  add(line: Line): Buffer {
    const begin = this.#used;
    if (typeof line === 'string') {
      this.#makeRoom(Buffer.byteLength(line));
      this.#used += this.#bytes.write(line, begin);
    } else {
      const { record, end } = line;
      this.#makeRoom(RECORD_INDENT.length + record.length + end.length);
      this.#used += this.#bytes.write(RECORD_INDENT, begin);
      this.#used += record.copy(this.#bytes, this.#used);
      this.#used += this.#bytes.write(end, this.#used);
    }
    const bytes = this.#bytes.subarray(begin, this.#used);
    this.#used = this.#bytes.writeUInt8(NEWLINE, this.#used);
    return bytes;
  }

  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }

  /** For so many bytes and a newline. */
  #makeRoom(size: number): void {
    const needed = this.#used + size + 1;
    if (needed > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.max(needed, 2 * this.#bytes.length));
    }
  }
}

function commaUnless(isLast: boolean): string {
  return isLast ? '' : ',';
}
