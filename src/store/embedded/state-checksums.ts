import { crc32 } from 'node:zlib';
import { StoreError } from '../store.ts';
import type { Line } from './files.ts';
import type { JournalMark } from './state.ts';
import { CHECKSUMS_BEGIN, CHECKSUMS_PER_ROW, checksumRows, lastLinesOf } from './state-text.ts';

/** Of one checksum. */
const DIGITS = 8;
const BEGIN = Buffer.from(CHECKSUMS_BEGIN);

/** Compares a state file with the checksums that stand at its end. */
export class StateChecksums {
  readonly #file: string;
  /** Of each line before the file's own checksums. */
  readonly #found: number[] = [];
  #isBehind = false;
  /** The file's last lines, and the number of the last. */
  #last: string[] = [];
  #lastNumber = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes up the next line of the file. */
  add({ bytes, number, whole }: Line): void {
    this.#isBehind ||= bytes.equals(BEGIN);
    if (this.#isBehind) {
      const text = bytes.toString();
      this.#last = [...this.#last.slice(-2), whole ? text : `${text} without a line end`];
    } else {
      this.#found.push(crc32(bytes));
    }
    this.#lastNumber = number;
  }

  /** The error that names the first line that is not as the sandbox wrote it; undefined where there is none. */
  differenceFrom(checksums: readonly unknown[], journal: JournalMark): StoreError | undefined {
    let index = 0;
    for (const row of checksumRows(this.#found)) {
      if (row !== checksums[index]) {
        return this.#edited(index * CHECKSUMS_PER_ROW + firstDifference(row, String(checksums[index])) + 1);
      }
      index += 1;
    }
    if (index < checksums.length) {
      return this.#edited(this.#found.length + 1);
    }
    const wrong = lastLinesOf(journal).findIndex((line, index) => line !== this.#last[index]);
    return wrong < 0 ? undefined : this.#edited(this.#lastNumber - 2 + wrong);
  }

  #edited(line: number): StoreError {
    return new StoreError(
      `${this.#file}, line ${line}: it is not as the sandbox wrote it (its checksum does not fit). Nothing was changed. ` +
        'If somebody edited the file on purpose, add the line "edited": true, below "format" to have it taken as it is; ' +
        'otherwise put a copy in its place, or move it away to start anew.',
      this.#file,
      line,
    );
  }
}

/** Which of a row's checksums is the first that another row does not have. */
function firstDifference(row: string, other: string): number {
  let at = 0;
  while (at < row.length && row[at] === other[at]) {
    at += 1;
  }
  return Math.floor(at / DIGITS);
}
