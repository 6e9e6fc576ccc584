import { createHash } from 'node:crypto';

/** Maximum length of a stored key. A longer one is replaced by its digest, because callers may choose texts of any length. */
const MAX_KEY_LENGTH = 200;

/** Minimum number of the newest values that are kept; the maximum is just below twice as many. */
const MIN_REMEMBERED = 10_000;

/**
 * The newest values by their keys. Uses two maps in turn, because deleting the oldest entry of a single map at each insertion is
 * slow: the map has to skip all entries that were deleted before.
 */
export class RecentValues<Value> {
  readonly #minCount: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(minCount = MIN_REMEMBERED) {
    this.#minCount = minCount;
  }

  get isEmpty(): boolean {
    return this.#newer.size + this.#older.size === 0;
  }

  has(text: string): boolean {
    const key = keyOf(text);
    return this.#newer.has(key) || this.#older.has(key);
  }

  get(text: string): Value | undefined {
    const key = keyOf(text);
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  /** The value, which becomes the newest one. */
  getAsNewest(text: string): Value | undefined {
    const value = this.get(text);
    if (value !== undefined) {
      this.set(text, value);
    }
    return value;
  }

  set(text: string, value: Value): void {
    const key = keyOf(text);
    this.#older.delete(key);
    this.#newer.set(key, value);
    if (this.#newer.size === this.#minCount) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
  }

  delete(text: string): void {
    const key = keyOf(text);
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  deleteWhere(test: (value: Value) => boolean): void {
    for (const map of [this.#newer, this.#older]) {
      for (const [key, value] of map) {
        if (test(value)) {
          map.delete(key);
        }
      }
    }
  }
}

function keyOf(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : createHash('sha256').update(text).digest('base64');
}
