import { isAscii } from 'node:buffer';
import { standsAt } from './stands-at.ts';

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
  readonly #names: ReadonlySet<string>;
  /** By their length. */
  readonly #wanted: { name: string; bytes: Buffer }[][] = [];

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) {
      this.#wanted[name.length] ??= [];
      this.#wanted[name.length]?.push({ name, bytes: Buffer.from(name) });
    }
  }

  /**
   * The members that are wanted: texts, numbers and null. Less, or nonsense, where the bytes are no such object. A text may be
   * a part of a longer one, all of which it keeps in memory.
   */
  read(bytes: Buffer): Record<string, unknown> {
    const text = bytes.toString('latin1');
    const isPlain = isAscii(bytes) && !text.includes('\\');
    return isPlain ? this.#readPlain(bytes, text) : this.#parse(bytes);
  }

  /**
   * Of a text in which every character is a byte that stands for itself, and each quote begins or ends a text. Bytes are quicker
   * to look at one by one, a text to search.
   */
  #readPlain(bytes: Buffer, text: string): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    let left = this.#names.size;
    for (let at = 1; left > 0 && at < bytes.length; ) {
      const endOfName = text.indexOf('"', at + 1);
      const value = endOfName + 2;
      const end = endOf(bytes, text, value);
      if (endOfName < 0 || end < 0) {
        break;
      }
      const name = this.#nameAt(bytes, at + 1, endOfName);
      if (name !== undefined) {
        found[name] = memberValue(bytes, text, value, end);
        left -= 1;
      }
      at = end + 1;
    }
    return found;
  }

  #parse(bytes: Buffer): Record<string, unknown> {
    return Object.fromEntries(Object.entries(objectOf(bytes.toString())).filter(([name]) => this.#names.has(name)));
  }

  #nameAt(bytes: Buffer, begin: number, end: number): string | undefined {
    for (const wanted of this.#wanted[end - begin] ?? []) {
      if (standsAt(bytes, begin, wanted.bytes)) {
        return wanted.name;
      }
    }
    return undefined;
  }
}

/** Behind the value that begins here; -1 where it does not end. */
function endOf(bytes: Buffer, text: string, begin: number): number {
  const first = bytes[begin] ?? 0;
  if (first === QUOTE) {
    const quote = text.indexOf('"', begin + 1);
    return quote < 0 ? -1 : quote + 1;
  }
  if ((first | BRACE_BIT) === OPENING) {
    return endOfNested(bytes, begin);
  }
  const comma = text.indexOf(',', begin);
  return comma < 0 ? text.length - 1 : comma;
}

/** Behind the object or array that begins here; -1 where it does not end. */
function endOfNested(bytes: Buffer, begin: number): number {
  let depth = 0;
  let isInText = false;
  for (let at = begin; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      isInText = !isInText;
    } else if (!isInText && (byte | BRACE_BIT) === OPENING) {
      depth += 1;
    } else if (!isInText && (byte | BRACE_BIT) === CLOSING) {
      depth -= 1;
      if (depth === 0) {
        return at + 1;
      }
    }
  }
  return -1;
}

function memberValue(bytes: Buffer, text: string, begin: number, end: number): string | number | null {
  if (bytes[begin] === QUOTE) {
    return text.slice(begin + 1, end - 1);
  }
  return bytes[begin] === LETTER_N ? null : Number(text.slice(begin, end));
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
