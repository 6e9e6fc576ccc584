/** Maps offsets in a decoded text to offsets in the encoded text. Stores only the ends of escapes, because the text between them is the same. */
export class OffsetMap {
  readonly #previousLevel: OffsetMap | undefined;
  /** Pairs of an offset in the decoded text and the offset in the encoded text. */
  #ends = new Uint32Array(256);
  #length = 2;
  /** The index of the last result, because most offsets are looked up in ascending order. */
  #index = 0;

  constructor(previousLevel: OffsetMap | undefined) {
    this.#previousLevel = previousLevel;
  }

  add(decoded: number, encoded: number): void {
    if (this.#length === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#length] = decoded;
    this.#ends[this.#length + 1] = encoded;
    this.#length += 2;
  }

  encodedOffset(at: number): number {
    const ends = this.#ends;
    while ((ends[this.#index] ?? 0) > at) {
      this.#index -= 2;
    }
    while (this.#index + 2 < this.#length && (ends[this.#index + 2] ?? 0) <= at) {
      this.#index += 2;
    }
    const place = (ends[this.#index + 1] ?? 0) + at - (ends[this.#index] ?? 0);
    return this.#previousLevel ? this.#previousLevel.encodedOffset(place) : place;
  }
}
