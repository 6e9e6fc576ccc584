import { isMembers } from '../members.ts';
import { CHARACTERS_OF_A_STEP, runSteps, type Steps } from '../steps.ts';
import { isCardNumber } from './card-numbers.ts';
import type { NamedKind } from './places.ts';
import { type MaskRules, standInOf } from './rules.ts';
import { mayHoldMembers, roleInPair } from './secret-names.ts';
import { jsonIn, maskedText, type Signs, signsIn } from './text.ts';

/** The context of a member: its owner, and the secret that an outer name announces. */
interface Above {
  owner: string;
  /** The kind of the nearest outer name that marks everything below it as secret. */
  kind: NamedKind | undefined;
  depth: number;
}

const TOP: Above = { owner: '', kind: undefined, depth: 0 };
/** Deeper values are masked as a whole, because reading them by recursion could fail. */
const DEEPEST = 500;
const SCHEME = /^((?:Bearer|Basic|Digest|Token|ApiKey|HMAC)\s+)?([\s\S]*)$/i;
const COOKIE = /([^=;\s]+=)([^;]*)/g;
/** The address of a resource is not personal data. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Masks secrets in JSON values, texts and headers, by name and by form, also in texts that are encoded in others. Everything that is
 * logged, stored or sent is masked here; the rules add further secrets and choose the replacements.
 */
export class Masker {
  readonly #rules: MaskRules;
  readonly #nameRules: MaskRules;
  #unread = CHARACTERS_OF_A_STEP;

  constructor(rules: MaskRules) {
    const { knownIn: _, ...nameRules } = rules;
    this.#rules = rules;
    this.#nameRules = nameRules;
  }

  value(value: unknown): Steps<unknown> {
    return this.#value(value, TOP);
  }

  /** A member, a parameter or a part of a form. */
  member(name: string, value: unknown): Steps<unknown> {
    return this.#member(name, value, TOP);
  }

  /** The name of a member. Names are not masked by name, only secrets that are recognizable by their form. */
  name(name: string): string {
    const known = this.#rules.replaceName?.(name);
    const signs = known === undefined ? signsIn(name, this.#nameRules) : undefined;
    return signs ? runSteps(maskedText(name, this.#nameRules, signs, false)) : (known ?? name);
  }

  /** `isStructured`: made of names and values throughout, such as a body that could not be read. */
  *text(given: string, { isStructured = false } = {}): Steps<string> {
    const text = this.#prepared(given);
    const signs = signsIn(text, this.#rules);
    return signs ? yield* this.#read(text, signs, isStructured) : text;
  }

  #prepared(text: string): string {
    return this.#rules.prepare?.(text) ?? text;
  }

  *#read(text: string, signs: Signs, isStructured: boolean): Steps<string> {
    const json = isStructured ? undefined : jsonIn(text);
    return json === undefined
      ? yield* maskedText(text, this.#rules, signs, isStructured)
      : JSON.stringify(yield* this.#value(json, TOP));
  }

  *header(name: string, value: string): Steps<string> {
    const { names, keepsShape } = this.#rules;
    const kind = names.kindOf(name);
    if (kind === undefined) {
      return yield* this.text(value);
    }
    const [cookies = '', attributes = ''] = /^set-cookie$/i.test(name) ? value.split(/(?=;)(.*)/s) : [value];
    const isCookie = keepsShape && /cookie$/i.test(name) && cookies.includes('=');
    return isCookie ? this.#cookies(cookies) + attributes : yield* this.#namedText(value, kind, TOP);
  }

  #cookies(value: string): string {
    return value.replace(COOKIE, (_, name: string, cookie: string) => name + this.#standIn(cookie, 'secret'));
  }

  *#value(value: unknown, above: Above): Steps<unknown> {
    if (above.kind !== undefined && (typeof value === 'string' || typeof value === 'number')) {
      return yield* this.#named('', value, above.kind, above);
    }
    if (typeof value === 'string') {
      const text = this.#prepared(value);
      const signs = signsIn(text, this.#rules);
      return signs ? yield* this.#read(text, signs, false) : text;
    }
    if (typeof value === 'number') {
      const isCard = Number.isInteger(value) && isCardNumber(String(value));
      return this.#rules.replaceNumber(value, isCard ? 'card' : undefined);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if (value instanceof Uint8Array) {
      return `${value.length} bytes`;
    }
    const inner = { ...above, depth: above.depth + 1 };
    if (inner.depth > DEEPEST) {
      return this.#standIn('', 'secret');
    }
    return Array.isArray(value) ? yield* this.#list(value, inner) : yield* this.#members(value, inner);
  }

  *#list(list: readonly unknown[], above: Above): Steps<unknown[]> {
    const { names } = this.#rules;
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const value = list[index];
      // A pair of a name and a value; raw headers are a list of such pairs.
      const before: unknown = index % 2 === 1 && list.length % 2 === 0 ? list[index - 1] : undefined;
      const kind = typeof before === 'string' && typeof value === 'string' ? names.kindOf(before) : undefined;
      const isPair = kind !== undefined && names.kindOf(String(value)) === undefined;
      if (this.#isEndOfStep(16)) {
        yield;
      }
      copy.push(isPair ? yield* this.#named(String(before), value, kind, above) : yield* this.#value(value, above));
    }
    return copy;
  }

  *#members(value: object, above: Above): Steps<Record<string, unknown>> {
    const names = Object.keys(value);
    // A list of names and values has the name in another member.
    const naming = names.find((name) => roleInPair(name) === 'name' && typeof Reflect.get(value, name) === 'string');
    const named = naming === undefined ? undefined : String(Reflect.get(value, naming));
    const copy: Record<string, unknown> = {};
    for (const name of names) {
      const member: unknown = Reflect.get(value, name);
      if (this.#isEndOfStep(name.length + (typeof member === 'string' ? member.length : 16))) {
        yield;
      }
      const masked = yield* this.#member(
        named !== undefined && roleInPair(name) === 'value' ? named : name,
        member,
        above,
      );
      const key = this.name(name);
      if (key === '__proto__') {
        Object.defineProperty(copy, key, { value: masked, enumerable: true, configurable: true, writable: true });
      } else {
        copy[key] = masked;
      }
    }
    return copy;
  }

  #member(name: string, value: unknown, above: Above): Steps<unknown> {
    const kind = this.#rules.names.kindOfMember(above.owner, name) ?? above.kind;
    if (kind !== undefined) {
      return this.#named(name, value, kind, above);
    }
    // Most members are texts, which own nothing.
    return this.#value(value, typeof value === 'object' ? { ...above, owner: name } : above);
  }

  /** The value of a secret name. Everything below it is secret, too, unless a nearer name says otherwise. */
  *#named(name: string, value: unknown, kind: NamedKind, above: Above): Steps<unknown> {
    if (value === undefined || value === null || value === '' || typeof value === 'boolean') {
      return value;
    }
    if (typeof value === 'string') {
      return yield* this.#namedText(value, kind, above);
    }
    if (isMembers(value) && mayHoldMembers(name)) {
      return yield* this.#value(value, { ...above, owner: name });
    }
    if (typeof value === 'number') {
      return this.#rules.replaceNumber(value, kind);
    }
    return this.#rules.keepsShape ? yield* this.#value(value, { ...above, owner: '', kind }) : this.#standIn('', kind);
  }

  *#namedText(value: string, kind: NamedKind, above: Above): Steps<string> {
    if (!this.#rules.keepsShape) {
      return this.#standIn(value, kind);
    }
    const json = jsonIn(value);
    if (json !== undefined) {
      return JSON.stringify(yield* this.#value(json, { ...above, owner: '', kind }));
    }
    if (kind !== 'secret' && ADDRESS.test(value)) {
      return yield* this.text(value);
    }
    const [, scheme = '', secret = value] = (kind === 'secret' && SCHEME.exec(value)) || [];
    return scheme + this.#standIn(secret, kind);
  }

  #standIn(value: string, kind: NamedKind): string {
    return standInOf(this.#rules, value, kind);
  }

  /** Whether enough characters were read for the step to end. */
  #isEndOfStep(characters: number): boolean {
    this.#unread -= characters;
    const isEnd = this.#unread < 0;
    this.#unread = isEnd ? CHARACTERS_OF_A_STEP : this.#unread;
    return isEnd;
  }
}
