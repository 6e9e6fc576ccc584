import { createHash } from 'node:crypto';

/** Draws that are the same for the same seed. */
export class Draws {
  readonly #seed: number;
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A whole number from 0. */
  below(limit: number): number {
    this.#count += 1;
    return createHash('sha256').update(`${this.#seed} ${this.#count}`).digest().readUInt32BE() % limit;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.below(0xffff_ffff) }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }
}
