import { formPartsIn } from '../../base/masking/form-parts.ts';
import type { Steps } from '../../base/steps.ts';
import { FORM_ESCAPES, type Found, JSON_ESCAPES, replaceAsRead } from './escapes.ts';
import { TextIndex } from './text-index.ts';

/** How a text may stand in a body, an address or a header. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  inJson,
  (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')),
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  inBytes,
  (text) => inBytes(inJson(text)),
  // Found in UTF-16 of either kind.
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
];

/** Secrets that are so long that they are replaced wherever they stand, but in a value that is none and has one in it. */
export class LongSecrets {
  /** What replaces a secret, by each of its spellings. */
  readonly #standIns = new Map<string, string>();
  readonly #index = new TextIndex();
  /** Values that are no secrets and have one in them, in each spelling. */
  readonly #whole = new Set<string>();
  /** Where each spelling is in such values: characters before it, and of all. */
  readonly #places = new Map<string, Map<string, { before: number; length: number }>>();

  /** Made in steps, as there may be many secrets. */
  static *of(standIns: ReadonlyMap<string, string>, known: Iterable<string>): Steps<LongSecrets> {
    const secrets = new LongSecrets();
    const raw = new TextIndex();
    for (const [secret, standIn] of standIns) {
      raw.add(secret);
      for (const spell of SPELLINGS) {
        secrets.#index.add(spell(secret));
        secrets.#standIns.set(spell(secret), spell(standIn));
      }
      yield;
    }
    for (const value of known) {
      secrets.#keepIn(value, raw);
      yield;
    }
    return secrets;
  }

  replace(text: string): string {
    if (this.#standIns.size === 0) {
      return text;
    }
    const find = (read: string) => this.#find(read);
    const standInOf = (spelling: string) => this.#standIns.get(spelling) ?? spelling;
    return [JSON_ESCAPES, FORM_ESCAPES].reduce(
      (replaced, escapes) => replaceAsRead(escapes, replaced, find, standInOf),
      replaceFound(text, this.#find(text), standInOf),
    );
  }

  /** Keeps where a value that is no secret has secrets in it. */
  #keepIn(value: string, raw: TextIndex): void {
    for (let index = 0; index < value.length; index += 1) {
      for (const secret of raw.allAt(value, index)) {
        for (const spell of SPELLINGS) {
          this.#keep(spell(value.slice(0, index)), spell(secret), spell(value.slice(index + secret.length)));
        }
      }
    }
  }

  #keep(before: string, secret: string, after: string): void {
    const place = { before: before.length, length: before.length + secret.length + after.length };
    const places = this.#places.get(secret) ?? new Map<string, typeof place>();
    this.#places.set(secret, places.set(`${place.before} of ${place.length}`, place));
    this.#whole.add(before + secret + after);
  }

  #find(text: string): Found[] {
    const all: Found[] = [];
    let keptUntil = 0;
    for (let match = this.#index.next(text, 0); match; ) {
      const { found, index } = match;
      keptUntil = Math.max(keptUntil, this.#endOfWhole(text, found, index));
      const isKept = index + found.length <= keptUntil;
      if (!isKept) {
        all.push({ found, index });
      }
      match = this.#index.next(text, isKept ? index + 1 : index + found.length);
    }
    return all;
  }

  /** Where the value ends that is no secret, and in which this one is; 0 where it is in none. */
  #endOfWhole(text: string, found: string, index: number): number {
    let end = 0;
    for (const { before, length } of this.#places.get(found)?.values() ?? []) {
      if (this.#whole.has(text.slice(Math.max(0, index - before), index - before + length))) {
        end = Math.max(end, index - before + length);
      }
    }
    return end;
  }
}

/** Texts behind one name. */
interface ValuesOfName {
  /** Longest first. */
  lengths: number[];
  values: Set<string>;
}

/** A name in a text, and what leads to its value. */
const NAMED = /(?<![\w-])([\w-]+)\\?["']?\s*[:=]\s*\[?\s*\\?["']?/g;

/** Secrets so short that they may be a part of any text: each is replaced behind its names alone. */
export class ShortSecrets {
  readonly #byName = new Map<string, ValuesOfName>();
  /** Names of other characters than words have, which are searched for one by one. */
  #oddNames: readonly RegExp[] = [];
  /** What replaces a secret, by each of its spellings. */
  readonly #standIns = new Map<string, string>();

  /** Made in steps; `others` are texts that stay whole, though one of the secrets may be their beginning. */
  static *of(
    names: ReadonlyMap<string, ReadonlySet<string>>,
    standIns: ReadonlyMap<string, string>,
    others: readonly string[],
  ): Steps<ShortSecrets> {
    const secrets = new ShortSecrets();
    const longer = longerThan(names, others);
    yield;
    for (const [secret, itsNames] of names) {
      const texts = [secret, ...(longer.get(secret) ?? [])].flatMap((text) => SPELLINGS.map((spell) => spell(text)));
      for (const name of itsNames) {
        secrets.#add(name, texts);
      }
      for (const spell of SPELLINGS) {
        secrets.#standIns.set(spell(secret), spell(standIns.get(secret) ?? secret));
      }
      yield;
    }
    for (const { values, lengths } of secrets.#byName.values()) {
      lengths.push(...new Set([...values].map(({ length }) => length)));
      lengths.sort((one, other) => other - one);
      yield;
    }
    secrets.#oddNames = [...secrets.#byName.keys()].filter((name) => !/^[\w-]+$/.test(name)).map(behindName);
    return secrets;
  }

  #add(name: string, texts: readonly string[]): void {
    const { values } = this.#byName.get(name) ?? { values: new Set<string>() };
    for (const text of texts.filter((each) => each !== '')) {
      values.add(text);
    }
    this.#byName.set(name, this.#byName.get(name) ?? { values, lengths: [] });
  }

  replace(text: string): string {
    if (this.#byName.size === 0) {
      return text;
    }
    const found: Found[] = [];
    for (const pattern of [NAMED, ...this.#oddNames]) {
      for (const { 0: whole, 1: name = '', index } of text.matchAll(pattern)) {
        this.#addValue(text, name, index + whole.length, found);
      }
    }
    for (const { name, from } of formPartsIn(text)) {
      this.#addValue(text, name, from, found);
    }
    const inOrder = found.toSorted((one, other) => one.index - other.index);
    const disjoint = inOrder.filter(({ index }, at) => index >= (at === 0 ? 0 : endOf(inOrder[at - 1])));
    return replaceFound(text, disjoint, (value) => this.#standIns.get(value) ?? value);
  }

  #addValue(text: string, name: string, at: number, found: Found[]): void {
    const { lengths, values } = this.#byName.get(name) ?? { lengths: [], values: new Set() };
    for (const length of lengths) {
      const value = text.slice(at, at + length);
      if (values.has(value) && !/[\w-]/.test(text.charAt(at + length))) {
        found.push({ found: value, index: at });
        return;
      }
    }
  }
}

/** For each short secret, the other texts that begin with it. */
function longerThan(names: ReadonlyMap<string, unknown>, others: readonly string[]): Map<string, string[]> {
  const longest = Math.max(0, ...[...names.keys()].map(({ length }) => length));
  const longer = new Map<string, string[]>();
  for (const other of others) {
    for (let length = 1; length <= Math.min(longest, other.length); length += 1) {
      const start = other.slice(0, length);
      if (names.has(start)) {
        longer.set(start, [...(longer.get(start) ?? []), other]);
      }
    }
  }
  return longer;
}

function endOf(place: Found | undefined): number {
  return place ? place.index + place.found.length : 0;
}

function behindName(name: string): RegExp {
  return new RegExp(`(?<![\\w-])(${escaped(name)})\\\\?["']?\\s*[:=]\\s*\\[?\\s*\\\\?["']?`, 'g');
}

function replaceFound(text: string, all: readonly Found[], replace: (found: string) => string): string {
  let replaced = '';
  let copied = 0;
  for (const { found, index } of all) {
    replaced += text.slice(copied, index) + replace(found);
    copied = index + found.length;
  }
  return replaced + text.slice(copied);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As a text of UTF-8 whose bytes are taken for characters. */
function inBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
