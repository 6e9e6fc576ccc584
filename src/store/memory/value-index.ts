/** Where a record stands in its table's order of creation: 0, 1, 2, … */
export type Ordinal = number;

/** Which records have a value in one field. Most values belong to one record; only from the second on is there an array. */
export class ValueIndex {
  readonly field: string;
  readonly #ordinals = new Map<string, Ordinal | Ordinal[]>();

  constructor(field: string) {
    this.field = field;
  }

  /** Oldest first. */
  get(value: string): readonly Ordinal[] {
    const found = this.#ordinals.get(value) ?? [];
    return typeof found === 'number' ? [found] : found;
  }

  /** A record has another value than before; what is no text is not indexed. */
  move(ordinal: Ordinal, before: unknown, after: unknown): void {
    if (before === after) {
      return;
    }
    if (typeof before === 'string') {
      this.#remove(before, ordinal);
    }
    if (typeof after === 'string') {
      this.#add(after, ordinal);
    }
  }

  #add(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (found === undefined) {
      this.#ordinals.set(value, ordinal);
    } else if (typeof found === 'number') {
      this.#ordinals.set(value, found < ordinal ? [found, ordinal] : [ordinal, found]);
    } else {
      // New records come last; only one that changes into the value finds younger ones there already.
      const place = found.findLastIndex((each) => each < ordinal) + 1;
      found.splice(place, 0, ordinal);
    }
  }

  #remove(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (Array.isArray(found) && found.length > 1) {
      found.splice(found.indexOf(ordinal), 1);
    } else {
      this.#ordinals.delete(value);
    }
  }
}
