import { isDeeperThan } from '../schema/depth.ts';
import type { Steps } from '../steps.ts';
import { tryParseJson } from '../text/try-parse-json.ts';
import { addCards, findNextCard } from './card-numbers.ts';
import { type DecodedText, DecodedTexts } from './decoded-text.ts';
import { formPartsIn } from './form-parts.ts';
import { namedMarkupIn } from './markup.ts';
import { addNamedValues } from './named-values.ts';
import { type AddPlace, type FoundPlace, Replacements } from './places.ts';
import { type MaskRules, standInOf } from './rules.ts';
import { addSecretForms } from './secret-forms.ts';
import { nextSeparator } from './secret-names.ts';

/** Maximum nesting of JSON in a text. */
const MAX_DEPTH = 100;
/** JSON, or the beginning of it. */
const STRUCTURED = /^\s*[[{]|[[{]\s*["'{[]/;
const MARKUP_BEGINS = /<[a-z!?]/i;
const SECRET_FORMS_BEGIN = /eyJ|bearer|basic|whsec_|-----B|:\/\/[^\s/]*@/i;
/** A list that may begin with a name. */
const PAIR_BEGINS = /\[\s*\\*["']/;
const ESCAPES = /[%&+\\]/;

/** Signs of secrets in a text, found by fast searches. */
export interface SecretSigns {
  /** The offset of the first separator that may have a name before it; -1 without one. */
  firstSeparator: number;
  /** Whether there is a list that may begin with a name. */
  hasPairs: boolean;
  hasMarkup: boolean;
  hasEscapes: boolean;
  hasCards: boolean;
  /** Whether there may be a token, a private key or credentials. */
  hasSecretForms: boolean;
}

/** Undefined if nothing in a text can be a secret, as in most texts. */
export function signsIn(text: string, { names, findKnown, findMore }: MaskRules): SecretSigns | undefined {
  const signs = {
    firstSeparator: nextSeparator(text, 0, names),
    hasPairs: PAIR_BEGINS.test(text),
    hasMarkup: MARKUP_BEGINS.test(text),
    hasEscapes: ESCAPES.test(text),
    hasCards: findNextCard(text, 0) !== -1,
    hasSecretForms: SECRET_FORMS_BEGIN.test(text),
  };
  const { firstSeparator, hasPairs, hasMarkup, hasEscapes, hasCards, hasSecretForms } = signs;
  const hasSign = firstSeparator !== -1 || hasPairs || hasMarkup || hasEscapes || hasCards || hasSecretForms;
  return hasSign || findKnown !== undefined || findMore !== undefined ? signs : undefined;
}

/** Replaces the secrets in a text, by names and by patterns, also in encoded parts. */
export function* maskInText(text: string, rules: MaskRules, signs: SecretSigns, isStructured: boolean): Steps<string> {
  const replacements = new Replacements();
  const decodedTexts = signs.hasEscapes ? new DecodedTexts(text) : undefined;
  let decodedText: DecodedText | undefined = decodedTexts?.first ?? { text };
  let found: SecretSigns | undefined = signs;
  while (decodedText && found) {
    yield* addReplacements(decodedText, found, rules, isStructured, replacements);
    decodedText = decodedTexts && (yield* decodedTexts.next());
    found = decodedText && signsIn(decodedText.text, rules);
  }
  return yield* replacements.applyTo(text, (part) => standInOf(rules, part, 'secret'));
}

/** The object or list of a JSON text; undefined for other texts, and for JSON that is too deep or that serializing again would change. */
export function jsonIn(text: string): object | undefined {
  const value = /^[[{]/.test(text) ? tryParseJson(text) : undefined;
  const isReadable = typeof value === 'object' && value !== null && !isDeeperThan(MAX_DEPTH, value);
  return isReadable && JSON.stringify(value) === text ? value : undefined;
}

function* addReplacements(
  decodedText: DecodedText,
  signs: SecretSigns,
  rules: MaskRules,
  isStructured: boolean,
  replacements: Replacements,
): Steps<void> {
  const { text } = decodedText;
  const add = (place: FoundPlace) =>
    addReplacement(replacements, place, standInAt(place, decodedText, rules), decodedText);
  yield* addNamed(text, signs, rules, isStructured, add);
  if (signs.hasCards) {
    yield* addCards(text, add);
  }
  if (signs.hasSecretForms) {
    yield* addSecretForms(text, add);
  }
  rules.findMore?.(text).forEach(add);
  for (const known of rules.findKnown?.(text) ?? []) {
    addReplacement(replacements, known, encodeStandIn(known.standIn, decodedText), decodedText);
  }
}

function* addNamed(
  text: string,
  { firstSeparator, hasPairs, hasMarkup }: SecretSigns,
  { names, keepsShape }: MaskRules,
  isStructured: boolean,
  add: AddPlace,
): Steps<void> {
  const begin = hasMarkup ? text.search(MARKUP_BEGINS) : -1;
  const markup = begin === -1 ? undefined : yield* namedMarkupIn(text, begin, names);
  if (firstSeparator !== -1 || hasPairs) {
    // A text that could not be parsed need not stay valid, so its secrets are masked with their quotes.
    const options = {
      names,
      isStructured: isStructured || STRUCTURED.test(text),
      withQuotes: isStructured && !keepsShape,
      firstSeparator,
      hasPairs,
    };
    yield* addNamedValues(markup ? text.slice(0, begin) : text, options, add);
  }
  markup?.forEach(add);
  if (firstSeparator !== -1 && /content-disposition/i.test(text)) {
    for (const { name, from, to } of formPartsIn(text)) {
      const kind = names.kindOf(name);
      if (kind !== undefined && to > from) {
        add({ from, to, kind });
      }
    }
  }
}

function addReplacement(
  replacements: Replacements,
  { from, to }: { from: number; to: number },
  standIn: string,
  { offsets }: DecodedText,
): void {
  const [start, end] = offsets ? [offsets.encodedOffset(from), offsets.encodedOffset(to)] : [from, to];
  replacements.add(start, end, standIn, end - start !== to - from);
}

function standInAt({ from, to, kind, encoding }: FoundPlace, decodedText: DecodedText, rules: MaskRules): string {
  if (typeof rules.standIn === 'string') {
    return rules.standIn;
  }
  const ownEncoding = encoding === decodedText.encoding ? decodedText.encodingOfParts : encoding;
  const value = decodedText.text.slice(from, to);
  const decoded = ownEncoding ? ownEncoding.decode(value) : value;
  const standIn = rules.standIn(decoded, kind);
  // A stand-in has the same shape as its value, so it needs no escapes if the value has none.
  return encodeStandIn(ownEncoding && decoded !== value ? ownEncoding.encode(standIn) : standIn, decodedText);
}

function encodeStandIn(standIn: string, { encoding }: DecodedText): string {
  return encoding ? encoding.encode(standIn) : standIn;
}
