import { createHash, createHmac } from 'node:crypto';
import { MASK } from '../../base/masking/redact.ts';

/** What stands for a secret in a recording. */
export const MASKED = /\*{3}[\da-f]{8}/;
/** The same as a whole, or as the request log has it: what is masked again stays. */
const SECRET_STAND_IN = new RegExp(`^(?:${MASKED.source}|\\*{3})$`);
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Of a signature or a hash: not what says which kind it is, and no name of one of several values. */
const PROOF_RUN = /[\w+/.-]{8,}(?![\w+/.-]*=["'\w])/g;
/** So often another text is drawn: of some values there are few alike, and of dashes there is no other. */
const MOST_DRAWS = 20;

const DIGITS = '123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const HEXADECIMAL = 'abcdef';

/**
 * Draws what stands for a value: the same for the same value, by a key that is nowhere kept, so that nobody can tell it from the
 * value by trying.
 */
export class StandIns {
  readonly #key: Uint8Array;
  /** Values that mean something to a sandbox, such as its test accounts. */
  readonly #taken: ReadonlySet<string>;

  constructor(key: Uint8Array, taken: ReadonlySet<string>) {
    this.#key = key;
    this.#taken = taken;
  }

  secret(value: string): string {
    return SECRET_STAND_IN.test(value) ? value : `${MASK}${this.#seed(value).toString('hex', 0, 4)}`;
  }

  /** Another text of the same shape: digits for digits, letters for letters, an e-mail address for one. */
  alike(value: string): string {
    return EMAIL.test(value) ? this.email(value) : this.#drawAlike(value);
  }

  email(value: string): string {
    return `x${this.#seed(value.toLowerCase()).toString('hex', 0, 4)}@example.test`;
  }

  proof(value: string): string {
    return value.replace(PROOF_RUN, (run) => this.#drawAlike(run));
  }

  /** Other digits, in a number as JSON writes it. */
  number(value: number): number {
    const text = String(value);
    const [digits = '', exponent = ''] = text.split(/(?=e)/);
    return Number(this.#drawAlike(digits) + exponent);
  }

  #drawAlike(value: string): string {
    const characters = [...value];
    const letters = /^[\da-f]{16,}$/i.test(value) ? HEXADECIMAL : LOWER;
    for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
      const drawn = this.#draw(coreOf(value), draw, characters, letters);
      if (drawn !== value && !this.#taken.has(drawn)) {
        return drawn;
      }
    }
    return value;
  }

  /** Signs around the value and its case change nothing: a phone number is the same with a `+`, a name in capitals. */
  #draw(core: string, draw: number, characters: readonly string[], letters: string): string {
    const bytes = createHash('shake256', { outputLength: Math.max(characters.length, 1) })
      .update(this.#seed(`${draw} ${core.toLowerCase()}`))
      .digest();
    let drawn = 0;
    return characters
      .map((character, index) => {
        // A number does not begin with a zero unless it is one, and a phone number does where it is called from its own country.
        const kind = character === '0' && index === 0 ? undefined : kindOf(character, letters);
        if (kind === undefined) {
          return character;
        }
        const byte = bytes[drawn] ?? 0;
        drawn += 1;
        return kind[byte % kind.length] ?? character;
      })
      .join('');
  }

  #seed(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/** The characters that one is drawn from; undefined where it stays. */
function kindOf(character: string, letters: string): string | undefined {
  if (/\d/.test(character)) {
    return DIGITS;
  }
  if (/\p{Lu}/u.test(character)) {
    return letters.toUpperCase();
  }
  return /\p{L}/u.test(character) ? letters : undefined;
}

/** A text from its first letter or digit to its last one. */
export function coreOf(text: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text)?.[0] ?? text;
}
