import { valuesIn } from '../collections.ts';

/** The position of a record in its table's order of creation: 0, 1, 2, … */
export type Ordinal = number;

/**
 * Which records have a value in one field, or in a field of each entry of a list (`shares.merchantId`). An array is only made for
 * the second record of a value, because most values belong to one record.
 */
export class ValueIndex {
  readonly field: string;
  readonly #names: readonly string[];
  readonly #ordinals = new Map<string, Ordinal | Ordinal[]>();

  constructor(field: string) {
    this.field = field;
    this.#names = field.split('.');
  }

  /** The ordinals of the records with a value, oldest first, not less than `from`. */
  get(value: string, from: Ordinal = 0): readonly Ordinal[] {
    const found = this.#ordinals.get(value) ?? [];
    const all = typeof found === 'number' ? [found] : found;
    return from === 0 ? all : all.slice(firstIndexFrom(from, all));
  }

  update(ordinal: Ordinal, before: object | undefined, after: object | undefined): void {
    if (this.#names.length > 1) {
      this.#updateAll(ordinal, valuesIn(before, this.#names), valuesIn(after, this.#names));
      return;
    }
    // A field of the record itself has a string or no value. Compared without sets, which would take 5% of a payment's time.
    const oldValue: unknown = before && Reflect.get(before, this.field);
    const value: unknown = after && Reflect.get(after, this.field);
    if (oldValue === value) {
      return;
    }
    if (typeof oldValue === 'string') {
      this.#remove(oldValue, ordinal);
    }
    if (typeof value === 'string') {
      this.#add(value, ordinal);
    }
  }

  #updateAll(ordinal: Ordinal, oldValues: ReadonlySet<string>, values: ReadonlySet<string>): void {
    for (const oldValue of oldValues) {
      if (!values.has(oldValue)) {
        this.#remove(oldValue, ordinal);
      }
    }
    for (const value of values) {
      if (!oldValues.has(value)) {
        this.#add(value, ordinal);
      }
    }
  }

  #add(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (found === undefined) {
      this.#ordinals.set(value, ordinal);
    } else if (typeof found === 'number') {
      this.#ordinals.set(value, found < ordinal ? [found, ordinal] : [ordinal, found]);
    } else {
      // A new record is always the last; an older record can come before others when its value changes.
      const index = found.findLastIndex((each) => each < ordinal) + 1;
      found.splice(index, 0, ordinal);
    }
  }

  #remove(value: string, ordinal: Ordinal): void {
    const found = this.#ordinals.get(value);
    if (Array.isArray(found) && found.length > 1) {
      found.splice(found.lastIndexOf(ordinal), 1);
    } else {
      this.#ordinals.delete(value);
    }
  }
}

/** The index of the first ordinal that is not less than `from`; the ordinals ascend. */
function firstIndexFrom(from: Ordinal, ordinals: readonly Ordinal[]): number {
  let [low, high] = [0, ordinals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] ?? 0) < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
