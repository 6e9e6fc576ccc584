import { headerPairs } from '../../base/header-pairs.ts';
import { digitsOf } from '../../base/masking/card-numbers.ts';
import { isSecretName } from '../../base/masking/secret-names.ts';
import { isMembers } from '../../base/members.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import type { CallEntry, HistoryEntry } from '../sessions/history-entry.ts';
import { standInFor } from './drawn.ts';
import { DROPPED_HEADERS, type FoundSecret, secretsBelow, secretsIn, secretsOf } from './found-secrets.ts';
import { LongSecrets, ShortSecrets } from './replaced-secrets.ts';
import { TextIndex } from './text-index.ts';

/** A shorter secret may be a part of any text, and is replaced behind its name alone. */
const SHORTEST_ANYWHERE = 8;
/** A header's value: the scheme, if there is one, and the rest. */
const CREDENTIALS = /^((?:Bearer|Basic)\s+)?([\s\S]*)$/i;

/** What replaces the secrets that are known so far. */
interface Replacing {
  standIns: ReadonlyMap<string, string>;
  longSecrets: LongSecrets;
  shortSecrets: ShortSecrets;
}

/**
 * Replaces secrets by texts that look alike, each by the same one wherever it stands: a call with the right key has the right key
 * still, and a signature still verifies. What the sandbox itself gave out is no secret, nor what everybody has who installs it.
 */
export class StandIns {
  /** Values that are no secrets. */
  readonly #known: Set<string>;
  readonly #isGivenOut: (token: string) => boolean;
  /** What stands for secrets that the sandbox gave out. */
  readonly #given: ReadonlyMap<string, string>;
  /** The other secrets, in the order in which they were found. */
  readonly #secrets = new Set<string>();
  /** The members that short secrets stand in. */
  readonly #names = new Map<string, Set<string>>();
  /** What is made of all these, until there are more. */
  #made: Replacing | undefined;

  /**
   * `known` are values that are no secrets; `given`, what stands for secrets that the sandbox gave out; `isGivenOut` tells its tokens,
   * which it may have given out before.
   */
  constructor(known: Iterable<string>, given: ReadonlyMap<string, string>, isGivenOut: (token: string) => boolean) {
    this.#known = new Set(known);
    this.#isGivenOut = isGivenOut;
    this.#given = given;
  }

  /** The values below secret names are secrets. */
  learn(value: unknown): void {
    for (const found of secretsBelow(value)) {
      this.#addFound(found);
    }
  }

  /** Entries must come in their order: what an answer gives out is no secret from then on. */
  learnFrom(entry: HistoryEntry): void {
    if (entry.kind === 'call') {
      this.#learnFromCall(entry);
    } else if (entry.kind === 'answer' && entry.answer) {
      for (const { secret } of secretsIn(entry.answer.text)) {
        if (!this.#isSecret(secret)) {
          this.#know(secret);
        }
      }
    }
  }

  /** Makes what replaces the secrets, so that no single replacement has to. */
  *prepare(): Steps<void> {
    this.#made ??= yield* this.#make();
  }

  inText(text: string): string {
    return this.#replacing().shortSecrets.replace(this.#everywhere(text));
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
            isSecretName(name) && typeof member === 'string' ? this.#inSecret(member) : this.inValue(member),
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
      .filter(([name]) => !DROPPED_HEADERS.test(name))
      .flatMap(([name, value]) => [name, isSecretName(name) ? this.#inCredentials(value) : this.#everywhere(value)]);
  }

  #inCredentials(value: string): string {
    const [, scheme = '', secret = ''] = CREDENTIALS.exec(value) ?? [];
    return scheme + this.#inSecret(secret);
  }

  /** Of what may be a secret as a whole, also a short one. */
  #inSecret(value: string): string {
    return this.#replacing().standIns.get(value) ?? this.#everywhere(value);
  }

  #learnFromCall(call: CallEntry): void {
    for (const found of secretsOf(call)) {
      // The page gave it out: a stand-in that verifies is among those given.
      if (call.origin !== 'page' || found.name !== 'formToken') {
        this.#addFound(found);
      }
    }
  }

  #addFound({ name, secret, isCard }: FoundSecret): void {
    if (isCard && this.#known.has(digitsOf(secret))) {
      this.#know(secret);
    } else {
      this.#add(name, secret);
    }
  }

  #add(name: string, secret: string): void {
    if (secret === '' || this.#known.has(secret)) {
      return;
    }
    if (this.#isGivenOut(secret)) {
      this.#know(secret);
      return;
    }
    if (!this.#isSecret(secret)) {
      this.#secrets.add(secret);
    }
    if (secret.length < SHORTEST_ANYWHERE) {
      this.#names.set(secret, new Set([...(this.#names.get(secret) ?? []), name]));
    }
    this.#made = undefined;
  }

  #isSecret(value: string): boolean {
    return this.#given.has(value) || this.#secrets.has(value);
  }

  #know(value: string): void {
    this.#known.add(value);
    this.#made = undefined;
  }

  #everywhere(text: string): string {
    return this.#replacing().longSecrets.replace(text);
  }

  #replacing(): Replacing {
    this.#made ??= runSteps(this.#make());
    return this.#made;
  }

  *#make(): Steps<Replacing> {
    const standIns = yield* this.#drawn();
    const long = [...standIns].filter(([secret]) => secret.length >= SHORTEST_ANYWHERE);
    const others = [...this.#known, ...long.map(([, standIn]) => standIn)];
    return {
      standIns,
      longSecrets: yield* LongSecrets.of(new Map(long), this.#known),
      shortSecrets: yield* ShortSecrets.of(this.#names, standIns, others),
    };
  }

  /** Once all secrets are known: none may be in what replaces another one, where it would be replaced again. */
  *#drawn(): Steps<Map<string, string>> {
    const standIns = new Map(this.#given);
    const taken = new Set([...this.#known, ...this.#given.values()]);
    const secrets = new Set([...this.#given.keys(), ...this.#secrets]);
    const long = new TextIndex();
    for (const secret of secrets) {
      if (secret.length >= SHORTEST_ANYWHERE) {
        long.add(secret);
      }
    }
    const isTaken = (text: string) => taken.has(text) || secrets.has(text) || long.next(text, 0) !== undefined;
    for (const secret of this.#secrets) {
      const standIn = standInFor(secret, standIns.size, isTaken);
      standIns.set(secret, standIn);
      taken.add(standIn);
      yield;
    }
    return standIns;
  }
}
