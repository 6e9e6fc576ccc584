import { createHash, createHmac } from 'node:crypto';
import { digitsOf, isCardNumber } from '../../base/masking/card-numbers.ts';
import type { Kind } from '../../base/masking/places.ts';
import { MASK } from '../../base/masking/redact.ts';

/** A stand-in as a whole, or a mask of the request log: what is masked again stays. */
const STAND_IN = /^\*{3}(?:[\da-f]{8})?$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** A phone or an account: signs and digits. */
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;

/**
 * Makes what stands for a value: the same for the same value, by a key that is nowhere kept, so that nobody can tell it from the value
 * by trying. Phones and e-mail addresses stay such, because a sandbox refuses a call with others.
 */
export class StandIns {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  text(value: string, kind: Kind): string {
    if (STAND_IN.test(value)) {
      return value;
    }
    if (kind === 'card' || isCardNumber(digitsOf(value))) {
      // The same card, whatever stands between its digits.
      return this.#token(digitsOf(value));
    }
    if (kind === 'email' || (kind === 'personal' && EMAIL.test(value))) {
      return `x${this.#seed(value.toLowerCase()).toString('hex', 0, 4)}@example.test`;
    }
    return kind === 'personal' && NUMBER.test(value) ? this.#number(value) : this.#token(value);
  }

  /** Other digits, in a number as JSON writes it. */
  number(value: number): number {
    const [digits = '', exponent = ''] = String(value).split(/(?=e)/);
    return Number(this.#number(digits) + exponent);
  }

  #token(value: string): string {
    return `${MASK}${this.#seed(value).toString('hex', 0, 4)}`;
  }

  /** Another digit for each, but for a zero at the beginning, by which a phone number is of its own country. */
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
