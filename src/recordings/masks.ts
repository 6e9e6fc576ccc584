import { randomBytes } from 'node:crypto';
import { isMembers } from '../base/members.ts';
import type { RecordedAnswer, RecordedBody, RecordedHeader, RecordedPart } from '../base/schema/recordings.ts';
import { isCardNumber, SECRET_HEADERS } from '../base/text/redact.ts';
import { headerOf } from './body.ts';
import { placesInMarkup } from './masks/markup.ts';
import { type Kind, NAMING, Names, PERSONAL_NAMES } from './masks/names.ts';
import { withoutPictures } from './masks/pictures.ts';
import { asItStands, type Reading, readingsOf } from './masks/reading.ts';
import { type Place, replaced, type SpelledPlace } from './masks/replaced.ts';
import { Replacements } from './masks/replacements.ts';
import {
  type FoundPlace,
  isCard,
  isPartOfName,
  jsonInText,
  placesInAny,
  placesInBroken,
  placesInQuotes,
} from './masks/text-places.ts';
import type { Exchange } from './recording.ts';

/** A header's value: its scheme, if it has one, and the rest. */
const CREDENTIALS = /^((?:Bearer|Basic|Digest|Token|ApiKey|HMAC)\s+)?([\s\S]*)$/i;
const VALUE = /^(?:value|val|rejectedValue)$/i;
/** What says where something is, such as the photo of a payer, and is nobody's address. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const ONE_PICTURE = /^(?:data:image\/[\w.+-]+;base64,)?[\w+/-]+={0,2}$/;
/** JSON in another text. */
const JSON_BEGINS = /[[{]\s*["{[]/;
const COOKIE = /([^=;\s]+=)([^;]*)/g;

/** What stands above a member. */
interface Above {
  owner?: string;
  above?: Kind | undefined;
}

/**
 * Masks what is secret or personal in exchanges before they are written. The same value gets the same stand-in as long as this lives, so
 * that a token of one answer is recognised in a later call; what it was, nobody can find out.
 */
export class Masks {
  /** The members that are masked beside those of the request log. */
  readonly names: readonly string[];
  readonly #names: Names;
  readonly #replacements: Replacements;

  /** `more` are members that are personal, too. */
  constructor(more: readonly string[] = [], key: Uint8Array = randomBytes(32)) {
    this.names = [...PERSONAL_NAMES, ...more];
    this.#names = new Names(more);
    this.#replacements = new Replacements(key);
  }

  inExchange<Masked extends Exchange>(exchange: Masked): Masked {
    this.#replacements.beginExchange();
    // What the answer tells may stand in the call, too: the first time is for learning alone.
    this.#inExchange(exchange);
    return this.#inExchange(exchange);
  }

  #inExchange<Masked extends Exchange>(exchange: Masked): Masked {
    const { target, headers, body, answer, error } = exchange;
    return {
      ...exchange,
      target: this.#inText(target),
      ...this.#inMessage({ headers, body }),
      answer: answer && { ...answer, ...this.#inMessage(answer) },
      error: error && this.#inText(error),
    };
  }

  #inMessage({ headers, body }: Pick<NonNullable<RecordedAnswer>, 'headers' | 'body'>) {
    return { headers: headers.map((header) => this.#inHeader(header)), body: this.#inBody(body, headers) };
  }

  #inHeader({ name, value }: RecordedHeader): RecordedHeader {
    const lower = name.toLowerCase();
    const masked = { name: this.#inName(name), value };
    if (lower === 'cookie') {
      return { ...masked, value: this.#inCookies(value) };
    }
    if (lower === 'set-cookie') {
      const [cookie = '', attributes = ''] = value.split(/(?=;)(.*)/s);
      return { ...masked, value: this.#inCookies(cookie) + attributes };
    }
    const kind = SECRET_HEADERS.has(lower) ? 'secret' : this.#names.kindOfHeader(name);
    return { ...masked, value: kind ? this.#inNamed(value, kind) : this.#inText(value) };
  }

  #inCookies(value: string): string {
    return value.includes('=')
      ? value.replace(COOKIE, (_, name: string, cookie: string) => name + this.#replacements.forText(cookie, 'secret'))
      : this.#replacements.forText(value, 'secret');
  }

  #inBody(body: RecordedBody, headers: readonly RecordedHeader[]): RecordedBody {
    if (body === null || 'bytes' in body) {
      return body;
    }
    if ('json' in body) {
      return { json: this.#inValue(body.json) };
    }
    if ('form' in body) {
      return { form: body.form.map((part) => this.#inPart(part)) };
    }
    const isForm = /x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
    return { text: isForm ? this.#inText(`?${body.text}`).slice(1) : this.#inText(body.text, { isBroken: true }) };
  }

  #inPart(part: RecordedPart): RecordedPart {
    const name = this.#inWholeName(part.name);
    if ('value' in part) {
      return { name, value: this.#inMember(part.name, part.value) };
    }
    const head = Buffer.from(part.head, 'base64');
    // The beginning of a text tells what stands in it.
    const text = head.every((byte) => byte >= 0x20 || /\s/.test(String.fromCharCode(byte)))
      ? this.#inText(head.toString('latin1'), { isBroken: true })
      : head.toString('latin1');
    return {
      ...part,
      name,
      fileName: this.#inText(part.fileName),
      head: Buffer.from(text, 'latin1').subarray(0, head.length).toString('base64'),
    };
  }

  /** What stands for a JSON value. */
  #inValue<Value>(value: Value, owner?: string): Value;
  #inValue(value: unknown, owner = ''): unknown {
    if (typeof value === 'string') {
      return this.#inText(value);
    }
    if (typeof value === 'number') {
      return this.#inNumber(value);
    }
    if (Array.isArray(value)) {
      return value.map((each: unknown) => this.#inValue(each, owner));
    }
    return isMembers(value) ? this.#inMembers(value, { owner }) : value;
  }

  /** `owner`: the member that holds these. */
  #inMembers(value: Record<string, unknown>, { owner = '', above }: Above): Record<string, unknown> {
    // Lists of names and values tell the name in another member.
    const [, named] = Object.entries(value).find(([name, text]) => NAMING.test(name) && typeof text === 'string') ?? [];
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        this.#inWholeName(name),
        this.#inMember(VALUE.test(name) && typeof named === 'string' ? named : name, member, { owner, above }),
      ]),
    );
  }

  #inMember<Value>(name: string, member: Value, from?: Above): Value;
  #inMember(name: string, member: unknown, { owner = '', above }: Above = {}): unknown {
    const kind = this.#names.kindOfMember(name, owner) ?? (isCardNumber(name, member) ? 'secret' : above);
    return kind === undefined ? this.#inValue(member, name) : this.#inNamed(member, kind);
  }

  /** What stands for a value that a name tells of; below it, that holds for all that no other name tells of. */
  #inNamed<Value>(value: Value, kind: Kind): Value;
  #inNamed(value: unknown, kind: Kind): unknown {
    if (typeof value === 'string') {
      const json = jsonInText(value);
      if (json) {
        return JSON.stringify(this.#inNamed(json, kind));
      }
      if (kind !== 'secret' && ADDRESS.test(value)) {
        return this.#inText(value);
      }
      const [, scheme = '', secret = value] = (kind === 'secret' && CREDENTIALS.exec(value)) || [];
      return scheme + this.#replacements.forText(secret, kind);
    }
    if (typeof value === 'number') {
      return this.#replacements.forNumber(value, kind);
    }
    if (Array.isArray(value)) {
      return value.map((each: unknown) => this.#inNamed(each, kind));
    }
    return isMembers(value) ? this.#inMembers(value, { above: kind }) : value;
  }

  #inNumber(value: number): number {
    const text = String(value);
    const isKnown = this.#replacements.knownFor(text) !== undefined || (Number.isInteger(value) && isCard(text));
    return isKnown ? this.#replacements.forNumber(value, 'personal') : value;
  }

  #inText(given: string, { isBroken = false } = {}): string {
    const text = withoutPictures(given);
    if (text !== given && ONE_PICTURE.test(text)) {
      return text;
    }
    const json = isBroken ? undefined : jsonInText(text);
    if (json) {
      const [came, masked] = [JSON.stringify(json), JSON.stringify(this.#inValue(json))];
      return came === masked ? text : masked;
    }
    const markup = placesInMarkup(text, this.#names);
    const places = readingsOf(text).flatMap((reading) => {
      const learned = this.#replacements.placesIn(reading.text).filter((place) => !isPartOfName(reading.text, place));
      const named = markup ? [] : this.#placesByName(reading, isBroken);
      return this.#spelled(reading, [...named, ...placesInAny(reading.text, this.#names)], learned);
    });
    const inMarkup = this.#spelled(asItStands(text), markup ?? [], []);
    return replaced(text, [...inMarkup, ...places], (part) => this.#replacements.forText(part, 'secret'));
  }

  /** A name says what a value is. What looks like a secret in it is replaced, and no word that is learned elsewhere. */
  #inName(name: string): string {
    const places = readingsOf(name).flatMap((reading) =>
      this.#spelled(reading, placesInAny(reading.text, this.#names), []),
    );
    return replaced(name, places, (part) => this.#replacements.forText(part, 'secret'));
  }

  /** Some list values by others, such as a phone number: a name that is a value as a whole. */
  #inWholeName(name: string): string {
    return this.#replacements.knownFor(name) ?? this.#inName(name);
  }

  #placesByName({ text }: Reading, isBroken: boolean): FoundPlace[] {
    return isBroken || JSON_BEGINS.test(text) ? placesInBroken(text, this.#names) : placesInQuotes(text, this.#names);
  }

  /** Where they stand as the text is written, and with what in their place. */
  #spelled({ text, startOf, spelling }: Reading, found: readonly FoundPlace[], learned: readonly Place[]) {
    const places = found.map(({ from, to, kind, spelling: own }) => {
      const other = own === spelling ? undefined : own;
      const value = text.slice(from, to);
      const standIn = this.#replacements.forText(other ? value.replace(other.run, other.read) : value, kind);
      return { from, to, standIn: other ? other.write(standIn) : standIn };
    });
    return [...places, ...learned].map(
      ({ from, to, standIn }): SpelledPlace => ({
        from: startOf(from),
        to: startOf(to),
        standIn: spelling ? spelling.write(standIn) : standIn,
        isSpelled: startOf(to) - startOf(from) !== to - from,
      }),
    );
  }
}
