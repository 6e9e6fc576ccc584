import { type Ordinal, ValueIndex } from './value-index.ts';

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/**
 * Which records may have an id, as a ValueIndex says it of a field. Nearly every id ends in a number, and the records follow each
 * other by it: where the first one stands says where the others do, and only those that stand elsewhere are kept.
 */
export class IdIndex {
  readonly #elsewhere = new ValueIndex('id');
  /** The number that the record with the ordinal 0 has, or would have. */
  #start: number | undefined;

  /** The ordinals that a record with an id may have, the likeliest first. */
  get(id: string): readonly Ordinal[] {
    return [this.#expected(id), ...this.#elsewhere.get(id)];
  }

  add(id: string, ordinal: Ordinal): void {
    this.#start ??= numberAtEnd(id) - ordinal;
    if (ordinal !== this.#expected(id)) {
      this.#elsewhere.add(id, ordinal);
    }
  }

  remove(id: string, ordinal: Ordinal): void {
    if (ordinal !== this.#expected(id)) {
      this.#elsewhere.remove(id, ordinal);
    }
  }

  #expected(id: string): Ordinal {
    return numberAtEnd(id) - (this.#start ?? 0);
  }
}

/** payment-12 → 12; 0 where there is none. */
function numberAtEnd(id: string): number {
  let number = 0;
  let unit = 1;
  for (let at = id.length - 1; at >= 0; at -= 1) {
    const digit = id.charCodeAt(at);
    if (digit < ZERO || digit > NINE) {
      break;
    }
    number += (digit - ZERO) * unit;
    unit *= 10;
  }
  return number;
}
