/** An entry and the bytes that it takes; without the entry once it had to make room. */
export interface StoredEntry<Entry> {
  entry: Entry | undefined;
  readonly bytes: number;
}

/** Memory that several logs share: whatever is kept in it, the oldest goes when it is full, whosever that is. */
export class LogSpace {
  readonly #limit: number;
  #used = 0;
  /** In the order in which they came; those before `#first` are gone. */
  #queue: StoredEntry<unknown>[] = [];
  #first = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#used;
  }

  take<Entry>(entry: Entry, bytes: number): StoredEntry<Entry> {
    const kept: StoredEntry<Entry> = { entry, bytes };
    this.#queue.push(kept);
    this.#used += bytes;
    while (this.#used > this.#limit && this.#first < this.#queue.length) {
      this.free(this.#queue.slice(this.#first, this.#first + 1));
    }
    // Cutting only where half of it is gone keeps it cheap for each entry.
    if (this.#first > 1000 && this.#first * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    return kept;
  }

  free(entries: readonly StoredEntry<unknown>[]): void {
    for (const kept of entries) {
      this.#used -= kept.entry === undefined ? 0 : kept.bytes;
      kept.entry = undefined;
    }
    while (this.#first < this.#queue.length && this.#queue[this.#first]?.entry === undefined) {
      this.#first += 1;
    }
  }
}
