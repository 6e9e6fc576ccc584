const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const LETTER_N = 'n'.charCodeAt(0);
/** Brackets and braces differ in this bit alone. */
const BRACE_BIT = 0x20;
const OPENING = '{'.charCodeAt(0);
const CLOSING = '}'.charCodeAt(0);

/**
 * Reads some members of JSON objects as JSON.stringify writes them, and passes over the others: at a start every record is read
 * for a few of its members, and to parse it whole takes nearly twice as long.
 */
export class MemberReader {
  /** By their length. */
  readonly #wanted: string[][] = [];

  constructor(names: Iterable<string>) {
    for (const name of new Set(names)) {
      this.#wanted[name.length] ??= [];
      this.#wanted[name.length]?.push(name);
    }
  }

  /** The members that are wanted: texts, numbers and null. Less, or nonsense, where the bytes are no such object. */
  read(bytes: Buffer): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    const text = bytes.toString('latin1');
    for (let at = 1; at > 0 && at < text.length; ) {
      const endOfName = text.indexOf('"', at + 1);
      const value = endOfName + 2;
      const end = endOf(text, value);
      if (endOfName < 0 || end < 0) {
        break;
      }
      const name = this.#nameAt(text, at + 1, endOfName);
      if (name !== undefined) {
        found[name] = memberValue(bytes, text, value, end);
      }
      at = end + 1;
    }
    return found;
  }

  #nameAt(text: string, begin: number, end: number): string | undefined {
    return this.#wanted[end - begin]?.find((name) => text.startsWith(name, begin));
  }
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
  let quote = text.indexOf('"', begin + 1);
  while (quote >= 0 && isEscaped(text, quote)) {
    quote = text.indexOf('"', quote + 1);
  }
  return quote < 0 ? -1 : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) {
    backslashes += 1;
  }
  return backslashes % 2 === 1;
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

/** A text is made from the bytes, since a part of a string would keep the whole of it in memory. */
function memberValue(bytes: Buffer, text: string, begin: number, end: number): unknown {
  const first = text.charCodeAt(begin);
  if (first === QUOTE) {
    const plain = bytes.toString('latin1', begin + 1, end - 1);
    return isPlain(plain) ? plain : textOf(bytes.toString('utf8', begin, end));
  }
  return first === LETTER_N ? null : Number(text.slice(begin, end));
}

/** Whether it stands for itself: no escapes, and no character that takes several bytes. */
function isPlain(text: string): boolean {
  return !/[\\\x80-\xff]/.test(text);
}

function textOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
