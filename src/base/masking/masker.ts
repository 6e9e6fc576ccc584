import { isMembers } from '../members.ts';
import { MAX_STEP_CHARACTERS, runSteps, type Steps } from '../steps.ts';
import { isCardNumber } from './card-numbers.ts';
import { jsonIn, maskInText, type SecretSigns, signsIn } from './mask-text.ts';
import type { NamedKind } from './places.ts';
import { type MaskRules, standInOf } from './rules.ts';
import { mayHoldMembers, roleInPair } from './secret-names.ts';

/** The context of a member: the name of its owner, and the kind that an outer name gives it. */
interface Context {
  owner: string;
  kind: NamedKind | undefined;
  depth: number;
}

const ROOT: Context = { owner: '', kind: undefined, depth: 0 };
/** Deeper values are masked as a whole, because reading them by recursion could fail. */
const MAX_DEPTH = 500;
/** An item of a list, or a member that is not a text, counts as this many characters of a step. */
const VALUE_CHARACTERS = 16;
const SCHEME = /^((?:Bearer|Basic|Digest|Token|ApiKey|HMAC)\s+)?([\s\S]*)$/i;
const COOKIE = /([^=;\s]+=)([^;]*)/g;
/** Only the secrets in a URL are masked, unless it is the value of a secret. */
const URL_START = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Masks secrets in JSON values, texts and headers, by name and by pattern, also in texts that are encoded in others. Logs, refusals,
 * archives and recordings are masked here; the rules add further secrets and define the replacements.
 */
export class Masker {
  readonly #rules: MaskRules;
  readonly #nameRules: MaskRules;
  #charactersLeft = MAX_STEP_CHARACTERS;

  constructor(rules: MaskRules) {
    const { findKnown: _, ...nameRules } = rules;
    this.#rules = rules;
    this.#nameRules = nameRules;
  }

  maskValue(value: unknown): Steps<unknown> {
    return this.#maskValue(value, ROOT);
  }

  /** A member, a parameter or a part of a form. */
  maskMember(name: string, value: unknown): Steps<unknown> {
    return this.#maskMember(name, value, ROOT);
  }

  /** Masks secrets within the name of a member, or replaces the name if the rules do. The name of a secret is otherwise kept. */
  maskName(name: string): string {
    const replacement = this.#rules.replaceName?.(name);
    const signs = replacement === undefined ? signsIn(name, this.#nameRules) : undefined;
    return signs ? runSteps(maskInText(name, this.#nameRules, signs, false)) : (replacement ?? name);
  }

  /** `isStructured`: the whole text consists of names and values, such as a body that could not be parsed. */
  *maskText(text: string, { isStructured = false } = {}): Steps<string> {
    const prepared = this.#prepare(text);
    const signs = signsIn(prepared, this.#rules);
    return signs ? yield* this.#maskBySigns(prepared, signs, isStructured) : prepared;
  }

  #prepare(text: string): string {
    return this.#rules.prepare?.(text) ?? text;
  }

  *#maskBySigns(text: string, signs: SecretSigns, isStructured: boolean): Steps<string> {
    const json = isStructured ? undefined : jsonIn(text);
    return json === undefined
      ? yield* maskInText(text, this.#rules, signs, isStructured)
      : JSON.stringify(yield* this.#maskValue(json, ROOT));
  }

  *maskHeader(name: string, value: string): Steps<string> {
    const { names, keepsShape } = this.#rules;
    const kind = names.kindOf(name);
    if (kind === undefined) {
      return yield* this.maskText(value);
    }
    const [cookies = '', attributes = ''] = /^set-cookie$/i.test(name) ? value.split(/(?=;)(.*)/s) : [value];
    const isCookie = keepsShape && /cookie$/i.test(name) && cookies.includes('=');
    return isCookie ? this.#maskCookies(cookies) + attributes : yield* this.#maskNamedText(value, kind, ROOT);
  }

  #maskCookies(value: string): string {
    return value.replace(COOKIE, (_, name: string, cookie: string) => name + this.#replace(cookie, 'secret'));
  }

  *#maskValue(value: unknown, context: Context): Steps<unknown> {
    if (context.kind !== undefined && (typeof value === 'string' || typeof value === 'number')) {
      return yield* this.#maskNamed('', value, context.kind, context);
    }
    if (typeof value === 'string') {
      const text = this.#prepare(value);
      const signs = signsIn(text, this.#rules);
      return signs ? yield* this.#maskBySigns(text, signs, false) : text;
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
    const inner = { ...context, depth: context.depth + 1 };
    if (inner.depth > MAX_DEPTH) {
      return this.#replace('', 'secret');
    }
    return Array.isArray(value) ? yield* this.#maskList(value, inner) : yield* this.#maskMembers(value, inner);
  }

  *#maskList(list: readonly unknown[], context: Context): Steps<unknown[]> {
    const { names } = this.#rules;
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const value = list[index];
      // May be the value of a name before it, because lists of raw headers alternate between names and values.
      const before: unknown = index % 2 === 1 && list.length % 2 === 0 ? list[index - 1] : undefined;
      const kind = typeof before === 'string' && typeof value === 'string' ? names.kindOf(before) : undefined;
      const isPair = kind !== undefined && names.kindOf(String(value)) === undefined;
      if (this.#tryEndStep(VALUE_CHARACTERS)) {
        yield;
      }
      copy.push(
        isPair ? yield* this.#maskNamed(String(before), value, kind, context) : yield* this.#maskValue(value, context),
      );
    }
    return copy;
  }

  *#maskMembers(value: object, context: Context): Steps<Record<string, unknown>> {
    const names = Object.keys(value);
    // In a list of names and values, the name is in another member.
    const nameKey = names.find((name) => roleInPair(name) === 'name' && typeof Reflect.get(value, name) === 'string');
    const pairName = nameKey === undefined ? undefined : String(Reflect.get(value, nameKey));
    const copy: Record<string, unknown> = {};
    for (const name of names) {
      const member: unknown = Reflect.get(value, name);
      if (this.#tryEndStep(name.length + (typeof member === 'string' ? member.length : VALUE_CHARACTERS))) {
        yield;
      }
      const masked = yield* this.#maskMember(
        pairName !== undefined && roleInPair(name) === 'value' ? pairName : name,
        member,
        context,
      );
      const key = this.maskName(name);
      if (key === '__proto__') {
        Object.defineProperty(copy, key, { value: masked, enumerable: true, configurable: true, writable: true });
      } else {
        copy[key] = masked;
      }
    }
    return copy;
  }

  #maskMember(name: string, value: unknown, context: Context): Steps<unknown> {
    const kind = this.#rules.names.kindOfMember(context.owner, name) ?? context.kind;
    if (kind !== undefined) {
      return this.#maskNamed(name, value, kind, context);
    }
    // Copies the context only for objects, because most members are texts, which have no members.
    return this.#maskValue(value, typeof value === 'object' ? { ...context, owner: name } : context);
  }

  /** The value of a listed name. Everything below it is of the same kind, unless a nearer name says otherwise. */
  *#maskNamed(name: string, value: unknown, kind: NamedKind, context: Context): Steps<unknown> {
    if (value === undefined || value === null || value === '' || typeof value === 'boolean') {
      return value;
    }
    if (typeof value === 'string') {
      return yield* this.#maskNamedText(value, kind, context);
    }
    if (isMembers(value) && mayHoldMembers(name)) {
      return yield* this.#maskValue(value, { ...context, owner: name });
    }
    if (typeof value === 'number') {
      return this.#rules.replaceNumber(value, kind);
    }
    return this.#rules.keepsShape
      ? yield* this.#maskValue(value, { ...context, owner: '', kind })
      : this.#replace('', kind);
  }

  *#maskNamedText(value: string, kind: NamedKind, context: Context): Steps<string> {
    if (!this.#rules.keepsShape) {
      return this.#replace(value, kind);
    }
    const json = jsonIn(value);
    if (json !== undefined) {
      return JSON.stringify(yield* this.#maskValue(json, { ...context, owner: '', kind }));
    }
    if (kind !== 'secret' && URL_START.test(value)) {
      return yield* this.maskText(value);
    }
    const [, scheme = '', secret = value] = (kind === 'secret' && SCHEME.exec(value)) || [];
    return scheme + this.#replace(secret, kind);
  }

  #replace(value: string, kind: NamedKind): string {
    return standInOf(this.#rules, value, kind);
  }

  /** Whether enough characters were read for the step to end. */
  #tryEndStep(characters: number): boolean {
    this.#charactersLeft -= characters;
    const isEnd = this.#charactersLeft < 0;
    this.#charactersLeft = isEnd ? MAX_STEP_CHARACTERS : this.#charactersLeft;
    return isEnd;
  }
}
