import { isAscii } from 'node:buffer';

const QUOTE = '"'.charCodeAt(0);
const LETTER_N = 'n'.charCodeAt(0);
/** Brackets and braces differ in this bit alone. */
const BRACE_BIT = 0x20;
const OPENING = '{'.charCodeAt(0);
const CLOSING = '}'.charCodeAt(0);

/**
 * Reads some members of JSON objects as JSON.stringify writes them, and passes over the others: at a start every record is read
 * for a few of its members, and to parse it whole takes twice as long.
 */
export class MemberReader {
  /** By their length. */
  readonly #wanted: string[][] = [];
  readonly #count: number;

  constructor(names: Iterable<string>) {
    const distinct = new Set(names);
    this.#count = distinct.size;
    for (const name of distinct) {
      this.#wanted[name.length] ??= [];
      this.#wanted[name.length]?.push(name);
    }
  }

  /**
   * The members that are wanted: texts, numbers and null. Less, or nonsense, where the bytes are no such object. A text may be
   * a part of a longer one, all of which it keeps in memory.
   */
  read(bytes: Buffer): Record<string, unknown> {
    const text = bytes.toString('latin1');
    const isPlain = isAscii(bytes) && !text.includes('\\');
    return isPlain ? this.#readPlain(text) : this.#parse(bytes);
  }

  /** Of a text in which every character stands for itself, and each quote begins or ends a text. */
  #readPlain(text: string): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    let left = this.#count;
    for (let at = 1; left > 0 && at < text.length; ) {
      const endOfName = text.indexOf('"', at + 1);
      const value = endOfName + 2;
      const end = endOf(text, value);
      if (endOfName < 0 || end < 0) {
        break;
      }
      const name = this.#nameAt(text, at + 1, endOfName);
      if (name !== undefined) {
        found[name] = memberValue(text, value, end);
        left -= 1;
      }
      at = end + 1;
    }
    return found;
  }

  #parse(bytes: Buffer): Record<string, unknown> {
    const record = objectOf(bytes.toString());
    const names = this.#wanted.flat().filter((name) => Object.hasOwn(record, name));
    return Object.fromEntries(names.map((name) => [name, Reflect.get(record, name)]));
  }

  #nameAt(text: string, begin: number, end: number): string | undefined {
    for (const name of this.#wanted[end - begin] ?? []) {
      if (standsAt(text, begin, name)) {
        return name;
      }
    }
    return undefined;
  }
}

/** As String.startsWith, which takes far longer for so few characters. */
function standsAt(text: string, begin: number, name: string): boolean {
  let at = 0;
  while (at < name.length && text.charCodeAt(begin + at) === name.charCodeAt(at)) {
    at += 1;
  }
  return at === name.length;
}

/** Behind the value that begins here; -1 where it does not end. */
function endOf(text: string, begin: number): number {
  const first = text.charCodeAt(begin);
  if (first === QUOTE) {
    return endOfText(text, begin);
  }
  if ((first | BRACE_BIT) === OPENING) {
    return endOfNested(text, begin);
  }
  const comma = text.indexOf(',', begin);
  return comma < 0 ? text.length - 1 : comma;
}

/** Behind the text that begins here; -1 where it does not end. */
function endOfText(text: string, begin: number): number {
  const quote = text.indexOf('"', begin + 1);
  return quote < 0 ? -1 : quote + 1;
}

/** Behind the object or array that begins here; -1 where it does not end. */
function endOfNested(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at >= 0 && at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfText(text, at);
      continue;
    }
    const bracket = unit | BRACE_BIT;
    depth += bracket === OPENING ? 1 : bracket === CLOSING ? -1 : 0;
    at += 1;
    if (depth === 0) {
      return at;
    }
  }
  return -1;
}

function memberValue(text: string, begin: number, end: number): unknown {
  const first = text.charCodeAt(begin);
  if (first === QUOTE) {
    return text.slice(begin + 1, end - 1);
  }
  return first === LETTER_N ? null : Number(text.slice(begin, end));
}

/** Empty where the text is no JSON object. */
function objectOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
