import { CHARACTERS_OF_A_STEP, type Steps, TextSteps } from '../steps.ts';
import { isDigit } from './codes.ts';
import type { AddPlace } from './places.ts';

/**
 * Ranges of the first four digits of issuers, and how long their numbers are. 2630 to 2639 are omitted, because mobile numbers begin
 * with 263 here. Lengths below 14 are omitted, because references have them and cards no longer do.
 */
const ISSUERS: readonly (readonly [first: number, last: number, lengths: readonly number[]])[] = [
  [2200, 2204, [16, 17, 18, 19]],
  [2221, 2629, [16]],
  [2640, 2720, [16]],
  [3000, 3059, [14, 16]],
  [3095, 3095, [14, 16]],
  [3400, 3499, [15]],
  [3528, 3589, [16, 17, 18, 19]],
  [3600, 3699, [14, 16]],
  [3700, 3799, [15]],
  [3800, 3999, [14, 16]],
  [4000, 4999, [16, 19]],
  [5000, 5099, [16, 17, 18, 19]],
  [5100, 5599, [16]],
  [5600, 6999, [16, 17, 18, 19]],
  [8100, 8299, [16, 17, 18, 19]],
  [9792, 9792, [16]],
];
/** The lengths of numbers by their first four digits, one bit for each. */
const LENGTHS = new Uint32Array(10_000);
for (const [first, last, lengths] of ISSUERS) {
  LENGTHS.fill(
    lengths.reduce((bits, length) => bits | (1 << length), 0),
    first,
    last + 1,
  );
}
const [SHORTEST, LONGEST] = [14, 19];
/** How numbers are grouped on cards, longest first. Other groupings count only where they are all digits of a run. */
const GROUPINGS = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [6, 13],
];
/** Characters that may be between two digits, such as the blank, the dash and the blank of a tabulator. */
const MAX_BETWEEN = 3;
const BETWEEN = /[\s+\p{Pd}]/u;
const [DASH, DOT, ZERO] = [0x2d, 0x2e, 0x30];
const DOTTED = /(?<![\d.])(?:\d{4}\.){3}\d{4}(?:\.\d{1,3})?(?!\.?\d)|(?<![\d.])\d{4}\.\d{6}\.\d{5}(?!\.?\d)/g;

/** The check digit of a card number (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  return isChecked(digits, 0, digits.length);
}

/** The same of a part of a text, whatever is between the digits. */
function isChecked(text: string, from: number, to: number): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let at = to - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      const value = (code - ZERO) * (isDoubled ? 2 : 1);
      sum += value > 9 ? value - 9 : value;
      isDoubled = !isDoubled;
    }
  }
  return to > from && sum % 10 === 0;
}

/** Whether digits are those of a card: by length, issuer and check digit. */
export function isCardNumber(digits: string): boolean {
  return /^\d{14,19}$/.test(digits) && isIssued(digits, 0, digits.length) && passesLuhn(digits);
}

/** Whether an issuer has numbers that begin like the digits at a place, and are as long. */
function isIssued(text: string, from: number, length: number): boolean {
  let issuer = 0;
  for (let at = from, digits = 0; digits < 4; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      issuer = issuer * 10 + code - ZERO;
      digits += 1;
    }
  }
  return length <= LONGEST && ((LENGTHS[issuer] ?? 0) & (1 << length)) !== 0;
}

/** Adds card numbers in a text, also with blanks and dashes. Digits within a longer number, a decimal or a UUID are no card number. */
export function* addCards(text: string, add: AddPlace): Steps<void> {
  const cards = new Cards(text, add);
  yield* cards.find();
  if (cards.hasDotted) {
    const steps = new TextSteps();
    for (const { 0: dotted, index } of text.matchAll(DOTTED)) {
      if (isCardNumber(digitsOf(dotted))) {
        add({ from: index, to: index + dotted.length, kind: 'card' });
      }
      if (steps.isEndAt(index)) {
        yield;
      }
    }
  }
}

class Cards {
  /** Whether there are digits before a dot as on a card. */
  hasDotted = false;
  readonly #text: string;
  readonly #add: AddPlace;
  /** Where groups of digits begin and end in a run of such groups with blanks or dashes between them. */
  #starts: number[] = [];
  #ends: number[] = [];
  #digits = 0;

  constructor(text: string, add: AddPlace) {
    this.#text = text;
    this.#add = add;
  }

  *find(): Steps<void> {
    for (let at = 0; at < this.#text.length; yield) {
      at = this.#readUpTo(at, Math.min(at + CHARACTERS_OF_A_STEP, this.#text.length));
    }
    this.#endRun();
  }

  /** Returns where to read on. */
  #readUpTo(begin: number, end: number): number {
    const text = this.#text;
    let at = begin;
    for (; at < end; at += 1) {
      if (isDigit(text.charCodeAt(at))) {
        const from = at;
        while (isDigit(text.charCodeAt(at))) {
          at += 1;
        }
        this.#addGroup(from, at);
      }
    }
    return at;
  }

  #addGroup(from: number, to: number): void {
    const last = this.#ends.at(-1);
    if (last !== undefined && !isBetween(this.#text, last, from)) {
      this.#endRun();
    }
    this.hasDotted ||= to - from === 4 && this.#text.charCodeAt(to) === DOT;
    this.#starts.push(from);
    this.#ends.push(to);
    this.#digits += to - from;
    if (this.#starts.length > MAX_GROUPS) {
      const read = this.#readGroups(MAX_GROUPS - LONGEST);
      this.#starts = this.#starts.slice(read);
      this.#ends = this.#ends.slice(read);
    }
  }

  #endRun(): void {
    if (this.#digits >= SHORTEST) {
      this.#readGroups(this.#starts.length);
    }
    this.#starts = [];
    this.#ends = [];
    this.#digits = 0;
  }

  /** Adds the cards that begin in the first groups, and returns how many groups were read. */
  #readGroups(count: number): number {
    const isOneNumber = this.#digits <= LONGEST && this.#isCard(0, this.#starts.length, this.#digits);
    let first = 0;
    while (first < count) {
      const groups = isOneNumber ? this.#starts.length : this.#groupsOfCard(first);
      if (groups > 0) {
        this.#add({ from: this.#starts[first] ?? 0, to: this.#ends[first + groups - 1] ?? 0, kind: 'card' });
      }
      first += Math.max(groups, 1);
    }
    return first;
  }

  /** How many groups from one on are a card number: one group, or groups of the usual sizes. */
  #groupsOfCard(first: number): number {
    const size = this.#sizeOf(first);
    if (size >= SHORTEST) {
      return this.#isCard(first, 1, size) ? 1 : 0;
    }
    if (size !== 4 && size !== 6) {
      return 0;
    }
    for (const sizes of GROUPINGS) {
      let [groups, digits] = [0, 0];
      while (groups < sizes.length && this.#sizeOf(first + groups) === sizes[groups]) {
        digits += this.#sizeOf(first + groups);
        groups += 1;
      }
      if (groups === sizes.length && this.#isCard(first, groups, digits)) {
        return groups;
      }
    }
    return 0;
  }

  #sizeOf(group: number): number {
    return (this.#ends[group] ?? 0) - (this.#starts[group] ?? 0);
  }

  #isCard(first: number, groups: number, digits: number): boolean {
    const text = this.#text;
    const [from, to] = [this.#starts[first] ?? 0, this.#ends[first + groups - 1] ?? 0];
    if (!isIssued(text, from, digits) || !isChecked(text, from, to)) {
      return false;
    }
    const isFraction = text.charAt(from - 1) === '.' && !/[\p{L}\p{P}\s]/u.test(text.charAt(from - 2));
    const hasFraction = text.charAt(to) === '.' && isDigit(text.charCodeAt(to + 1));
    return !isFraction && !hasFraction && !isInUuid(text, from, to);
  }
}
/** Longer runs are searched in parts, because they would fill the memory. */
const MAX_GROUPS = 1000;

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function isBetween(text: string, from: number, to: number): boolean {
  if (to - from > MAX_BETWEEN) {
    return false;
  }
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const isUsual = code === 0x20 || code === DASH || code === 0x2b;
    const isNone = code === 0x0a || code === 0x0d || (code > 0x20 && code < 0x80);
    if (!isUsual && (isNone || !BETWEEN.test(text.charAt(at)))) {
      return false;
    }
  }
  return true;
}

function isInUuid(text: string, from: number, to: number): boolean {
  const begin = Math.max(0, from - UUID_LENGTH);
  const end = to + UUID_LENGTH;
  let dash = begin;
  while (dash < end && (text.charCodeAt(dash) !== DASH || text.charCodeAt(dash + 15) !== DASH)) {
    dash += 1;
  }
  // Most numbers have no dashes around them, and are told quickly.
  return (
    dash < end &&
    [...text.slice(begin, end).matchAll(UUID)].some(
      ({ index }) => begin + index < to && begin + index + UUID_LENGTH > from,
    )
  );
}
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const UUID_LENGTH = 36;
