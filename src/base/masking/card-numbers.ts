import { type Steps, TextSteps } from '../steps.ts';
import { isDigit } from './codes.ts';
import type { AddPlace } from './places.ts';
import { matchEnd } from './value-extent.ts';

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
const LONGEST = 19;
/** With three characters between two digits. */
const LONGEST_WRITTEN = LONGEST + 3 * (LONGEST - 1);
/** Between two digits are up to three blanks that end no line, pluses and dashes, such as the blank, the dash and the blank of a tabulator. */
const BETWEEN = String.raw`[\t\v\f +\-\xa0\u058a\u05be\u1400\u1680\u1806\u2000-\u200a\u2010-\u2015\u2028\u2029\u202f\u205f\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u3000\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\ufeff\uff0d]`;
const GAP = `${BETWEEN}{1,3}`;
/** The first digit of what may be a card number: by its issuer, and by as many digits as the shortest has. */
const BEGIN = new RegExp(
  String.raw`(?:[3-6]|2(?=${BETWEEN}{0,3}[2-7])|8(?=${BETWEEN}{0,3}[12])|9(?=${BETWEEN}{0,3}7))(?<!\d.)(?=(?:(?:${BETWEEN}{0,3}|\.)\d){13})`,
  'g',
);
/** Groups of any sizes, where no other digits are beside them, and otherwise groups as on cards, longest first. */
const WRITTEN = [
  String.raw`(?<!\d${BETWEEN}{0,3})\d(?!\d{13})(?:${BETWEEN}{0,3}\d){13,18}(?!${BETWEEN}{0,3}\d)`,
  String.raw`(?:\d{4}${GAP}){4}\d{1,3}(?!\d)`,
  String.raw`(?:\d{14,19}|(?:\d{4}${GAP}){3}\d{4}|\d{4}${GAP}\d{6}${GAP}\d{4,5}|\d{6}${GAP}\d{13})(?!\d)`,
  String.raw`(?<!\.)(?:(?:\d{4}\.){3}\d{4}(?:\.\d{1,3})?|\d{4}\.\d{6}\.\d{5})(?!\.?\d)`,
].map((pattern) => new RegExp(pattern, 'y'));
const ZERO = 0x30;

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
      sum += isDoubled ? doubled(code - ZERO) : code - ZERO;
      isDoubled = !isDoubled;
    }
  }
  return to > from && sum % 10 === 0;
}

/** Twice the digit, as the sum of the digits of that. */
const doubled = (digit: number) => (digit > 4 ? digit * 2 - 9 : digit * 2);

/** Whether an issuer has numbers of this length. */
const isAsLong = (issuer: number, digits: number) => ((LENGTHS[issuer] ?? 0) & (1 << digits)) !== 0;

/** Whether digits are those of a card: by length, issuer and check digit. */
export function isCardNumber(digits: string): boolean {
  return /^\d{14,19}$/.test(digits) && isIssued(digits, 0, digits.length) && passesLuhn(digits);
}

/** Whether an issuer has numbers that begin like the digits in a part, and are as long. */
function isIssued(text: string, from: number, to: number): boolean {
  let [issuer, digits] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      issuer = digits < 4 ? issuer * 10 + code - ZERO : issuer;
      digits += 1;
    }
  }
  return digits <= LONGEST && isAsLong(issuer, digits);
}

/** Where the next card number may begin; -1 without one. */
export function nextCard(text: string, from: number): number {
  BEGIN.lastIndex = from;
  return BEGIN.exec(text)?.index ?? -1;
}

/** Adds card numbers in a text, also with blanks and dashes. Digits within a longer number, a decimal or a UUID are no card number. */
export function* addCards(text: string, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let from = nextCard(text, 0); from !== -1; ) {
    const to = endOfCard(text, from);
    if (to > from) {
      add({ from, to, kind: 'card' });
    }
    from = nextCard(text, Math.max(to, from + 1));
    if (steps.isEndAt(from)) {
      yield;
    }
  }
}

/** The place itself where no card number begins. */
function endOfCard(text: string, from: number): number {
  for (const pattern of mayBeCard(text, from) ? WRITTEN : []) {
    const to = matchEnd(pattern, text, from);
    if (to > from && isCardAt(text, from, to)) {
      return to;
    }
  }
  return from;
}

/**
 * Whether as many digits as an issuer's numbers have pass the check, however they are written. Comparing with the patterns takes longer, and
 * most digits fail here.
 */
function mayBeCard(text: string, from: number): boolean {
  let [issuer, digits] = [0, 0];
  let [sum, sumIfDoubled] = [0, 0];
  for (let at = from; at < from + LONGEST_WRITTEN && digits < LONGEST; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      const value = code - ZERO;
      issuer = digits < 4 ? issuer * 10 + value : issuer;
      digits += 1;
      [sum, sumIfDoubled] = [sumIfDoubled + value, sum + doubled(value)];
      if (sum % 10 === 0 && isAsLong(issuer, digits)) {
        return true;
      }
    }
  }
  return false;
}

/** Whether the digits in a part are a card number that is no part of another number. */
function isCardAt(text: string, from: number, to: number): boolean {
  if (!isIssued(text, from, to) || !isChecked(text, from, to)) {
    return false;
  }
  const isFraction = text.charAt(from - 1) === '.' && !/[\p{L}\p{P}\s]/u.test(text.charAt(from - 2));
  const hasFraction = text.charAt(to) === '.' && isDigit(text.charCodeAt(to + 1));
  return !isFraction && !hasFraction && !isInUuid(text, from, to);
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Most numbers have no dash around them. */
function isInUuid(text: string, from: number, to: number): boolean {
  const begin = Math.max(0, from - UUID_LENGTH);
  return (
    text.slice(Math.max(0, from - LAST_OF_UUID), to + FIRST_OF_UUID).includes('-') &&
    [...text.slice(begin, to + UUID_LENGTH).matchAll(UUID)].some(
      ({ index }) => begin + index < to && begin + index + UUID_LENGTH > from,
    )
  );
}
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const [UUID_LENGTH, FIRST_OF_UUID, LAST_OF_UUID] = [36, 8, 12];
