import type { FoundPlace, NamedKind } from './places.ts';
import { FORM } from './reading.ts';
import { isNamedValue, isNamingName, mayHoldMembers } from './secret-names.ts';
import {
  bareEnd,
  closingBracket,
  type Extent,
  indentedBlock,
  matchEnd,
  QuotedValues,
  xmlContent,
} from './value-extent.ts';

/** What a name says of its value. */
export type KindOf = (name: string) => NamedKind | undefined;

const LONGEST_NAME = 64;
const LONGEST_PAIR_NAME = 13;
/** Characters between a name and its colon: blanks, quotes and their backslashes. */
const MAX_GAP = 24;
/** How far apart the members of a pair such as `"name": "password", "value": "x"` may be. */
const MAX_APART = 300;
const [COLON, EQUALS, GREATER, SLASH, DASH] = [0x3a, 0x3d, 0x3e, 0x2f, 0x2d];
/** A tag up to its end, of which the name is looked for. */
const LONGEST_TAG = 300;
const TAG_NAME = /^<([\w.:-]+)/;
const LONGEST_LITERAL = 9;
const LITERAL = /^(?:null|true|false|undefined)$/;
const NEXT_NAME = /[\w.-]+\s*[:=]/y;
/** A value of a query or a form; with blanks, if another name follows. */
const PAIRED = /[^&;#\s"'<>]*(?:(?:\x20[^&;#\s"'<>=?:]+){1,9}(?=&[\w.%-]+=))?/y;
const PAIRED_IN_PATH = /[^&;#\s"'<>/?]*/y;
/** The beginning of a list of a name and a value. */
const PAIR = /\[\s*\\*["']([\w. -]{3,64})\\*["']\s*,\s*(?=\\*["'])/g;
/** The name that a member holds, and a value in front of one. They are short, because the text behind them is read again. */
const GIVEN_NAME = /\s{0,8}\\{0,8}["']?([^"'<>,;:=&{}[\]\r\n\\]{1,64})/y;
const VALUE_BEFORE_NAME = /\s{0,8}(?:\\{0,8}["']([^"'\r\n\\]{1,128})|([^"'<>\s,;:=&{}[\]\\]{1,128}))/y;
/** Several cookies are one value. */
const LINE = /[^\r\n"']*/y;
const WORD = /[^\s"',;&<>{}()[\]]+/y;
/** A word behind a colon in a sentence is a secret only if it looks unlike a word of a language. */
const UNLIKE_A_WORD = /\d|[^\s]{16}|\p{L}\p{Lu}|\p{L}[_~+/=]\p{L}/u;

interface Options {
  kindOf: KindOf;
  /** Whether the text is made of names and values throughout, such as JSON that is cut, and not a sentence that has some. */
  isStructured: boolean;
  /** Whether the quotes of a value belong to it. */
  withQuotes: boolean;
}

interface Name {
  text: string;
  from: number;
  to: number;
  isQuoted: boolean;
}

/** Adds values in a text that names in front of them tell of: in JSON, also where it is cut or wrong, in forms, queries, YAML, XML and sentences. */
export function addNamedValues(text: string, options: Options, found: FoundPlace[]): void {
  new NamedValues(text, options, found).find();
}

class NamedValues {
  readonly #text: string;
  readonly #options: Options;
  readonly #quoted: QuotedValues;
  readonly #query: number;
  readonly #found: FoundPlace[];
  /** The kind of the value that follows, where a member before it named it. */
  #named: { at: number; kind: NamedKind; name: string } | undefined;
  #lastValue: Extent | undefined;

  constructor(text: string, options: Options, found: FoundPlace[]) {
    this.#text = text;
    this.#found = found;
    this.#options = options;
    this.#quoted = new QuotedValues(text, options);
    this.#query = text.indexOf('?');
  }

  find(): void {
    for (let at = this.#separatorFrom(0); at < this.#text.length; ) {
      at = this.#separatorFrom(Math.max(this.#readAt(at), at + 1));
    }
    if (this.#text.includes('[')) {
      this.#readPairs();
    }
  }

  #readPairs(): void {
    PAIR.lastIndex = 0;
    for (let pair = PAIR.exec(this.#text); pair; pair = PAIR.exec(this.#text)) {
      const kind = this.#options.kindOf(pair[1] ?? '');
      if (kind !== undefined) {
        PAIR.lastIndex = Math.max(PAIR.lastIndex, this.#add(pair[1] ?? '', kind, this.#quoted.at(PAIR.lastIndex)));
      }
    }
  }

  #separatorFrom(from: number): number {
    for (let at = from; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === COLON || code === EQUALS || code === GREATER) {
        return at;
      }
    }
    return this.#text.length;
  }

  /** Returns where to read on. */
  #readAt(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    const isScheme = code === COLON && text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH;
    const name = isScheme ? undefined : code === GREATER ? this.#nameOfTag(at) : this.#nameBefore(at);
    if (!name) {
      return at + 1;
    }
    const kind = this.#kindOf(name);
    if (kind !== undefined) {
      return this.#add(name.text, kind, this.#valueOf(name, at, kind));
    }
    if (name.text.length <= LONGEST_PAIR_NAME) {
      return this.#readPair(name, at);
    }
    return at + 1;
  }

  #add(name: string, kind: NamedKind, extent: Extent | undefined): number {
    if (!extent) {
      return 0;
    }
    const { from, to } = (this.#options.withQuotes && extent.quoted) || extent;
    if (to <= from) {
      return 0;
    }
    if (to - from > LONGEST_LITERAL || !LITERAL.test(this.#text.slice(from, to))) {
      this.#found.push({ from, to, kind, name, spelling: extent.spelling });
    }
    return extent.to;
  }

  /** Lists of names and values have the name in another member, before or behind the value. */
  #readPair(name: Name, at: number): number {
    const value = this.#lastValue;
    const named = this.#named;
    if (isNamingName(name.text)) {
      const extent = this.#extentOf(GIVEN_NAME, at);
      const given = extent ? this.#text.slice(extent.from, extent.to) : '';
      const kind = this.#options.kindOf(given);
      const isBehind = kind !== undefined && value !== undefined && this.#isNear(value.to, at);
      this.#lastValue = undefined;
      this.#named = kind && !isBehind ? { at, kind, name: given } : undefined;
      if (isBehind) {
        this.#add(given, kind, value);
      }
    } else if (isNamedValue(name.text)) {
      this.#named = undefined;
      if (named && this.#isNear(named.at, at)) {
        return this.#add(named.name, named.kind, this.#valueOf(name, at, named.kind));
      }
      this.#lastValue = this.#extentOf(VALUE_BEFORE_NAME, at);
    }
    return at + 1;
  }

  #extentOf(pattern: RegExp, at: number): Extent | undefined {
    pattern.lastIndex = at + 1;
    const [, quoted = '', bare = quoted] = pattern.exec(this.#text) ?? [];
    return bare === '' ? undefined : { from: pattern.lastIndex - bare.length, to: pattern.lastIndex };
  }

  #isNear(from: number, to: number): boolean {
    return to - from <= MAX_APART && !this.#text.slice(from, to).includes('}');
  }

  #kindOf({ text, from }: Name): NamedKind | undefined {
    const { kindOf } = this.#options;
    const kind = kindOf(text);
    if (kind !== undefined || this.#text.charAt(from - 1) !== ' ') {
      return kind;
    }
    // Two words may be a name together, such as `card number`.
    const before = startOfName(this.#text, from - 1);
    return before < from - 1 ? kindOf(this.#text.slice(before, from) + text) : undefined;
  }

  #nameBefore(at: number): Name | undefined {
    const text = this.#text;
    let to = at;
    while (to > 0 && at - to < MAX_GAP && isGap(text.charCodeAt(to - 1))) {
      to -= 1;
    }
    const from = startOfName(text, to);
    return from === to ? undefined : { text: text.slice(from, to), from, to, isQuoted: /["']/.test(text.charAt(to)) };
  }

  #nameOfTag(at: number): Name | undefined {
    const before = this.#text.charCodeAt(at - 1);
    if (before === SLASH || before === EQUALS || before === DASH || before === GREATER) {
      return undefined;
    }
    const begin = Math.max(0, at - LONGEST_TAG);
    const last = this.#text.slice(begin, at);
    const tag = last.slice(Math.max(0, last.lastIndexOf('<')));
    const [, text] = tag.includes('>') ? [] : (TAG_NAME.exec(tag) ?? []);
    return text === undefined ? undefined : { text, from: at - tag.length, to: at, isQuoted: false };
  }

  #valueOf(name: Name, at: number, kind: NamedKind): Extent | undefined {
    const text = this.#text;
    const separator = text.charCodeAt(at);
    if (separator === GREATER) {
      return xmlContent(text, at + 1, { isEnded: !this.#options.isStructured });
    }
    const block = separator === COLON && !name.isQuoted ? indentedBlock(text, at) : undefined;
    if (block) {
      return block;
    }
    // An arrow, as of a hash, begins with the sign.
    const start = at + (separator === EQUALS && text.charCodeAt(at + 1) === GREATER ? 2 : 1);
    let from = start;
    while (isSpace(text.charCodeAt(from))) {
      from += 1;
    }
    const isBelow = from > start && text.slice(start, Math.min(from, start + MAX_APART)).includes('\n');
    if (isBelow && matchEnd(NEXT_NAME, text, from) > from) {
      // A name without a value, and the next line.
      return undefined;
    }
    if (text.charAt(from) === '{' || text.charAt(from) === '[') {
      return mayHoldMembers(name.text) ? undefined : { from, to: closingBracket(text, from) };
    }
    return this.#quoted.at(from) ?? this.#bareValue(from, separator, name, kind);
  }

  #bareValue(from: number, separator: number, name: Name, kind: NamedKind | undefined): Extent {
    const text = this.#text;
    if (/cookies?$/i.test(name.text)) {
      return { from, to: matchEnd(LINE, text, from) };
    }
    const before = text.charAt(name.from - 1);
    const isPair = separator === EQUALS && /^[?&;#\s]?$/.test(before);
    if (this.#options.isStructured) {
      return { from, to: bareEnd(text, from), spelling: isPair ? FORM : undefined };
    }
    if (isPair) {
      const isInPath = before === ';' && (this.#query === -1 || name.from <= this.#query);
      return { from, to: matchEnd(isInPath ? PAIRED_IN_PATH : PAIRED, text, from), spelling: FORM };
    }
    const to = matchEnd(WORD, text, from);
    const isSecret = kind === 'secret' && UNLIKE_A_WORD.test(text.slice(from, to));
    return { from, to: separator === EQUALS || isSecret ? to : from };
  }
}

/** Letters, numbers and what is between the words of a name. */
function isNameCode(code: number): boolean {
  const isLetter = ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;
  const isNumber = code >= 0x30 && code <= 0x39;
  // - . [ ] _
  return isLetter || isNumber || code === 0x2d || code === 0x2e || code === 0x5b || code === 0x5d || code === 0x5f;
}

function startOfName(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from < LONGEST_NAME && isNameCode(text.charCodeAt(from - 1))) {
    from -= 1;
  }
  return from;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}

/** Blanks, quotes and backslashes. */
function isGap(code: number): boolean {
  return isSpace(code) || code === 0x22 || code === 0x27 || code === 0x5c;
}
