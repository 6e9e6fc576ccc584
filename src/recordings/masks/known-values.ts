import { digitsOf } from '../../base/masking/card-numbers.ts';
import type { KnownPlace } from '../../base/masking/rules.ts';
import { RecentValues } from '../../base/recent-values.ts';

interface KnownValue {
  value: string;
  standIn: string;
  /** Personal values are found regardless of case, except within words; a secret in another case is a different secret. */
  isPersonal: boolean;
}

/** The minimum number of newest values that are remembered. The maximum is twice as many, which bounds memory. */
const MIN_REMEMBERED = 10_000;
/** Shorter values, and shorter numbers, are not searched for, because any text may contain them. */
const MIN_LENGTH = 4;
const MIN_DIGITS = 6;
/** Minimum length of a single word, such as a first name, which is searched for only in its own exchange. */
const MIN_SINGLE_WORD_LENGTH = 2;
const MAX_LENGTH = 1024;
/** How many values of the current exchange are also searched for within words, and their minimum length. */
const MAX_WITHIN_WORDS = 100;
const MIN_LENGTH_WITHIN_WORDS = 8;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** A phone number, with or without its country code and separators; its last digits identify the owner. */
const PHONE = /(?<![\p{L}\p{N}_])\+?\d[\d\s().-]{5,20}\d(?![\p{L}\p{N}_])/gu;
const LAST_DIGITS = 7;
/** A single word. A first name, for example, may be an ordinary word in other places, such as a status. */
const SINGLE_WORD = /^[\p{L}\p{M}]+$/u;

/** Values that were masked. They are also found in places where no member's name shows that they are secret. */
export class KnownValues {
  /** Values by their core (see `coreOf`) in lower case, with single spaces. */
  readonly #values = new RecentValues<KnownValue>(MIN_REMEMBERED);
  /** The largest number of words in a value, by its first word. */
  readonly #mostWords = new RecentValues<number>(MIN_REMEMBERED);
  /** Phone numbers by their last digits. */
  readonly #phones = new RecentValues<KnownValue>(MIN_REMEMBERED);
  /** Single words of the current exchange. */
  readonly #singleWords = new Map<string, KnownValue>();
  readonly #withinWords = new Map<string, string>();

  /** Starts an exchange: values that are searched for only in their own exchange are forgotten. */
  beginExchange(): void {
    this.#singleWords.clear();
    this.#withinWords.clear();
  }

  learn(text: string, standIn: string, { isPersonal }: { isPersonal: boolean }): void {
    // A copy, because a slice would keep the whole original text in memory.
    const value = Buffer.from(text).toString();
    const core = coreOf(value);
    const isSingleWord = isPersonal && SINGLE_WORD.test(core);
    const minLength = isSingleWord ? MIN_SINGLE_WORD_LENGTH : /^\d*$/.test(core) ? MIN_DIGITS : MIN_LENGTH;
    if (value === standIn || core.length < minLength || value.length > MAX_LENGTH) {
      return;
    }
    const knownValue = { value, standIn, isPersonal: isPersonal || this.#find(core)?.isPersonal === true };
    if (isSingleWord) {
      this.#singleWords.set(fold(core), knownValue);
      return;
    }
    const words = core.match(WORD) ?? [];
    const first = fold(words[0] ?? '');
    this.#values.set(fold(core), knownValue);
    this.#mostWords.set(first, Math.max(words.length, this.#mostWords.get(first) ?? 0));
    if (isPersonal && core.match(PHONE)?.[0] === core) {
      this.#phones.set(digitsOf(core).slice(-LAST_DIGITS), knownValue);
    }
    if (value.length >= MIN_LENGTH_WITHIN_WORDS && this.#withinWords.size < MAX_WITHIN_WORDS) {
      this.#withinWords.set(value, standIn);
    }
  }

  standInOf(value: string): string | undefined {
    const knownValue = this.#find(coreOf(value));
    return knownValue?.value === value ? knownValue.standIn : undefined;
  }

  placesIn(text: string): KnownPlace[] {
    const placesWithin: KnownPlace[] = [];
    for (const [value, standIn] of this.#withinWords) {
      for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + value.length)) {
        placesWithin.push({ from, to: from + value.length, standIn });
      }
    }
    return [...placesWithin, ...this.#phonesIn(text), ...this.#wordsIn(text)];
  }

  #phonesIn(text: string): KnownPlace[] {
    return [...(this.#phones.isEmpty ? [] : text.matchAll(PHONE))].flatMap(({ 0: number, index }) => {
      const knownValue = this.#phones.get(digitsOf(number).slice(-LAST_DIGITS));
      return knownValue ? [{ from: index, to: index + number.length, standIn: knownValue.standIn }] : [];
    });
  }

  #wordsIn(text: string): KnownPlace[] {
    const words = [...text.matchAll(WORD)].map(({ 0: { length }, index }) => ({ from: index, to: index + length }));
    const places: KnownPlace[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const { from = 0, to = 0 } = words[at] ?? {};
      // The longest value is tried first, because a shorter one may be its beginning.
      for (let count = this.#mostWords.get(fold(text.slice(from, to))) ?? 1; count > 0; count -= 1) {
        const end = words[at + count - 1]?.to ?? text.length;
        const singleWord = count === 1 && words.length > 1 ? this.#singleWordAt(text, from, to) : undefined;
        const knownValue = this.#find(text.slice(from, end)) ?? singleWord;
        if (knownValue) {
          places.push(placeOf(knownValue, text, from, end));
          at += count - 1;
          break;
        }
      }
    }
    return places;
  }

  /** Single words count only next to a space, because a word that is the whole text may be a status. */
  #singleWordAt(text: string, from: number, to: number): KnownValue | undefined {
    const edges = text.slice(Math.max(0, from - 1), from) + text.slice(to, to + 1);
    return /\s/.test(edges) && !/[-=/]/.test(edges) ? this.#singleWords.get(fold(text.slice(from, to))) : undefined;
  }

  #find(core: string): KnownValue | undefined {
    const knownValue = this.#values.getAsNewest(fold(core));
    return knownValue && (knownValue.isPersonal || coreOf(knownValue.value) === core) ? knownValue : undefined;
  }
}

/** The place includes the characters around the core of the value, if the text has them. */
function placeOf({ value, standIn }: KnownValue, text: string, from: number, to: number): KnownPlace {
  const core = coreOf(value);
  const before = value.indexOf(core);
  const after = value.length - before - core.length;
  const hasSamePrefix = value.slice(0, before) === text.slice(Math.max(0, from - before), from);
  return hasSamePrefix && text.startsWith(value.slice(before + core.length), to)
    ? { from: from - before, to: to + after, standIn }
    : { from, to, standIn };
}

/** A text from its first letter or digit to its last one. */
function coreOf(text: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text)?.[0] ?? text;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ');
}
