import { MAX_STEP_CHARACTERS, runSteps, type Steps, TextSteps } from '../steps.ts';
import { isDigit, isLetter } from './character-classes.ts';
import { OffsetMap } from './offset-map.ts';
import type { Encoding } from './places.ts';

/** A text in which zero or more levels of encoding are decoded. */
export interface DecodedText {
  text: string;
  /** The offsets of its characters in the original text; undefined for the original text. */
  offsets?: OffsetMap;
  /** Its encoding in the original text; undefined for the original text. */
  encoding?: Encoding;
  /** The encoding that parts of the original text may have. */
  encodingOfParts?: Encoding;
}

/** Maximum number of nested encodings, such as an address in an address in a JSON text. */
const MAX_LEVELS = 3;
const [HASH, PERCENT, AMPERSAND, PLUS, SEMICOLON, BACKSLASH] = [0x23, 0x25, 0x26, 0x2b, 0x3b, 0x5c];
const [BLANK, LETTER_U, LETTER_X] = [0x20, 0x75, 0x78];
const [MAX_CODE, MAX_UNIT] = [0x10ffff, 0xffff];
/** An escape is stored in one number: the code of its character, and in the low four bits its length. */
const [WIDTH_BITS, WIDTH_MASK] = [4, 0xf];
const MAX_ENTITY_NAME_LENGTH = 4;
/** Characters of entities, by the number that `withLetter` computes from their names. */
const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }).map(([name, character]) => [
    [...name].reduce((sum, letter) => withLetter(sum, letter.charCodeAt(0)), 0),
    character.charCodeAt(0),
  ]),
);
/** Finds escapes, because a search is faster than reading each character. */
const ESCAPES = /%[\da-f]{2}|\\["\\/'bfnrtu]|&(?:#|[a-z]{2,4};)/gi;
const ESCAPES_OF_FORM = new RegExp(`\\+|${ESCAPES.source}`, 'gi');
/** After an escape, this many characters are read one by one for the next escape, before the search is used again. */
const MAX_APART = 32;
const JSON_ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', "'": "'", b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([kind, character]) => [kind.charCodeAt(0), character.charCodeAt(0)],
  ),
);

export const FORM: Encoding = {
  decode: (text) => decodeText(text, true),
  encode: (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')),
};
export const MARKUP: Encoding = {
  decode: (text) => decodeText(text, false),
  encode: (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`),
};
const JSON_TEXT: Encoding = {
  decode: (text) => decodeText(text, false),
  encode: (text) => JSON.stringify(text).slice(1, -1),
};

/** A text, and the same text with its encoded parts decoded once, twice and so on. */
export class DecodedTexts {
  readonly first: DecodedText;
  readonly #encoding: Encoding;
  readonly #isPlusBlank: boolean;
  #last: DecodedText;
  #level = 0;

  constructor(text: string) {
    const hasPercent = /%[\da-f]{2}/i.test(text);
    // A plus is an encoded blank in a form only.
    this.#isPlusBlank = hasPercent || text.includes('=');
    const isForm = hasPercent || (this.#isPlusBlank && text.includes('+'));
    this.#encoding = isForm ? FORM : /&(?:#|\w{2,4};)/.test(text) ? MARKUP : JSON_TEXT;
    this.first = { text, encodingOfParts: { decode: JSON_TEXT.decode, encode: this.#encoding.encode } };
    this.#last = this.first;
  }

  /** The next level of decoding; undefined if nothing more is encoded, or after MAX_LEVELS. */
  *next(): Steps<DecodedText | undefined> {
    const isPlusBlank = this.#isPlusBlank && this.#level === 0;
    this.#level += 1;
    const decoded = this.#level > MAX_LEVELS ? undefined : yield* decodeOnce(this.#last, isPlusBlank);
    this.#last = decoded ? { ...decoded, encoding: this.#encoding } : this.#last;
    return decoded && this.#last;
  }
}

/** Not a Buffer, because browsers have none. A byte order mark is kept as a character. */
const UTF_16 = new TextDecoder('utf-16le', { ignoreBOM: true });

function decodeText(text: string, isPlusBlank: boolean): string {
  return runSteps(decodeOnce({ text }, isPlusBlank))?.text ?? text;
}

/** Undefined if nothing in the text is encoded. */
function* decodeOnce({ text, offsets }: DecodedText, isPlusBlank: boolean): Steps<DecodedText | undefined> {
  const pattern = isPlusBlank ? ESCAPES_OF_FORM : ESCAPES;
  const steps = new TextSteps();
  let decoder: Decoder | undefined;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    decoder ??= new Decoder(text, isPlusBlank, offsets);
    const end = decoder.decodeFrom(found.index);
    if (steps.tryEndStep(end)) {
      yield;
    }
    pattern.lastIndex = end;
  }
  return decoder?.result();
}

/** Decodes the stretches of a text that have escapes. They are joined only at the end, because that is faster. */
class Decoder {
  readonly #text: string;
  readonly #isPlusBlank: boolean;
  readonly #offsets: OffsetMap;
  /** The decoded characters of all stretches. */
  readonly #codes: Uint16Array;
  #length = 0;
  #isDecoded = false;
  /** For each stretch: its beginning and end in the text, and its end in `#codes`. */
  readonly #stretches: number[] = [];
  /** The number of characters by which the decoded text is shorter so far. */
  #saved = 0;

  constructor(text: string, isPlusBlank: boolean, previousLevel: OffsetMap | undefined) {
    this.#text = text;
    this.#isPlusBlank = isPlusBlank;
    this.#offsets = new OffsetMap(previousLevel);
    this.#codes = new Uint16Array(text.length);
  }

  /** Decodes a stretch that begins with an escape and ends when none follows soon, or when it is as long as a step. Returns its end. */
  decodeFrom(from: number): number {
    const [text, codes, isPlusBlank, offsets] = [this.#text, this.#codes, this.#isPlusBlank, this.#offsets];
    const longest = Math.min(text.length, from + MAX_STEP_CHARACTERS);
    let [at, length, end] = [from, this.#length, Math.min(longest, from + MAX_APART)];
    const decodedFrom = from - this.#saved - length;
    // A stretch must not end between the two halves of a surrogate pair.
    while (at < end || (at < text.length && isFirstHalf(text.charCodeAt(at - 1)))) {
      let code = text.charCodeAt(at);
      const isEscape = code === PERCENT || code === BACKSLASH || code === AMPERSAND || (isPlusBlank && code === PLUS);
      const found = isEscape ? escapeAt(text, at) : 0;
      if (found === 0) {
        at += 1;
      } else {
        code = found >> WIDTH_BITS;
        if (code > MAX_UNIT) {
          codes[length] = (code - MAX_UNIT - 1) / 0x400 + 0xd800;
          length += 1;
          offsets.add(decodedFrom + length, at);
          code = (code % 0x400) + 0xdc00;
        }
        const width = found & WIDTH_MASK;
        at += width;
        end = Math.min(longest, at + MAX_APART);
        if (width > 1) {
          offsets.add(decodedFrom + length + 1, at);
        }
        this.#isDecoded = true;
      }
      codes[length] = code;
      length += 1;
    }
    this.#saved += at - from - (length - this.#length);
    this.#length = length;
    this.#stretches.push(from, at, length);
    return at;
  }

  result(): DecodedText | undefined {
    if (!this.#isDecoded) {
      return undefined;
    }
    const stretches = UTF_16.decode(this.#codes.subarray(0, this.#length));
    let [decoded, copied, taken] = ['', 0, 0];
    for (let index = 0; index < this.#stretches.length; index += 3) {
      const [from, end, length] = this.#stretches.slice(index, index + 3);
      decoded += this.#text.slice(copied, from) + stretches.slice(taken, length);
      copied = end ?? 0;
      taken = length ?? 0;
    }
    return { text: decoded + this.#text.slice(copied), offsets: this.#offsets };
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** The escape at an offset: its character and length in one number, because texts have many escapes; 0 without an escape. */
function escapeAt(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case PERCENT:
      return percentAt(text, at);
    case PLUS:
      return packEscape(BLANK, 1);
    case BACKSLASH:
      return backslashAt(text, at);
    default:
      return text.charCodeAt(at + 1) === HASH ? numberedEntityAt(text, at) : namedEntityAt(text, at);
  }
}

function packEscape(code: number, width: number): number {
  return (code << WIDTH_BITS) | width;
}

/** The percent-encoded bytes of one character, in UTF-8 or otherwise ISO-8859-1. */
function percentAt(text: string, at: number): number {
  const first = byteAt(text, at);
  if (first < 0) {
    return 0;
  }
  const following = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  let code = following === 0 ? first : first & (0x3f >> following);
  for (let index = 1; index <= following; index += 1) {
    const byte = byteAt(text, at + 3 * index);
    if (byte < 0x80 || byte > 0xbf) {
      return packEscape(first, 3);
    }
    code = code * 64 + (byte & 0x3f);
  }
  return code <= MAX_CODE ? packEscape(code, 3 + 3 * following) : packEscape(first, 3);
}

/** The value of a percent-encoded byte; -1 without one. */
function byteAt(text: string, at: number): number {
  const high = text.charCodeAt(at) === PERCENT ? hexDigitAt(text, at + 1) : -1;
  const low = high < 0 ? -1 : hexDigitAt(text, at + 2);
  return low < 0 ? -1 : high * 16 + low;
}

function hexDigitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isDigit(code)) {
    return code - 0x30;
  }
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function backslashAt(text: string, at: number): number {
  const kind = text.charCodeAt(at + 1);
  if ((kind | 0x20) !== LETTER_U) {
    const character = JSON_ESCAPES.get(kind);
    return character === undefined ? 0 : packEscape(character, 2);
  }
  let code = 0;
  for (let index = 2; index < 6; index += 1) {
    const digit = hexDigitAt(text, at + index);
    if (digit < 0) {
      return 0;
    }
    code = code * 16 + digit;
  }
  return packEscape(code, 6);
}

function numberedEntityAt(text: string, at: number): number {
  const isHex = (text.charCodeAt(at + 2) | 0x20) === LETTER_X;
  const [begin, base, longest] = isHex ? [at + 3, 16, 6] : [at + 2, 10, 7];
  let [end, code] = [begin, 0];
  for (
    let digit = hexDigitAt(text, end);
    digit >= 0 && digit < base && end - begin < longest;
    digit = hexDigitAt(text, end)
  ) {
    code = code * base + digit;
    end += 1;
  }
  const isEntity = end > begin && code <= MAX_CODE && text.charCodeAt(end) === SEMICOLON;
  return isEntity ? packEscape(code, end + 1 - at) : 0;
}

function namedEntityAt(text: string, at: number): number {
  let [end, name] = [at + 1, 0];
  for (let code = text.charCodeAt(end); isLetter(code) && code < 0x80 && end - at <= MAX_ENTITY_NAME_LENGTH; ) {
    name = withLetter(name, code);
    end += 1;
    code = text.charCodeAt(end);
  }
  const character = text.charCodeAt(end) === SEMICOLON ? ENTITIES.get(name) : undefined;
  return character === undefined ? 0 : packEscape(character, end + 1 - at);
}

/** Adds a letter, of either case, to the number of a name. */
function withLetter(name: number, code: number): number {
  return name * 32 + (code & 0x1f);
}
