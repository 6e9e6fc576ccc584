import { createHash } from 'node:crypto';
import { isMembers } from '../base/members.ts';
import { isSecretName, secretLooksIn } from '../base/text/redact.ts';
import { passesLuhn } from '../domain/channels/redirect/cards.ts';
import type { CallEntry, HistoryEntry } from '../sessions/history-entry.ts';
import { FORM_ESCAPES, JSON_ESCAPES, replaceAsRead } from './escapes.ts';
import { jsonOf, secretsBelow, secretsOf, textsOf } from './found-secrets.ts';
import { headerPairs } from './header-pairs.ts';

/** A shorter secret may be a part of any text, and is replaced behind its name alone. */
const SHORTEST_ANYWHERE = 8;
const MARKS = /^(?:whsec_|eyJ)/;
/** Headers that say who is let in here, which is nobody's business elsewhere. */
const DROPPED = /^(?:cookie|x-sandbox-control-token)$/i;

/**
 * Replaces secrets by texts that look alike, each by the same one wherever it stands: a call with the right key has the right key
 * still, and a signature still verifies. What the sandbox itself gave out is no secret, nor what everybody has who installs it.
 */
export class StandIns {
  /** Values that are no secrets. */
  readonly #known: Set<string>;
  readonly #isGivenOut: (token: string) => boolean;
  readonly #standIns = new Map<string, string>();
  /** The members that short secrets stand in. */
  readonly #names = new Map<string, Set<string>>();
  #pattern: RegExp | undefined;
  #spellings = new Map<string, string>();

  /**
   * `known` are values that are no secrets; `given`, what stands for secrets that the sandbox gave out; `isGivenOut` tells its tokens,
   * which it may have given out before.
   */
  constructor(known: Iterable<string>, given: ReadonlyMap<string, string>, isGivenOut: (token: string) => boolean) {
    this.#known = new Set(known);
    this.#isGivenOut = isGivenOut;
    for (const [secret, standIn] of given) {
      this.#standIns.set(secret, standIn);
    }
  }

  /** The values below secret names are secrets. */
  learn(value: unknown): void {
    for (const { name, secret } of secretsBelow(value)) {
      this.#add(name, secret);
    }
  }

  /** Entries must come in their order: what an answer gives out is no secret from then on. */
  learnFrom(entry: HistoryEntry): void {
    if (entry.kind === 'call') {
      this.#learnFromCall(entry);
    } else if (entry.kind === 'answer' && entry.answer) {
      for (const { secret } of secretsBelow(jsonOf(entry.answer.text))) {
        if (!this.#standIns.has(secret)) {
          this.#known.add(secret);
        }
      }
    }
  }

  inText(text: string): string {
    return this.#behindNames(this.#everywhere(text));
  }

  inValue<Value>(value: Value): Value;
  inValue(value: unknown): unknown {
    if (typeof value === 'string') {
      return this.#everywhere(value);
    }
    if (Array.isArray(value)) {
      return value.map((each: unknown) => this.inValue(each));
    }
    return isMembers(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            this.#everywhere(name),
            isSecretName(name) && typeof member === 'string'
              ? (this.#standIns.get(member) ?? this.#everywhere(member))
              : this.inValue(member),
          ]),
        )
      : value;
  }

  inEntry(entry: HistoryEntry): HistoryEntry {
    switch (entry.kind) {
      case 'call':
        return {
          ...entry,
          target: this.inText(entry.target),
          headers: this.#inHeaders(entry.headers),
          body: entry.body && Buffer.from(this.inText(entry.body.toString('latin1')), 'latin1'),
        };
      case 'answer':
        return entry.answer ? { ...entry, answer: this.#inBoth(entry.answer) } : entry;
      case 'sent': {
        const { message, outcome } = entry;
        const { url, body, headers } = message;
        const replaced = { url: this.inText(url), body: this.inText(body), headers: this.inValue(headers) };
        return { ...entry, message: { ...message, ...replaced }, outcome: this.inValue(outcome) };
      }
      default:
        return entry;
    }
  }

  #inBoth<Answer extends { headers: Readonly<Record<string, string>>; text: string }>(answer: Answer): Answer {
    return { ...answer, headers: this.inValue(answer.headers), text: this.inText(answer.text) };
  }

  #inHeaders(headers: readonly string[]): string[] {
    return headerPairs(headers)
      .filter(([name]) => !DROPPED.test(name))
      .flatMap(([name, value]) => [name, this.#everywhere(value)]);
  }

  #learnFromCall(call: CallEntry): void {
    for (const { name, secret } of secretsOf(call)) {
      this.#add(name, secret);
    }
    this.#learnLooks(call.target, ...textsOf(call.body), ...call.headers);
  }

  /** Card numbers, and tokens that the sandbox did not give out. */
  #learnLooks(...texts: readonly string[]): void {
    for (const { cards, tokens } of texts.map(secretLooksIn)) {
      for (const card of cards.filter((text) => passesLuhn(digitsOf(text)) && !this.#known.has(digitsOf(text)))) {
        this.#add('card number', card);
      }
      for (const token of tokens) {
        this.#add('token', token);
      }
    }
  }

  #add(name: string, secret: string): void {
    const isNone = secret === '' || this.#known.has(secret) || this.#isGivenOut(secret);
    if (isNone || this.#standIns.has(secret)) {
      if (secret.length < SHORTEST_ANYWHERE && this.#standIns.has(secret)) {
        this.#names.get(secret)?.add(name);
      }
      return;
    }
    this.#standIns.set(secret, standInFor(secret, this.#standIns.size));
    if (secret.length < SHORTEST_ANYWHERE) {
      this.#names.set(secret, new Set([name]));
    }
    this.#pattern = undefined;
  }

  #everywhere(text: string): string {
    if (!this.#pattern) {
      this.#compile();
    }
    const pattern = this.#pattern;
    const standInOf = (spelling: string) => this.#spellings.get(spelling) ?? spelling;
    return pattern
      ? [JSON_ESCAPES, FORM_ESCAPES].reduce(
          (replaced, escapes) => replaceAsRead(escapes, replaced, pattern, standInOf),
          text.replace(pattern, standInOf),
        )
      : text;
  }

  #compile(): void {
    this.#spellings = new Map();
    for (const [secret, standIn] of this.#standIns) {
      if (secret.length >= SHORTEST_ANYWHERE) {
        for (const spell of SPELLINGS) {
          this.#spellings.set(spell(secret), spell(standIn));
        }
      }
    }
    // The longest first: one may be the beginning of another.
    const all = [...this.#spellings.keys()].sort((one, other) => other.length - one.length).map(escaped);
    this.#pattern = new RegExp(all.length > 0 ? all.join('|') : '(?!)', 'g');
  }

  #behindNames(text: string): string {
    let replaced = text;
    for (const [secret, names] of this.#names) {
      const named = [...names].map(escaped).join('|');
      const inFields = `(?<![\\w-])(?:${named})\\\\?["']?\\s*[:=]\\s*\\[?\\s*\\\\?["']?`;
      const inParts = `\\bname="(?:${named})"[^\\r\\n]*(?:\\r?\\n[^\\r\\n]+)*\\r?\\n\\r?\\n`;
      const pattern = new RegExp(`(${inFields}|${inParts})${escaped(secret)}(?![\\w-])`, 'g');
      const standIn = this.#standIns.get(secret) ?? secret;
      replaced = replaced.replace(pattern, (_, before: string) => `${before}${standIn}`);
    }
    return replaced;
  }
}

/** How a text may stand in a body, an address or a header. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')),
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  (text) => Buffer.from(text).toString('latin1'),
  // Found in UTF-16 of either kind.
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
];

/** As long as the secret, of the same kinds of characters, and nothing that tells of it. */
function standInFor(secret: string, number: number): string {
  const [mark = ''] = MARKS.exec(secret) ?? [];
  const rest = secret.slice(mark.length);
  const bytes = createHash('shake256', { outputLength: Math.max(rest.length, 1) })
    .update(`stand-in ${number}`)
    .digest();
  const drawn = rest
    .split('')
    .map((character, index) => drawnLike(character, bytes[index] ?? 0))
    .join('');
  return mark + (/^\d[\d\s-]{11,}\d$/.test(secret) ? checkedLike(secret, drawn) : drawn);
}

const DIGITS = '0123456789';
/** No digit is drawn that a number in JSON cannot begin with. */
const KINDS = [DIGITS.slice(1), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const;

function drawnLike(character: string, byte: number): string {
  const kind = character === '0' ? KINDS[0] : KINDS.find((characters) => characters.includes(character));
  return kind?.[byte % kind.length] ?? (character.charCodeAt(0) > 127 ? 'x' : character);
}

/** The check digit of a card number is right where it was. */
function checkedLike(secret: string, drawn: string): string {
  const isRight = (text: string) => passesLuhn(digitsOf(text));
  const candidates = [...DIGITS].map((digit) => drawn.slice(0, -1) + digit);
  return candidates.find((candidate) => isRight(candidate) === isRight(secret)) ?? drawn;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
