import { HashTable, hashOf } from '../../base/hash-table.ts';

/** Where a record stands in its table's order of creation: 0, 1, 2, … */
export type Ordinal = number;

/**
 * Which records may have a value in one field: all that have it, and hardly ever another whose value has the same hash. Whoever
 * finds one reads it anyway, and sees. Most values belong to one record; only from the second on is there an array.
 */
export class ValueIndex {
  readonly field: string;
  readonly #single = new HashTable();
  readonly #several = new Map<number, Ordinal[]>();

  constructor(field: string) {
    this.field = field;
  }

  /** The ordinals of the records that may have a value, oldest first. */
  get(value: string): readonly Ordinal[] {
    const hash = hashOf(value);
    const single = this.#single.get(hash);
    return single === undefined ? (this.#several.get(hash) ?? []) : [single];
  }

  add(value: string, ordinal: Ordinal): void {
    const hash = hashOf(value);
    const several = this.#several.get(hash);
    if (several) {
      insert(several, ordinal);
      return;
    }
    const other = this.#single.get(hash);
    if (other === undefined) {
      this.#single.set(hash, ordinal);
    } else {
      this.#single.delete(hash);
      this.#several.set(hash, other < ordinal ? [other, ordinal] : [ordinal, other]);
    }
  }

  remove(value: string, ordinal: Ordinal): void {
    const hash = hashOf(value);
    const several = this.#several.get(hash);
    if (!several) {
      this.#single.delete(hash);
      return;
    }
    several.splice(placeOf(several, ordinal), 1);
    if (several.length === 0) {
      this.#several.delete(hash);
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
