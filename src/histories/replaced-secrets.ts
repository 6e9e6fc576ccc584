import { FORM_ESCAPES, type Found, JSON_ESCAPES, replaceAsRead } from './escapes.ts';

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
  readonly #pattern: RegExp;
  /** What stands for a secret, by each of its spellings. */
  readonly #standIns = new Map<string, string>();
  /** Values that are no secrets and have one in them, in each spelling. */
  readonly #whole = new Set<string>();
  /** Where each spelling stands in such values: characters before it, and of all. */
  readonly #places = new Map<string, Map<string, { before: number; length: number }>>();

  constructor(standIns: ReadonlyMap<string, string>, known: ReadonlySet<string>) {
    for (const [secret, standIn] of standIns) {
      const around = [...known].flatMap((value) => partsAround(secret, value));
      for (const spell of SPELLINGS) {
        this.#standIns.set(spell(secret), spell(standIn));
        for (const [before, after] of around) {
          this.#keep(spell(before), spell(secret), spell(after));
        }
      }
    }
    const all = longestFirst(this.#standIns.keys()).map(escaped);
    this.#pattern = new RegExp(all.length > 0 ? all.join('|') : '(?!)', 'g');
  }

  replace(text: string): string {
    const find = (read: string) => this.#find(read);
    const standInOf = (spelling: string) => this.#standIns.get(spelling) ?? spelling;
    return [JSON_ESCAPES, FORM_ESCAPES].reduce(
      (replaced, escapes) => replaceAsRead(escapes, replaced, find, standInOf),
      replaceFound(text, this.#find(text), standInOf),
    );
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
    this.#pattern.lastIndex = 0;
    for (let match = this.#pattern.exec(text); match; match = this.#pattern.exec(text)) {
      const { 0: found, index } = match;
      keptUntil = Math.max(keptUntil, this.#endOfWhole(text, found, index));
      if (index + found.length <= keptUntil) {
        this.#pattern.lastIndex = index + 1;
      } else {
        all.push({ found, index });
      }
    }
    return all;
  }

  /** Where the value ends that is no secret, and in which this one stands; 0 where it stands in none. */
  #endOfWhole(text: string, found: string, index: number): number {
    const places = [...(this.#places.get(found)?.values() ?? [])];
    const ends = places
      .filter(({ before, length }) => this.#whole.has(text.slice(Math.max(0, index - before), index - before + length)))
      .map(({ before, length }) => index - before + length);
    return Math.max(0, ...ends);
  }
}

/** Secrets so short that they may be a part of any text: each is replaced behind its names alone. */
export class ShortSecrets {
  readonly #patterns: readonly RegExp[];
  /** What stands for a secret, by each of its spellings. */
  readonly #standIns = new Map<string, string>();

  /** `others` are texts that stay whole, though one of the secrets may be their beginning. */
  constructor(
    names: ReadonlyMap<string, ReadonlySet<string>>,
    standIns: ReadonlyMap<string, string>,
    others: readonly string[],
  ) {
    const secrets = new Map<string, string[]>();
    for (const [secret, itsNames] of names) {
      for (const name of itsNames) {
        secrets.set(name, [...(secrets.get(name) ?? []), secret]);
      }
      for (const spell of SPELLINGS) {
        this.#standIns.set(spell(secret), spell(standIns.get(secret) ?? secret));
      }
    }
    this.#patterns = [...secrets].map(([name, itsSecrets]) => {
      const longer = others.filter((other) => itsSecrets.some((secret) => other.startsWith(secret)));
      return behindName(name, [...itsSecrets, ...longer]);
    });
  }

  replace(text: string): string {
    return this.#patterns.reduce(
      (replaced, pattern) =>
        replaced.replace(pattern, (_, before: string, found: string) => before + (this.#standIns.get(found) ?? found)),
      text,
    );
  }
}

function behindName(name: string, values: readonly string[]): RegExp {
  const inFields = `(?<![\\w-])${escaped(name)}\\\\?["']?\\s*[:=]\\s*\\[?\\s*\\\\?["']?`;
  const inParts = `\\bname="${escaped(name)}"[^\\r\\n]*(?:\\r?\\n[^\\r\\n]+)*\\r?\\n\\r?\\n`;
  const spellings = new Set(values.flatMap((value) => SPELLINGS.map((spell) => spell(value))));
  const anyOf = longestFirst(spellings).map(escaped).join('|');
  return new RegExp(`(${inFields}|${inParts})(${anyOf})(?![\\w-])`, 'g');
}

/** What stands before and behind a text in a longer one, wherever it stands there. */
function partsAround(text: string, longer: string): [before: string, after: string][] {
  const parts: [string, string][] = [];
  for (let index = longer.indexOf(text); index !== -1; index = longer.indexOf(text, index + 1)) {
    parts.push([longer.slice(0, index), longer.slice(index + text.length)]);
  }
  return parts;
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

/** One may be the beginning of another. */
function longestFirst(texts: Iterable<string>): string[] {
  return [...texts].sort((one, other) => other.length - one.length);
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
