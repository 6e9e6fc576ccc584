import { type Steps, TextSteps } from '../steps.ts';

/** The kind of a value by its name. A `proof`, such as a signature, is computed from other values, which could be guessed from it. */
export type NamedKind = 'secret' | 'personal' | 'proof';
export type PlaceKind = NamedKind | 'card' | 'email';

/** A part of a text that must be masked. */
export interface FoundPlace {
  from: number;
  to: number;
  kind: PlaceKind;
  /** Its encoding, if it differs from the text around it. */
  encoding?: Encoding | undefined;
}

export type AddPlace = (place: FoundPlace) => void;

/** An encoding of characters in a text, such as JSON escapes. */
export interface Encoding {
  decode(text: string): string;
  encode(text: string): string;
}

/** Numbers that are stored for each part: begin, end, index of the stand-in, and whether the part has escapes. */
const FIELDS = 4;

/** Parts of a text and their replacements. Stored as numbers, because hundreds of thousands of objects would fill the memory. */
export class Replacements {
  #fields = new Uint32Array();
  #length = 0;
  #isInOrder = true;
  /** Equal stand-ins in sequence are stored once. */
  readonly #standIns: string[] = [];

  add(from: number, to: number, standIn: string, hasEscapes: boolean): void {
    const at = this.#length * FIELDS;
    if (at === this.#fields.length) {
      const larger = new Uint32Array(Math.max(4 * FIELDS, 2 * at));
      larger.set(this.#fields);
      this.#fields = larger;
    }
    if (standIn !== this.#standIns.at(-1)) {
      this.#standIns.push(standIn);
    }
    this.#isInOrder &&= at === 0 || from > this.#field(this.#length - 1, 0);
    this.#fields[at] = from;
    this.#fields[at + 1] = to;
    this.#fields[at + 2] = this.#standIns.length - 1;
    this.#fields[at + 3] = Number(hasEscapes);
    this.#length += 1;
  }

  /**
   * The text with its parts replaced. A part within another one is dropped, and two overlapping parts become one. If the same part was
   * found both in the encoded and in the decoded text, the latter has priority only if the part has escapes.
   */
  *applyTo(text: string, standInFor: (part: string) => string): Steps<string> {
    const steps = new TextSteps();
    const order = this.#isInOrder ? undefined : this.#sorted();
    let replaced = '';
    let copied = 0;
    for (let index = 0; index < this.#length; ) {
      const part = order?.[index] ?? index;
      const from = this.#field(part, 0);
      let to = this.#field(part, 1);
      let standIn = this.#standIns[this.#field(part, 2)] ?? '';
      for (index += 1; index < this.#length; index += 1) {
        const next = order?.[index] ?? index;
        if (this.#field(next, 0) >= to) {
          break;
        }
        if (this.#field(next, 1) > to) {
          to = this.#field(next, 1);
          standIn = standInFor(text.slice(from, to));
        }
      }
      replaced += text.slice(copied, from) + standIn;
      copied = to;
      if (steps.tryEndStep(copied)) {
        yield;
      }
    }
    return replaced + text.slice(copied);
  }

  /** The indexes of the parts in the order of the text. Not needed if they were added in this order, as most are. */
  #sorted(): number[] {
    return Array.from({ length: this.#length }, (_, index) => index).sort(
      (one, other) =>
        this.#field(one, 0) - this.#field(other, 0) ||
        this.#field(other, 1) - this.#field(one, 1) ||
        this.#field(other, 3) - this.#field(one, 3),
    );
  }

  #field(index: number, field: number): number {
    return this.#fields[index * FIELDS + field] ?? 0;
  }
}
