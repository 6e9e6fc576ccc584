/** Values that are remembered at least; at most twice as many. */
const REMEMBERED = 10_000;

/**
 * The newest values by their keys. Two maps that take turns: to forget the oldest entry of one map, each time another comes, costs more
 * than everything else that is done with it, since the map passes over all that was deleted before.
 */
export class Recent<Value> {
  readonly #most: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  /** `most` values are remembered at least. */
  constructor(most = REMEMBERED) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#newer.size + this.#older.size === 0;
  }

  has(key: string): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  /** The value, which is the newest one from now on. */
  use(key: string): Value | undefined {
    const value = this.get(key);
    if (value !== undefined) {
      this.set(key, value);
    }
    return value;
  }

  /** Keeps a value as the newest one. */
  set(key: string, value: Value): void {
    this.#older.delete(key);
    this.#newer.set(key, value);
    if (this.#newer.size === this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
  }

  delete(key: string): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** Forgets each that the test says so of. */
  deleteWhere(isOver: (value: Value) => boolean): void {
    for (const memory of [this.#newer, this.#older]) {
      for (const [key, value] of memory) {
        if (isOver(value)) {
          memory.delete(key);
        }
      }
    }
  }
}
