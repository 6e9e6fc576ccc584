import type { Encoding } from './places.ts';

/** The extent of a value, without its quotes. */
export interface Extent {
  from: number;
  to: number;
  /** Its encoding, if that differs from the text around it. */
  encoding?: Encoding | undefined;
  /** The extent with the quotes. */
  quoted?: { from: number; to: number };
}

/** Text after a quote that shows that the value has ended: the end of a list, of the line or of the text, or another name. */
const ENDED = /\s*(?:[,)}\]]|\\*\/?>|;(?!\S)|$)|[^\S\n]*\n|\s+[\w.-]+\s*[=:]/y;
const ENDED_IN_SENTENCE = /[\s,;.:!?)}\]>&\\/]|$/y;
/** A value without quotes. */
const BARE = /[^"',;&<>{}[\]\r\n]*/y;
/** The characters between the name of a block of YAML and its lines. */
const BLOCK = /\s*:[^\S\n]*(?:[|>][+-]?\d?)?[^\S\n]*\n/y;
const DATA_BEGINS = /\s*<!\[CDATA\[/y;
const MAX_BACKSLASHES = 16;

/** Finds the ends of quoted values in one text. */
export class QuotedValues {
  readonly #text: string;
  readonly #ended: RegExp;
  /** Quotes without a closing quote in the rest of the text, so that it is not searched again. */
  #unended = '';

  constructor(text: string, { isStructured }: { isStructured: boolean }) {
    this.#text = text;
    this.#ended = isStructured ? ENDED : ENDED_IN_SENTENCE;
  }

  /** The value that begins with a quote at an offset; undefined without a quote. If it is not closed, it extends to the end of the line or text. */
  at(from: number): Extent | undefined {
    const text = this.#text;
    let open = from;
    while (text.charAt(open) === '\\' && open - from < MAX_BACKSLASHES) {
      open += 1;
    }
    const quote = text.charAt(open);
    if (quote !== '"' && quote !== "'") {
      return undefined;
    }
    const to = this.#unended.includes(quote) ? undefined : this.#closing(quote, open + 1, open - from);
    if (to !== undefined) {
      // There is no closing quote if the text around it ends first.
      return { from: open + 1, to, quoted: { from, to: Math.min(to + open - from + 1, text.length) } };
    }
    this.#unended += quote;
    const isLast = text.indexOf(quote, open + 1) === -1;
    const lineEnd = isLast ? -1 : text.indexOf('\n', open + 1);
    const end = lineEnd === -1 ? text.length : lineEnd;
    return { from: open + 1, to: end, quoted: { from, to: end } };
  }

  /** `depth`: the number of backslashes before the opening quote, as in a JSON text within JSON. */
  #closing(quote: string, from: number, depth: number): number | undefined {
    for (let at = this.#text.indexOf(quote, from); at !== -1; at = this.#text.indexOf(quote, at + 1)) {
      const before = this.#backslashesBefore(at, from);
      if (before < depth) {
        // A quote with fewer backslashes ends the text around the value.
        return at - before;
      }
      const isClosing = depth === 0 ? before % 2 === 0 : before === depth;
      this.#ended.lastIndex = at + 1;
      if (isClosing && this.#ended.test(this.#text)) {
        return depth === 0 ? at : at - depth;
      }
    }
    return undefined;
  }

  #backslashesBefore(at: number, from: number): number {
    let count = 0;
    while (at - count > from && this.#text.charAt(at - count - 1) === '\\') {
      count += 1;
    }
    return count;
  }
}

export function bareEnd(text: string, from: number): number {
  const end = matchEnd(BARE, text, from);
  return from + text.slice(from, end).trimEnd().length;
}

/** The offset after the bracket that closes the bracket at an offset; the end of the text if none does. */
export function closingBracket(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        if (depth === 0) {
          return at + 1;
        }
        break;
      default:
    }
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') {
    at += text.charAt(at) === '\\' ? 2 : 1;
  }
  return at;
}

/** A YAML value that consists of all following lines with more indentation than its name. `colon`: the end of the name. */
export function indentedBlock(text: string, colon: number): Extent | undefined {
  const begin = matchEnd(BLOCK, text, colon);
  if (begin === colon) {
    return undefined;
  }
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', colon) + 1, colon)) ?? [];
  let to = begin;
  for (let at = begin; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    if (line.trim() !== '' && !(line.startsWith(indent) && /^[ \t]/.test(line.slice(indent.length)))) {
      break;
    }
    at += line.length + 1;
    to = line.trim() === '' ? to : at - 1;
  }
  return trimExtent(text, begin, to);
}

/** The content of an XML element, which begins at an offset; undefined if it is blank, or if the end tag is missing but needed. */
export function xmlContent(text: string, from: number, { needsEndTag }: { needsEndTag: boolean }): Extent | undefined {
  const data = matchEnd(DATA_BEGINS, text, from);
  const end = data > from ? text.indexOf(']]>', data) : text.indexOf('<', from);
  // In a sentence, a tag without an end tag may be a placeholder, such as <token>.
  if (needsEndTag && (end === -1 || (data === from && text.charAt(end + 1) !== '/'))) {
    return undefined;
  }
  return trimExtent(text, data, end === -1 ? text.length : end);
}

/** The extent of a part without the blanks around it; undefined if it has only blanks. */
export function trimExtent(text: string, begin: number, end: number): Extent | undefined {
  const value = text.slice(begin, end);
  const from = begin + value.length - value.trimStart().length;
  return from < end ? { from, to: from + value.trim().length } : undefined;
}

/** The end of the match of a sticky pattern at an offset; the offset itself without a match. */
export function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
