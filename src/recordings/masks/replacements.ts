import { digitsOf, isCardNumber } from '../../base/masking/card-numbers.ts';
import type { Kind } from '../../base/masking/places.ts';
import type { KnownPlace } from '../../base/masking/rules.ts';
import { Learned } from './learned.ts';
import { publicValues } from './public-values.ts';
import { StandIns } from './stand-ins.ts';

/** What stands for values, the same for the same, as long as this lives. */
export class Replacements {
  readonly #standIns: StandIns;
  readonly #learned = new Learned();
  readonly #public = publicValues();

  constructor(key: Uint8Array) {
    this.#standIns = new StandIns(key, this.#public);
  }

  /** What is learned from here on belongs to another exchange. */
  beginExchange(): void {
    this.#learned.beginExchange();
  }

  /** What stands for a value that was replaced before. */
  knownFor(value: string): string | undefined {
    return this.#learned.standInOf(value);
  }

  /** Where a text has values that were replaced before. */
  placesIn(text: string): KnownPlace[] {
    return this.#learned.placesIn(text);
  }

  forNumber(value: number, kind: Kind): number {
    const text = String(value);
    const known = this.#learned.standInOf(text);
    const drawn = this.#public.has(text) ? value : this.#standIns.number(value);
    if (kind !== 'proof' && known === undefined) {
      this.#learned.learn(text, String(drawn), { isPersonal: kind === 'personal' });
    }
    // Of a secret text, the stand-in is no number.
    return Number.isFinite(Number(known)) ? Number(known) : drawn;
  }

  forText(value: string, kind: Kind): string {
    if (value === '' || this.#isPublic(value)) {
      return value;
    }
    const known = this.#learned.standInOf(value);
    if (known !== undefined) {
      return known;
    }
    const standIn = this.#draw(value, kind);
    if (kind !== 'proof') {
      this.#learned.learn(value, standIn, {
        isPersonal: kind === 'email' || (kind === 'personal' && !isCardNumber(digitsOf(value))),
      });
    }
    this.#learnPassword(value);
    return standIn;
  }

  #isPublic(value: string): boolean {
    return this.#public.has(value) || (/^\d[\d\s-]+$/.test(value) && this.#public.has(digitsOf(value)));
  }

  #draw(value: string, kind: Kind): string {
    switch (kind) {
      case 'secret':
        return this.#standIns.secret(value);
      case 'card':
        // The same card, whatever stands between its digits.
        return this.#standIns.secret(digitsOf(value));
      case 'email':
        return this.#standIns.email(value);
      case 'proof':
        return this.#standIns.proof(value);
      case 'personal':
        return isCardNumber(digitsOf(value)) ? this.#draw(value, 'card') : this.#standIns.alike(value);
    }
  }

  /** Credentials of the scheme `Basic` have the password in them. */
  #learnPassword(credentials: string): void {
    const [, password = ''] =
      /^[\x20-\x7e]*?:([\x20-\x7e]+)$/.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    if (password !== '' && !this.#public.has(password)) {
      this.#learned.learn(password, this.#standIns.secret(password), { isPersonal: false });
    }
  }
}
