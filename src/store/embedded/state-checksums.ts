import { StoreError } from '../store.ts';
import { checksumOf } from './checksum.ts';
import type { Line } from './files.ts';
import type { JournalMark } from './state.ts';
import { CHECKSUMS_BEGIN, lastLinesOf } from './state-text.ts';

/** Compares a state file with the checksums that stand at its end. */
export class StateChecksums {
  readonly #file: string;
  /** Of each line before the file's own checksums. */
  readonly #found: string[] = [];
  #isBehind = false;
  /** The file's last lines, and the number of the last. */
  #last: string[] = [];
  #lastNumber = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes up the next line of the file. */
  add({ bytes, number, whole }: Line, text: string): void {
    this.#isBehind ||= text === CHECKSUMS_BEGIN;
    if (this.#isBehind) {
      this.#last = [...this.#last.slice(-2), whole ? text : `${text} without a line end`];
    } else {
      this.#found.push(checksumOf(bytes));
    }
    this.#lastNumber = number;
  }

  /** Throws StoreError, naming the first line that is not as the sandbox wrote it. */
  expect(checksums: readonly string[], journal: JournalMark): void {
    const expected = checksums.join('').match(/.{8}/g) ?? [];
    const lines = Math.max(expected.length, this.#found.length);
    for (let index = 0; index < lines; index += 1) {
      if (this.#found[index] !== expected[index]) {
        throw this.#edited(index + 1);
      }
    }
    const wrong = lastLinesOf(journal).findIndex((line, index) => line !== this.#last[index]);
    if (wrong >= 0) {
      throw this.#edited(this.#lastNumber - 2 + wrong);
    }
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
