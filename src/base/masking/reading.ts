import { runSteps, type Steps, TextSteps } from '../steps.ts';
import { isDigit, isLetter } from './codes.ts';
import type { Spelling } from './places.ts';

/** A text as it reads. */
export interface Reading {
  text: string;
  /** Where its characters and its end are in the text as it is written; undefined for a text as it stands. */
  starts?: Uint32Array;
  /** How it is written; undefined for a text as it stands. */
  spelling?: Spelling;
  /** How parts of it may be written. */
  spellingOfParts?: Spelling;
}

/** Encodings in encodings that are read, such as an address in an address in a JSON text. */
const MAX_LEVELS = 3;
const [HASH, PERCENT, AMPERSAND, PLUS, SEMICOLON, BACKSLASH] = [0x23, 0x25, 0x26, 0x2b, 0x3b, 0x5c];
const LONGEST_ENTITY = 10;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const JSON_ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', "'": "'", b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([kind, read]) => [kind.charCodeAt(0), { read, width: 2 }],
  ),
);

export const FORM: Spelling = {
  read: (text) => decodedText(text, true),
  write: (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')),
};
export const MARKUP: Spelling = {
  read: (text) => decodedText(text, false),
  write: (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`),
};
const JSON_TEXT: Spelling = {
  read: (text) => decodedText(text, false),
  write: (text) => JSON.stringify(text).slice(1, -1),
};

/** A text as it stands, and as it reads with what is encoded in it decoded, as often as it is encoded. */
export class Readings {
  readonly first: Reading;
  readonly #spelling: Spelling;
  readonly #hasPlus: boolean;
  #last: Reading;
  #level = 0;

  constructor(text: string) {
    const hasPercent = /%[\da-f]{2}/i.test(text);
    // In a form a plus is a blank; elsewhere it is itself.
    this.#hasPlus = hasPercent || text.includes('=');
    const isForm = hasPercent || (this.#hasPlus && text.includes('+'));
    this.#spelling = isForm ? FORM : /&(?:#|\w{2,4};)/.test(text) ? MARKUP : JSON_TEXT;
    this.first = { text, spellingOfParts: { read: JSON_TEXT.read, write: this.#spelling.write } };
    this.#last = this.first;
  }

  /** Undefined where nothing more is encoded. */
  *next(): Steps<Reading | undefined> {
    const hasPlus = this.#hasPlus && this.#level === 0;
    this.#level += 1;
    const decoded = this.#level > MAX_LEVELS ? undefined : yield* decodedOnce(this.#last, hasPlus);
    this.#last = decoded ? { ...decoded, spelling: this.#spelling } : this.#last;
    return decoded && this.#last;
  }
}

/** A character that is written with several, and how many these are. */
interface Decoded {
  read: string;
  width: number;
}

/** Also in browsers, which have no Buffer. A byte order mark is a character like others. */
const UTF_16 = new TextDecoder('utf-16le', { ignoreBOM: true });

function decodedText(text: string, hasPlus: boolean): string {
  return hasEscapes(text, hasPlus) ? (runSteps(decodedOnce({ text }, hasPlus))?.text ?? text) : text;
}

/** Undefined where nothing in the text is encoded. */
function* decodedOnce({ text, starts: before }: Reading, hasPlus: boolean): Steps<Reading | undefined> {
  if (!hasEscapes(text, hasPlus)) {
    return undefined;
  }
  const codes = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  const steps = new TextSteps();
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const decoded = isEscape(code, hasPlus) ? escapeAt(text, at) : undefined;
    if (!decoded) {
      codes[length] = code;
      starts[length] = at;
      length += 1;
      at += 1;
      continue;
    }
    for (let unit = 0; unit < decoded.read.length; unit += 1) {
      codes[length] = decoded.read.charCodeAt(unit);
      starts[length] = at;
      length += 1;
    }
    at += decoded.width;
    if (steps.isEndAt(at)) {
      yield;
    }
  }
  starts[length] = text.length;
  const [own, units] = [starts.subarray(0, length + 1), codes.subarray(0, length)];
  return {
    text: UTF_16.decode(units),
    starts: before ? own.map((start) => before[start] ?? 0) : own,
  };
}

function hasEscapes(text: string, hasPlus: boolean): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (isEscape(text.charCodeAt(at), hasPlus) && escapeAt(text, at)) {
      return true;
    }
  }
  return false;
}

function isEscape(code: number, hasPlus: boolean): boolean {
  return code === PERCENT || code === BACKSLASH || code === AMPERSAND || (hasPlus && code === PLUS);
}

function escapeAt(text: string, at: number): Decoded | undefined {
  switch (text.charCodeAt(at)) {
    case PERCENT:
      return percentAt(text, at);
    case PLUS:
      return BLANK;
    case BACKSLASH:
      return backslashAt(text, at);
    default:
      return entityAt(text, at);
  }
}
const BLANK: Decoded = { read: ' ', width: 1 };

/** The bytes of one character, in UTF-8 or else ISO-8859-1. */
function percentAt(text: string, at: number): Decoded | undefined {
  const first = byteAt(text, at);
  if (first < 0) {
    return undefined;
  }
  const following = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  let code = following === 0 ? first : first & (0x3f >> following);
  for (let index = 1; index <= following; index += 1) {
    const byte = byteAt(text, at + 3 * index);
    if (byte < 0x80 || byte > 0xbf) {
      return { read: String.fromCharCode(first), width: 3 };
    }
    code = code * 64 + (byte & 0x3f);
  }
  const isValid = code <= 0x10ffff;
  return { read: String.fromCodePoint(isValid ? code : first), width: isValid ? 3 + 3 * following : 3 };
}

/** -1 if there is no such place. */
function byteAt(text: string, at: number): number {
  const high = text.charCodeAt(at) === PERCENT ? digitAt(text, at + 1) : -1;
  const low = high < 0 ? -1 : digitAt(text, at + 2);
  return low < 0 ? -1 : high * 16 + low;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) {
    return code - 0x30;
  }
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function backslashAt(text: string, at: number): Decoded | undefined {
  const kind = text.charCodeAt(at + 1);
  if ((kind | 0x20) !== 0x75) {
    return JSON_ESCAPES.get(kind);
  }
  // \u or \U
  let code = 0;
  for (let index = 2; index < 6; index += 1) {
    const digit = digitAt(text, at + index);
    if (digit < 0) {
      return undefined;
    }
    code = code * 16 + digit;
  }
  return { read: String.fromCharCode(code), width: 6 };
}

function entityAt(text: string, at: number): Decoded | undefined {
  let end = at + 1;
  while (end < at + LONGEST_ENTITY && isOfEntity(text.charCodeAt(end))) {
    end += 1;
  }
  if (text.charCodeAt(end) !== SEMICOLON) {
    return undefined;
  }
  const name = text.slice(at + 1, end).toLowerCase();
  const width = end + 1 - at;
  const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/.exec(name);
  if (!number) {
    const read = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    return read === undefined ? undefined : { read, width };
  }
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  return code <= 0x10ffff ? { read: String.fromCodePoint(code), width } : undefined;
}

function isOfEntity(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === HASH;
}
