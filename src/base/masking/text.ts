import { isDeeperThan } from '../schema/depth.ts';
import type { Steps } from '../steps.ts';
import { formPartsIn } from './form-parts.ts';
import { addSecretLooks } from './looks.ts';
import { namedMarkupIn } from './markup.ts';
import { addNamedValues } from './named-values.ts';
import { type FoundPlace, type Replacement, replaceParts } from './places.ts';
import { asItStands, type Reading, readingsOf } from './reading.ts';
import type { MaskRules } from './rules.ts';

/** Levels of JSON that are read in a text. */
const DEEPEST = 100;
/** JSON, or the beginning of it. */
const STRUCTURED = /^\s*[[{]|[[{]\s*["'{[]/;
const MARKUP_BEGINS = /<[a-z!?]/i;
const LOOKS = /eyJ|bearer|basic|whsec_|-----B|:\/\/[^\s/]*@/i;
const SHORTEST_CARD = 14;

/** Whether anything in a text may be masked: most texts have nothing that could be a secret. */
export function needsReading(text: string, { knownIn, moreIn }: MaskRules): boolean {
  const { hasNames, hasEscapes, hasLooks } = signsIn(text);
  return hasNames || hasEscapes || hasLooks || knownIn !== undefined || moreIn !== undefined;
}

/** A text with the secrets in it replaced, by names and looks, also where they are encoded. */
export function* maskedText(text: string, rules: MaskRules, isStructured: boolean): Steps<string> {
  const signs = signsIn(text);
  const parts: Replacement[] = [];
  const readings = signs.hasEscapes ? readingsOf(text) : [asItStands(text)];
  for (const reading of readings) {
    const isDecoded = reading.text !== text;
    for (const place of yield* placesIn(reading.text, isDecoded ? signsIn(reading.text) : signs, rules, isStructured)) {
      parts.push(replacementOf(place, reading, rules));
    }
    for (const { from, to, standIn } of rules.knownIn?.(reading.text) ?? []) {
      parts.push(written({ from, to }, standIn, reading));
    }
  }
  return replaceParts(text, parts, (part) => rules.replace(part, 'secret'));
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

/** What could be in a text. */
interface Signs {
  /** A sign that is behind a name. */
  hasNames: boolean;
  hasEscapes: boolean;
  /** A word before credentials, or enough digits for a card number. */
  hasLooks: boolean;
}

function signsIn(text: string): Signs {
  let [digits, mostDigits, hasNames, hasEscapes] = [0, 0, false, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits += 1;
      mostDigits = Math.max(digits, mostDigits);
    } else if (code === 0x3a || code === 0x3d || code === 0x3e) {
      // : = >, but not the colon of a time.
      digits = 0;
      hasNames ||= code !== 0x3a || !isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at + 1));
    } else if (code === 0x25 || code === 0x26 || code === 0x2b || code === 0x5c) {
      // % & + \
      hasEscapes = true;
    } else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) {
      digits = 0;
    }
  }
  return { hasNames, hasEscapes, hasLooks: mostDigits >= SHORTEST_CARD || LOOKS.test(text) };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function* placesIn(text: string, signs: Signs, rules: MaskRules, isStructured: boolean): Steps<FoundPlace[]> {
  const found: FoundPlace[] = [];
  if (signs.hasNames) {
    addNamed(text, rules, isStructured, found);
    yield;
  }
  if (signs.hasLooks) {
    yield* addSecretLooks(text, found);
  }
  found.push(...(rules.moreIn?.(text) ?? []));
  return found;
}

function addNamed(text: string, { kindOf, keepsShape }: MaskRules, isBroken: boolean, found: FoundPlace[]): void {
  const begin = text.search(MARKUP_BEGINS);
  // What could not be read need not stay readable: its secrets are masked with their quotes.
  const options = {
    kindOf,
    isStructured: isBroken || STRUCTURED.test(text),
    withQuotes: isBroken && !keepsShape,
  };
  const markup = begin === -1 ? undefined : namedMarkupIn(text.slice(begin), kindOf);
  for (const { from, to, kind, spelling } of markup ?? []) {
    found.push({ from: from + begin, to: to + begin, kind, spelling });
  }
  addNamedValues(markup ? text.slice(0, begin) : text, options, found);
  if (/content-disposition/i.test(text)) {
    for (const { name, from, to } of formPartsIn(text)) {
      const kind = kindOf(name);
      if (kind !== undefined && to > from) {
        found.push({ from, to, kind, name });
      }
    }
  }
}

function replacementOf(place: FoundPlace, reading: Reading, rules: MaskRules): Replacement {
  const { from, to, kind, name } = place;
  const own = place.spelling === reading.spelling ? reading.spellingOfParts : place.spelling;
  const value = reading.text.slice(from, to);
  const read = own ? own.read(value) : value;
  const standIn = rules.replace(read, kind, name);
  // What is written without escapes has none in its stand-in, which has the same shape.
  return written(place, own && read !== value ? own.write(standIn) : standIn, reading);
}

function written({ from, to }: { from: number; to: number }, standIn: string, reading: Reading): Replacement {
  const [start, end] = [reading.startOf(from), reading.startOf(to)];
  return {
    from: start,
    to: end,
    standIn: reading.spelling ? reading.spelling.write(standIn) : standIn,
    isSpelled: end - start !== to - from,
  };
}
