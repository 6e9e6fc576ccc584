import type { Count } from '../store.ts';

/** Stands behind each value of a key, and in none: what is counted are names. */
const END = '\u0000';

/** How many records there are by the values of some of their fields, kept up with each change, so that nobody has to walk all. */
export class Tally {
  readonly #fields: readonly string[];
  readonly #counts = new Map<string, number>();

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** A record takes the place of another, of none, or makes place for none. */
  change(before: object | undefined, after: object | undefined): void {
    const [old, fresh] = [this.#keyOf(before), this.#keyOf(after)];
    if (old !== fresh) {
      this.#add(old, -1);
      this.#add(fresh, 1);
    }
  }

  /** Adds what was counted to a sum over several. */
  addTo(sum: Tally): void {
    for (const [key, count] of this.#counts) {
      sum.#add(key, count);
    }
  }

  /** In the order of the values. */
  counts(): Count[] {
    return [...this.#counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, records]) => {
        const values = key.split(END);
        return {
          values: Object.fromEntries(this.#fields.map((field, index) => [field, values[index] ?? ''])),
          records,
        };
      });
  }

  #keyOf(record: object | undefined): string | undefined {
    if (!record) {
      return undefined;
    }
    let key = '';
    for (const field of this.#fields) {
      key += Reflect.get(record, field) + END;
    }
    return key;
  }

  #add(key: string | undefined, by: number): void {
    if (key === undefined) {
      return;
    }
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count === 0) {
      this.#counts.delete(key);
    } else {
      this.#counts.set(key, count);
    }
  }
}
