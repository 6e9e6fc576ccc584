import { isDeeperThan } from '../schema/depth.ts';
import type { Steps } from '../steps.ts';
import { addCards } from './card-numbers.ts';
import { formPartsIn } from './form-parts.ts';
import { addSecretLooks } from './looks.ts';
import { namedMarkupIn } from './markup.ts';
import { addNamedValues } from './named-values.ts';
import { type AddPlace, type FoundPlace, Replacements } from './places.ts';
import { type Reading, Readings } from './reading.ts';
import { type MaskRules, standInOf } from './rules.ts';

/** Levels of JSON that are read in a text. */
const DEEPEST = 100;
/** JSON, or the beginning of it. */
const STRUCTURED = /^\s*[[{]|[[{]\s*["'{[]/;
const MARKUP_BEGINS = /<[a-z!?]/i;
const LOOKS = /eyJ|bearer|basic|whsec_|-----B|:\/\/[^\s/]*@/i;
const SHORTEST_CARD = 14;
/** What a character of ASCII is a sign of, in bits. */
const [DIGIT, ENDS_NUMBER, NAMES, COLON, ESCAPES] = [1, 2, 4, 8, 16];
const SIGNS = Uint8Array.from({ length: 0x80 }, (_, code) => signsOf(String.fromCharCode(code)));
/** A colon, but not that of a time. */
const COLON_OF_NAME = /(?<!\d):|:(?!\d)/;

/** What could be in a text. */
export interface Signs {
  /** A sign that is behind a name. */
  hasNames: boolean;
  hasEscapes: boolean;
  hasCards: boolean;
  /** A word before credentials. */
  hasLooks: boolean;
}

/** Undefined where nothing in a text may be masked: most texts have nothing that could be a secret. */
export function signsIn(text: string, { knownIn, moreIn }: MaskRules): Signs | undefined {
  let [found, digits, mostDigits] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const sign = code < SIGNS.length ? (SIGNS[code] ?? 0) : 0;
    found |= sign;
    // Without branches, because what follows in a text cannot be foretold.
    digits = (digits + (sign & DIGIT)) & (((sign & ENDS_NUMBER) >> 1) - 1);
    mostDigits = Math.max(mostDigits, digits);
  }
  const hasNames = (found & NAMES) !== 0 || ((found & COLON) !== 0 && COLON_OF_NAME.test(text));
  const hasEscapes = (found & ESCAPES) !== 0;
  const hasCards = mostDigits >= SHORTEST_CARD;
  const hasLooks = LOOKS.test(text);
  const isRead = hasNames || hasEscapes || hasCards || hasLooks || knownIn !== undefined || moreIn !== undefined;
  return isRead ? { hasNames, hasEscapes, hasCards, hasLooks } : undefined;
}

function signsOf(character: string): number {
  switch (character) {
    case '=':
    case '>':
      return NAMES | ENDS_NUMBER;
    case ':':
      return COLON | ENDS_NUMBER;
    case '%':
    case '&':
    case '+':
    case '\\':
      return ESCAPES;
    default:
      return /\d/.test(character) ? DIGIT : /[a-z]/i.test(character) ? ENDS_NUMBER : 0;
  }
}

/** A text with the secrets in it replaced, by names and looks, also where they are encoded. */
export function* maskedText(text: string, rules: MaskRules, signs: Signs, isStructured: boolean): Steps<string> {
  const parts = new Replacements();
  const readings = signs.hasEscapes ? new Readings(text) : undefined;
  let reading: Reading | undefined = readings?.first ?? { text };
  let read: Signs | undefined = signs;
  while (reading) {
    yield* addParts(reading, read, rules, isStructured, parts);
    reading = readings && read?.hasEscapes ? yield* readings.next() : undefined;
    read = reading && signsIn(reading.text, rules);
  }
  return yield* parts.in(text, (part) => standInOf(rules, part, 'secret'));
}

/** JSON that is a text of another value; undefined for any other text, and where it is written so that it would change. */
export function jsonIn(text: string): object | undefined {
  if (!/^[[{]/.test(text)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    const isReadable = typeof value === 'object' && value !== null && !isDeeperThan(DEEPEST, value);
    return isReadable && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function* addParts(
  reading: Reading,
  signs: Signs | undefined,
  rules: MaskRules,
  isStructured: boolean,
  parts: Replacements,
): Steps<void> {
  const { text } = reading;
  const add = (place: FoundPlace) => addPart(parts, place, standInAt(place, reading, rules), reading);
  if (signs?.hasNames) {
    yield* addNamed(text, rules, isStructured, add);
  }
  if (signs?.hasCards) {
    yield* addCards(text, add);
  }
  if (signs?.hasLooks) {
    yield* addSecretLooks(text, add);
  }
  rules.moreIn?.(text).forEach(add);
  for (const known of rules.knownIn?.(text) ?? []) {
    addPart(parts, known, written(known.standIn, reading), reading);
  }
}

function* addNamed(text: string, { names, keepsShape }: MaskRules, isBroken: boolean, add: AddPlace): Steps<void> {
  const begin = text.search(MARKUP_BEGINS);
  const markup = begin === -1 ? undefined : yield* namedMarkupIn(text, begin, names);
  // What could not be read need not stay readable: its secrets are masked with their quotes.
  const options = {
    names,
    isStructured: isBroken || STRUCTURED.test(text),
    withQuotes: isBroken && !keepsShape,
  };
  yield* addNamedValues(markup ? text.slice(0, begin) : text, options, add);
  markup?.forEach(add);
  if (/content-disposition/i.test(text)) {
    for (const { name, from, to } of formPartsIn(text)) {
      const kind = names.kindOf(name);
      if (kind !== undefined && to > from) {
        add({ from, to, kind });
      }
    }
  }
}

function addPart(
  parts: Replacements,
  { from, to }: { from: number; to: number },
  standIn: string,
  { starts }: Reading,
): void {
  const [start = from, end = to] = starts ? [starts[from], starts[to]] : [];
  parts.add(start, end, standIn, end - start !== to - from);
}

function standInAt({ from, to, kind, spelling }: FoundPlace, reading: Reading, rules: MaskRules): string {
  if (typeof rules.standIn === 'string') {
    return rules.standIn;
  }
  const own = spelling === reading.spelling ? reading.spellingOfParts : spelling;
  const value = reading.text.slice(from, to);
  const read = own ? own.read(value) : value;
  const standIn = rules.standIn(read, kind);
  // What is written without escapes has none in its stand-in, which has the same shape.
  return written(own && read !== value ? own.write(standIn) : standIn, reading);
}

function written(standIn: string, { spelling }: Reading): string {
  return spelling ? spelling.write(standIn) : standIn;
}
