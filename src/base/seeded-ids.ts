import { createHash } from 'node:crypto';
import { customRandom } from 'nanoid';

const DIGITS = '0123456789';
const UPPER_HEX = '0123456789ABCDEF';
const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Each number is below this, and the sequence repeats after this many numbers. */
const PERIOD = 2 ** 32;

/**
 * Generates ids and random numbers from a seed. The state is the count of drawn numbers (Mulberry32 counts upwards), so a session
 * that is stored and loaded continues with the next value.
 */
export class SeededIds {
  readonly #start: number;
  #rngPosition: number;

  constructor(seed: string, rngPosition: number) {
    this.#start = createHash('sha256').update(seed).digest().readInt32LE(0);
    this.#rngPosition = rngPosition;
  }

  get rngPosition(): number {
    return this.#rngPosition;
  }

  /** Continues from an earlier (or later) position, because a refused request must not use up ids. */
  rewind(rngPosition: number): void {
    this.#rngPosition = rngPosition;
  }

  /** A number from 0 up to, not including, 1. */
  chance(): number {
    return this.#next() / PERIOD;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.chance() * limit);
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.chance() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }

  digits(size: number): string {
    return this.#text(DIGITS, size);
  }

  upperHex(size: number): string {
    return this.#text(UPPER_HEX, size);
  }

  text(size: number): string {
    return this.#text(LETTERS_AND_DIGITS, size);
  }

  bytes(size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    for (let index = 0; index < size; index += 4) {
      const word = this.#next();
      for (let byte = 0; byte < 4 && index + byte < size; byte += 1) {
        bytes[index + byte] = word >>> (byte * 8);
      }
    }
    return bytes;
  }

  #text(alphabet: string, size: number): string {
    return customRandom(alphabet, size, (count) => this.bytes(count))();
  }

  #next(): number {
    this.#rngPosition = (this.#rngPosition + 1) % PERIOD;
    let word = (this.#start + Math.imul(this.#rngPosition, 0x6d2b79f5)) | 0;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  }
}
