import { crc32 } from 'node:zlib';
import { StoreError } from '../store.ts';
import { digitsOf } from './checksum.ts';
import type { Line } from './files.ts';
import type { JournalMark } from './state.ts';
import { CHECKSUMS_BEGIN, lastLinesOf } from './state-text.ts';

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
    for (const row of checksums) {
      for (const digits of String(row).match(/.{1,8}/g) ?? []) {
        if (digitsOf(this.#found[index] ?? Number.NaN) !== digits) {
          return this.#edited(index + 1);
        }
        index += 1;
      }
    }
    if (index < this.#found.length) {
      return this.#edited(index + 1);
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
