import { type Steps, TextSteps } from '../steps.ts';
import { endOfSpaces, isBeforePair, isGap, isQuote, startOfName } from './character-classes.ts';
import { FORM } from './decoded-text.ts';
import type { NameList } from './name-list.ts';
import type { AddPlace, NamedKind } from './places.ts';
import { mayHoldMembers, nextSeparator, roleInPair } from './secret-names.ts';
import {
  bareEnd,
  closingBracket,
  type Extent,
  indentedBlock,
  matchEnd,
  QuotedValues,
  xmlContent,
} from './value-extent.ts';

/** Maximum number of characters between a name and its separator: spaces, quotes and their backslashes. */
const MAX_GAP = 24;
/** How far apart the members of a pair such as `"name": "password", "value": "x"` may be. */
const MAX_APART = 300;
const [BLANK, SLASH, COLON, LESS, EQUALS, GREATER] = [0x20, 0x2f, 0x3a, 0x3c, 0x3d, 0x3e];
const MAX_TAG_LENGTH = 300;
/** A tag. The arrow in `<a => b>` does not end it. */
const TAG = /<[^<>]{1,299}(?<![/=-])>/y;
const TAG_NAME = /[\w.:-]+/y;
const LITERAL = /null|true|false|undefined/y;
const NEXT_NAME = /[\w.-]+\s*[:=]/y;
/** A value of a query or a form; with blanks, if another name follows. */
const PAIRED = /[^&;#\s"'<>]*(?:(?:\x20[^&;#\s"'<>=?:]+){1,9}(?=&[\w.%-]+=))?/y;
const PAIRED_IN_PATH = /[^&;#\s"'<>/?]*/y;
/** The beginning of a list of a name and a value. */
const PAIR = /\[\s*\\*["']([\w. -]{3,64})\\*["']\s*,\s*(?=\\*["'])/g;
/** The content of a `name` member, and the value before one. Their length is limited, because the text after them is read again. */
const GIVEN_NAME = /\s{0,8}\\{0,8}["']?([^"'<>,;:=&{}[\]\r\n\\]{1,64})/y;
const VALUE_BEFORE_NAME = /\s{0,8}(?:\\{0,8}["']([^"'\r\n\\]{1,128})|([^"'<>\s,;:=&{}[\]\\]{1,128}))/y;
/** Length of the name `cookie`, whose value is the rest of the line, because it contains several cookies. */
const MIN_COOKIE_NAME_LENGTH = 6;
const LINE = /[^\r\n"']*/y;
const WORD = /[^\s"',;&<>{}()[\]]+/y;
/** A word after a colon in a sentence is a secret only if it does not look like a word of a language. */
const UNLIKE_A_WORD = /\d|[^\s]{16}|\p{L}\p{Lu}|\p{L}[_~+/=]\p{L}/u;

interface Options {
  names: NameList<NamedKind>;
  /** Whether the whole text consists of names and values, such as truncated JSON, instead of being a sentence with some. */
  isStructured: boolean;
  /** Whether the quotes of a value are masked with it. */
  withQuotes: boolean;
  /** The offset of the first separator that may have a name before it; -1 without one. */
  firstSeparator: number;
  /** Whether there is a list that may begin with a name. */
  hasPairs: boolean;
}

/** Finds the values of listed names in a text: in JSON, also if it is truncated or invalid, in forms, queries, YAML, XML and sentences. */
export function addNamedValues(text: string, options: Options, add: AddPlace): Steps<void> {
  return new NamedValues(text, options, add).find();
}

class NamedValues {
  readonly #text: string;
  readonly #options: Options;
  readonly #quoted: QuotedValues;
  readonly #queryStart: number;
  readonly #addPlace: AddPlace;
  /** The kind that a `name` member announced for the value after it. */
  #announcement: { at: number; kind: NamedKind } | undefined;
  #lastValue: Extent | undefined;
  /** The offset of the end of the last tag; smaller than its beginning if it has no end. */
  #tagEnd = -1;

  constructor(text: string, options: Options, add: AddPlace) {
    this.#text = text;
    this.#addPlace = add;
    this.#options = options;
    this.#quoted = new QuotedValues(text, options);
    this.#queryStart = text.indexOf('?');
  }

  *find(): Steps<void> {
    const { firstSeparator, hasPairs } = this.#options;
    const steps = new TextSteps();
    const hasTags = this.#text.includes('<');
    let readTo = 0;
    for (let at = firstSeparator === -1 ? -1 : this.#next(firstSeparator); at !== -1; ) {
      const end = this.#readAt(at, this.#text.charCodeAt(at));
      if (hasTags && end > at) {
        this.#enterTag(readTo, end);
        readTo = end;
      }
      at = this.#next(Math.max(at + 1, end));
      if (steps.tryEndStep(at)) {
        yield;
      }
    }
    if (hasPairs) {
      this.#readPairs();
    }
  }

  /** Finds the tag that a value ends in. It may have begun in the value, or after the previous value. */
  #enterTag(from: number, at: number): void {
    const begin = Math.max(from, at - MAX_TAG_LENGTH);
    const open = this.#text.slice(begin, at).lastIndexOf('<');
    this.#tagEnd = open === -1 ? this.#tagEnd : matchEnd(TAG, this.#text, begin + open) - 1;
  }

  /** The next offset that a value may follow; -1 without one. A tag is read at its end, after its attributes. */
  #next(from: number): number {
    for (let at = from; ; ) {
      const separator = nextSeparator(this.#text, at, this.#options.names);
      const tagEnd = this.#tagEnd;
      if (tagEnd >= at && (separator === -1 || tagEnd < separator)) {
        this.#tagEnd = -1;
        return tagEnd;
      }
      if (separator === -1 || this.#text.charCodeAt(separator) !== LESS) {
        return separator;
      }
      at = separator + 1;
      this.#tagEnd = matchEnd(TAG, this.#text, separator) - 1;
    }
  }

  #readPairs(): void {
    PAIR.lastIndex = 0;
    for (let pair = PAIR.exec(this.#text); pair; pair = PAIR.exec(this.#text)) {
      const [, name = ''] = pair;
      const kind = this.#options.names.kindOf(name);
      if (kind !== undefined) {
        PAIR.lastIndex = Math.max(PAIR.lastIndex, this.#add(kind, this.#quoted.at(PAIR.lastIndex)));
      }
    }
  }

  /** Returns the end of the value; 0 without a value. */
  #readAt(at: number, code: number): number {
    const text = this.#text;
    const isScheme = code === COLON && text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH;
    const name = isScheme ? undefined : code === GREATER ? this.#nameOfTag(at) : this.#nameBefore(at);
    if (!name) {
      return 0;
    }
    const kind = this.#kindOf(name);
    if (kind !== undefined) {
      return this.#add(kind, this.#valueOf(name, at, kind));
    }
    const role = roleInPair(text, name.from, name.to);
    return role === undefined ? 0 : this.#readPair(role, name, at);
  }

  #add(kind: NamedKind, extent: Extent | undefined): number {
    if (!extent) {
      return 0;
    }
    const { from, to } = (this.#options.withQuotes && extent.quoted) || extent;
    if (to <= from) {
      return 0;
    }
    if (matchEnd(LITERAL, this.#text, from) !== to) {
      this.#addPlace({ from, to, kind, encoding: extent.encoding });
    }
    return extent.to;
  }

  /** In lists of names and values, the name is in another member, before or after the value. */
  #readPair(role: 'name' | 'value', name: Extent, at: number): number {
    const [value, announcement] = [this.#lastValue, this.#announcement];
    if (role === 'name') {
      const extent = this.#extentOf(GIVEN_NAME, at);
      const announcedName = extent ? this.#text.slice(extent.from, extent.to) : '';
      const kind = this.#options.names.kindOf(announcedName);
      const isAfterValue = kind !== undefined && value !== undefined && this.#isNear(value.to, at);
      this.#lastValue = undefined;
      this.#announcement = kind && !isAfterValue ? { at, kind } : undefined;
      if (isAfterValue) {
        this.#add(kind, value);
      }
      return 0;
    }
    this.#announcement = undefined;
    if (announcement && this.#isNear(announcement.at, at)) {
      return this.#add(announcement.kind, this.#valueOf(name, at, announcement.kind));
    }
    this.#lastValue = this.#extentOf(VALUE_BEFORE_NAME, at);
    return 0;
  }

  #extentOf(pattern: RegExp, at: number): Extent | undefined {
    pattern.lastIndex = at + 1;
    const [, quoted = '', bare = quoted] = pattern.exec(this.#text) ?? [];
    return bare === '' ? undefined : { from: pattern.lastIndex - bare.length, to: pattern.lastIndex };
  }

  #isNear(from: number, to: number): boolean {
    return to - from <= MAX_APART && !this.#text.slice(from, to).includes('}');
  }

  #kindOf({ from, to }: Extent): NamedKind | undefined {
    const { names } = this.#options;
    const kind = names.kindOf(this.#text, from, to);
    const gap = from - (this.#text.charCodeAt(from - 1) === LESS ? 2 : 1);
    if (kind !== undefined || this.#text.charCodeAt(gap) !== BLANK) {
      return kind;
    }
    // Two words may be a name together, such as `card number`.
    const before = startOfName(this.#text, gap);
    return before < gap ? names.kindOf(this.#text, before, to) : undefined;
  }

  #nameBefore(at: number): Extent | undefined {
    let to = at;
    while (to > 0 && at - to < MAX_GAP && isGap(this.#text.charCodeAt(to - 1))) {
      to -= 1;
    }
    const from = startOfName(this.#text, to);
    return from === to ? undefined : { from, to };
  }

  #nameOfTag(end: number): Extent | undefined {
    const from = this.#text.lastIndexOf('<', end) + 1;
    return { from, to: matchEnd(TAG_NAME, this.#text, from) };
  }

  #valueOf(name: Extent, at: number, kind: NamedKind): Extent | undefined {
    const text = this.#text;
    const separator = text.charCodeAt(at);
    if (separator === GREATER) {
      return xmlContent(text, at + 1, { needsEndTag: !this.#options.isStructured });
    }
    const block = separator === COLON && !isQuote(text.charCodeAt(name.to)) ? indentedBlock(text, at) : undefined;
    if (block) {
      return block;
    }
    // The arrow `=>` of a hash begins with an equals sign.
    const start = at + (separator === EQUALS && text.charCodeAt(at + 1) === GREATER ? 2 : 1);
    const from = endOfSpaces(text, start);
    const isBelow = from > start && text.slice(start, Math.min(from, start + MAX_APART)).includes('\n');
    if (isBelow && matchEnd(NEXT_NAME, text, from) > from) {
      // The name has no value, and the next line begins with another name.
      return undefined;
    }
    if (text.charAt(from) === '{' || text.charAt(from) === '[') {
      return mayHoldMembers(text.slice(name.from, name.to)) ? undefined : { from, to: closingBracket(text, from) };
    }
    return this.#quoted.at(from) ?? this.#bareValue(from, separator, name, kind);
  }

  #bareValue(from: number, separator: number, name: Extent, kind: NamedKind): Extent {
    const text = this.#text;
    if (name.to - name.from >= MIN_COOKIE_NAME_LENGTH && /cookies?$/i.test(text.slice(name.from, name.to))) {
      return { from, to: matchEnd(LINE, text, from) };
    }
    const isPair = separator === EQUALS && (name.from === 0 || isBeforePair(text.charCodeAt(name.from - 1)));
    if (this.#options.isStructured) {
      return { from, to: bareEnd(text, from), encoding: isPair ? FORM : undefined };
    }
    if (isPair) {
      const isInPath = text.charAt(name.from - 1) === ';' && (this.#queryStart === -1 || name.from <= this.#queryStart);
      return { from, to: matchEnd(isInPath ? PAIRED_IN_PATH : PAIRED, text, from), encoding: FORM };
    }
    const to = matchEnd(WORD, text, from);
    const isSecret = kind === 'secret' && UNLIKE_A_WORD.test(text.slice(from, to));
    return { from, to: separator === EQUALS || isSecret ? to : from };
  }
}
