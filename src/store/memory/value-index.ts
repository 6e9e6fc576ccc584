/** Where a record stands in its table's order of creation: 0, 1, 2, … */
export type Ordinal = number;

/**
 * Which records have a value in one field. Most values belong to one record, so a value holds its ordinal as it is and
 * an array only from the second record on: at a million records the arrays of one would weigh more than the rest.
 */
export class ValueIndex {
  readonly field: string;
  readonly #ordinals = new Map<string, Ordinal | Ordinal[]>();

  constructor(field: string) {
    this.field = field;
  }

  /** The ordinals under a value, oldest first. */
  get(value: string): readonly Ordinal[] {
    const found = this.#ordinals.get(value);
    return found === undefined ? [] : typeof found === 'number' ? [found] : found;
  }

  add(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (found === undefined) {
      this.#ordinals.set(value, ordinal);
    } else if (typeof found === 'number') {
      this.#ordinals.set(value, found < ordinal ? [found, ordinal] : [ordinal, found]);
    } else {
      insert(found, ordinal);
    }
  }

  remove(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (typeof found === 'object' && found.length > 1) {
      found.splice(placeOf(found, ordinal), 1);
    } else {
      this.#ordinals.delete(value);
    }
  }
}

/** New records come last; only a record that changes into a value finds younger ones there already. */
function insert(ordinals: Ordinal[], ordinal: Ordinal): void {
  const last = ordinals.at(-1);
  if (last === undefined || last < ordinal) {
    ordinals.push(ordinal);
  } else {
    ordinals.splice(placeOf(ordinals, ordinal), 0, ordinal);
  }
}

/** Where an ordinal stands, or would stand, among ordered ones. */
function placeOf(ordinals: readonly Ordinal[], ordinal: Ordinal): number {
  let low = 0;
  let high = ordinals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] ?? 0) < ordinal) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
