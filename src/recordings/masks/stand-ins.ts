import { createHash, createHmac } from 'node:crypto';
import { digitsOf, isCardNumber } from '../../base/masking/card-numbers.ts';
import type { PlaceKind } from '../../base/masking/places.ts';
import { MASK } from '../../base/masking/redact.ts';

/** A stand-in that is a token, or a mask of the request log; masking it again does not change it. */
const STAND_IN = /^\*{3}(?:[\da-f]{8})?$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** A phone or account number: digits and punctuation. */
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;

/**
 * Creates stand-ins, the same one for the same value. Values cannot be guessed from them, because the key is never written to disk.
 * Phone numbers and e-mail addresses keep their format, because a sandbox refuses other formats.
 */
export class StandIns {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  forText(value: string, kind: PlaceKind): string {
    if (STAND_IN.test(value)) {
      return value;
    }
    if (kind === 'card' || isCardNumber(digitsOf(value))) {
      // A card gets the same stand-in whatever its separators.
      return this.#token(digitsOf(value));
    }
    if (kind === 'email' || (kind === 'personal' && EMAIL.test(value))) {
      return `x${this.#seed(value.toLowerCase()).toString('hex', 0, 4)}@example.test`;
    }
    return kind === 'personal' && NUMBER.test(value) ? this.#number(value) : this.#token(value);
  }

  /** Replaces the digits of a JSON number. */
  forNumber(value: number): number {
    const [digits = '', exponent = ''] = String(value).split(/(?=e)/);
    return Number(this.#number(digits) + exponent);
  }

  #token(value: string): string {
    return `${MASK}${this.#seed(value).toString('hex', 0, 4)}`;
  }

  /** Replaces each digit except a leading zero, which marks a national phone number. */
  #number(value: string): string {
    const bytes = createHash('shake256', { outputLength: value.length })
      .update(this.#seed(digitsOf(value)))
      .digest();
    let index = 0;
    return value.replace(/\d/g, (digit, at: number) => {
      const shift = (bytes[index] ?? 0) % 8;
      index += 1;
      return digit === '0' && at === 0 ? digit : String(1 + ((Number(digit) + shift) % 9));
    });
  }

  #seed(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
