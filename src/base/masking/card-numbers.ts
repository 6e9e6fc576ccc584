import type { FoundPlace } from './places.ts';

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
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const UUID_LENGTH = 36;
const DOTTED = /(?<![\d.])(?:\d{4}\.){3}\d{4}(?:\.\d{1,3})?(?!\.?\d)|(?<![\d.])\d{4}\.\d{6}\.\d{5}(?!\.?\d)/g;

/** The check digit of a card number (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index -= 1, isDoubled = !isDoubled) {
    const value = (digits.charCodeAt(index) - ZERO) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits !== '' && sum % 10 === 0;
}

/** Whether digits are those of a card: by length, issuer and check digit. */
export function isCardNumber(digits: string): boolean {
  const lengths = LENGTHS[Number(digits.slice(0, 4))] ?? 0;
  return digits.length <= LONGEST && (lengths & (1 << digits.length)) !== 0 && passesLuhn(digits);
}

/** Digits that stand together, in a run of such groups with blanks or dashes between them. */
interface Group {
  from: number;
  to: number;
}

const ZERO = 0x30;

/** Adds card numbers in a text, also with blanks and dashes. Digits within a longer number, a decimal or a UUID are no card number. */
export function addCards(text: string, found: FoundPlace[]): void {
  let run: Group[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) {
      continue;
    }
    const from = at;
    while (isDigit(text.charCodeAt(at))) {
      at += 1;
    }
    const last = run.at(-1);
    if (last && !isBetween(text, last.to, from)) {
      addCardsOf(text, run, found);
      run = [];
    }
    run.push({ from, to: at });
    if (run.length > MAX_GROUPS) {
      addCardsOf(text, run, found);
      run = run.slice(-LONGEST);
    }
  }
  addCardsOf(text, run, found);
  if (text.includes('.')) {
    for (const { 0: dotted, index } of text.matchAll(DOTTED)) {
      if (isCardNumber(digitsOf(dotted))) {
        found.push({ from: index, to: index + dotted.length, kind: 'card' });
      }
    }
  }
}
/** Longer runs are looked through in parts, because they would fill the memory. */
const MAX_GROUPS = 1000;

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

function isBetween(text: string, from: number, to: number): boolean {
  if (to - from > MAX_BETWEEN) {
    return false;
  }
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const isUsual = code === 0x20 || code === 0x2d || code === 0x2b;
    const isNone = code === 0x0a || code === 0x0d || (code > 0x20 && code < 0x80);
    if (!isUsual && (isNone || !BETWEEN.test(text.charAt(at)))) {
      return false;
    }
  }
  return true;
}

function addCardsOf(text: string, run: readonly Group[], found: FoundPlace[]): void {
  const digits = run.reduce((sum, { from, to }) => sum + to - from, 0);
  if (digits < SHORTEST) {
    return;
  }
  for (let first = 0; first < run.length; first += 1) {
    const count = digits <= LONGEST && first === 0 && isCardAt(text, run) ? run.length : cardGroups(text, run, first);
    const from = run[first]?.from ?? 0;
    if (count > 0 && found.at(-1)?.from !== from) {
      found.push({ from, to: run[first + count - 1]?.to ?? from, kind: 'card' });
      first += count - 1;
    }
  }
}

/** How many groups from one on are a card number: one group, or groups of the usual sizes. */
function cardGroups(text: string, run: readonly Group[], first: number): number {
  const group = run[first];
  if (!group) {
    return 0;
  }
  const size = group.to - group.from;
  if (size >= SHORTEST) {
    return isCardAt(text, [group]) ? 1 : 0;
  }
  if (size !== 4 && size !== 6) {
    return 0;
  }
  for (const sizes of GROUPINGS) {
    if (hasSizes(run, first, sizes) && isCardAt(text, run.slice(first, first + sizes.length))) {
      return sizes.length;
    }
  }
  return 0;
}

function hasSizes(run: readonly Group[], first: number, sizes: readonly number[]): boolean {
  for (let index = 0; index < sizes.length; index += 1) {
    const group = run[first + index];
    if (!group || group.to - group.from !== sizes[index]) {
      return false;
    }
  }
  return true;
}

function isCardAt(text: string, groups: readonly Group[]): boolean {
  const [from, to] = [groups[0]?.from ?? 0, groups.at(-1)?.to ?? 0];
  if (!isCardNumber(groups.map((group) => text.slice(group.from, group.to)).join(''))) {
    return false;
  }
  const isFraction = text.charAt(from - 1) === '.' && !/[\p{L}\p{P}\s]/u.test(text.charAt(from - 2));
  const hasFraction = text.charAt(to) === '.' && isDigit(text.charCodeAt(to + 1));
  return !isFraction && !hasFraction && !isInUuid(text, from, to);
}

function isInUuid(text: string, from: number, to: number): boolean {
  const start = Math.max(0, from - UUID_LENGTH);
  return [...text.slice(start, to + UUID_LENGTH).matchAll(UUID)].some(
    ({ index }) => start + index < to && start + index + UUID_LENGTH > from,
  );
}
