import { type Steps, TextSteps } from '../steps.ts';
import { isDigit } from './character-classes.ts';
import type { AddPlace } from './places.ts';
import { matchEnd } from './value-extent.ts';

/**
 * Ranges of the first four digits of issuers, and how long their numbers are. 2630 to 2639 are omitted, because payers' mobile
 * numbers begin with 263. Lengths below 14 are omitted, because references have them and cards no longer do.
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
/** The lengths of card numbers by their first four digits, one bit for each length. */
const LENGTHS_BY_PREFIX = new Uint32Array(10_000);
for (const [first, last, lengths] of ISSUERS) {
  LENGTHS_BY_PREFIX.fill(
    lengths.reduce((bits, length) => bits | (1 << length), 0),
    first,
    last + 1,
  );
}
const MAX_DIGITS = 19;
/** Maximum length with three characters between any two digits. */
const MAX_WRITTEN_LENGTH = MAX_DIGITS + 3 * (MAX_DIGITS - 1);
/** A character between two digits: a blank other than CR and LF, a plus or a dash. Up to three may follow each other. */
const BETWEEN = String.raw`[\t\v\f +\-\xa0\u058a\u05be\u1400\u1680\u1806\u2000-\u200a\u2010-\u2015\u2028\u2029\u202f\u205f\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u3000\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\ufeff\uff0d]`;
const GAP = `${BETWEEN}{1,3}`;
/** Matches the first digit of a possible card number, which at least 13 digits follow. */
const FIRST_DIGIT = new RegExp(
  String.raw`(?:[3-6]|2(?=${BETWEEN}{0,3}[2-7])|8(?=${BETWEEN}{0,3}[12])|9(?=${BETWEEN}{0,3}7))(?<!\d.)(?=(?:(?:${BETWEEN}{0,3}|\.)\d){13})`,
  'g',
);
/** Forms of card numbers: groups of any size if there are no other digits next to them, otherwise groups as on cards, longest first. */
const WRITTEN_FORMS = [
  String.raw`(?<!\d${BETWEEN}{0,3})\d(?!\d{13})(?:${BETWEEN}{0,3}\d){13,18}(?!${BETWEEN}{0,3}\d)`,
  String.raw`(?:\d{4}${GAP}){4}\d{1,3}(?!\d)`,
  String.raw`(?:\d{14,19}|(?:\d{4}${GAP}){3}\d{4}|\d{4}${GAP}\d{6}${GAP}\d{4,5}|\d{6}${GAP}\d{13})(?!\d)`,
  String.raw`(?<!\.)(?:(?:\d{4}\.){3}\d{4}(?:\.\d{1,3})?|\d{4}\.\d{6}\.\d{5})(?!\.?\d)`,
].map((pattern) => new RegExp(pattern, 'y'));
const ZERO = 0x30;

/** Whether the check digit of a card number is right (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  const values = [...digits]
    .reverse()
    .map((digit, index) => (index % 2 === 1 ? doubleDigit(Number(digit)) : Number(digit)));
  return digits !== '' && values.reduce((sum, value) => sum + value, 0) % 10 === 0;
}

/** The sum of the digits of twice a digit. */
const doubleDigit = (digit: number) => (digit > 4 ? digit * 2 - 9 : digit * 2);

/** Whether digits are those of a card: by length, issuer and check digit. */
export function isCardNumber(digits: string): boolean {
  return /^\d{14,19}$/.test(digits) && (lengthsAt(digits, 0) & (1 << digits.length)) !== 0;
}

/**
 * The lengths at which the digits from an offset are a card number by issuer and check digit, with any separators; one bit for each
 * length. Checked before the patterns, because most digits have no such length and patterns take longer.
 */
function lengthsAt(text: string, from: number): number {
  let [issuer, digits, lengths] = [0, 0, 0];
  let [sum, sumIfDoubled] = [0, 0];
  for (let at = from; at < from + MAX_WRITTEN_LENGTH && digits < MAX_DIGITS; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      const value = code - ZERO;
      issuer = digits < 4 ? issuer * 10 + value : issuer;
      digits += 1;
      [sum, sumIfDoubled] = [sumIfDoubled + value, sum + doubleDigit(value)];
      lengths |= sum % 10 === 0 ? 1 << digits : 0;
    }
  }
  return lengths & (LENGTHS_BY_PREFIX[issuer] ?? 0);
}

/** The offset of the next possible card number; -1 without one. */
export function findNextCard(text: string, from: number): number {
  FIRST_DIGIT.lastIndex = from;
  return FIRST_DIGIT.exec(text)?.index ?? -1;
}

/** Adds card numbers in a text, also with blanks, dashes or dots in them, but not digits within a longer number, a decimal or a UUID. */
export function* addCards(text: string, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let from = findNextCard(text, 0); from !== -1; ) {
    const to = endOfCard(text, from);
    if (to > from) {
      add({ from, to, kind: 'card' });
    }
    from = findNextCard(text, Math.max(to, from + 1));
    if (steps.tryEndStep(from)) {
      yield;
    }
  }
}

/** The end of the card number at an offset; the offset itself without a card number. */
function endOfCard(text: string, from: number): number {
  const lengths = lengthsAt(text, from);
  for (const pattern of lengths === 0 ? [] : WRITTEN_FORMS) {
    const to = matchEnd(pattern, text, from);
    if (to > from && (lengths & (1 << digitsOf(text.slice(from, to)).length)) !== 0 && isSeparate(text, from, to)) {
      return to;
    }
  }
  return from;
}

/** Whether digits are not part of a decimal or a UUID. */
function isSeparate(text: string, from: number, to: number): boolean {
  const isFraction = text.charAt(from - 1) === '.' && !/[\p{L}\p{P}\s]/u.test(text.charAt(from - 2));
  const hasFraction = text.charAt(to) === '.' && isDigit(text.charCodeAt(to + 1));
  return !isFraction && !hasFraction && !isInUuid(text, from, to);
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Looks for a dash first, because most numbers have none near them. */
function isInUuid(text: string, from: number, to: number): boolean {
  const begin = Math.max(0, from - UUID_LENGTH);
  return (
    text.slice(Math.max(0, from - LAST_GROUP_LENGTH), to + FIRST_GROUP_LENGTH).includes('-') &&
    [...text.slice(begin, to + UUID_LENGTH).matchAll(UUID)].some(
      ({ index }) => begin + index < to && begin + index + UUID_LENGTH > from,
    )
  );
}
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const [UUID_LENGTH, FIRST_GROUP_LENGTH, LAST_GROUP_LENGTH] = [36, 8, 12];
