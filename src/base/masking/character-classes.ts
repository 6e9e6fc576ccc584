// Classes of characters by their codes, because reading codes is faster than matching patterns.

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Every character outside ASCII counts as a letter. */
export function isLetter(code: number): boolean {
  return ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;
}

export function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

export function isSpace(code: number): boolean {
  return isAsciiSpace(code) || code === 0xa0;
}

/** The offset after the spaces at an offset. */
export function endOfSpaces(text: string, from: number): number {
  let end = from;
  while (isSpace(text.charCodeAt(end))) {
    end += 1;
  }
  return end;
}

export function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

export function isGap(code: number): boolean {
  return isSpace(code) || isQuote(code) || code === 0x5c;
}

/** Whether a name in a query, a form or a path may begin after this character. */
export function isBeforePair(code: number): boolean {
  // # & ; ?
  return isSpace(code) || code === 0x23 || code === 0x26 || code === 0x3b || code === 0x3f;
}

const MAX_NAME_LENGTH = 64;

/** The start of the name that ends at an offset; the offset itself if no name ends there. */
export function startOfName(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from < MAX_NAME_LENGTH && isNameCharacter(text.charCodeAt(from - 1))) {
    from -= 1;
  }
  return from;
}

function isNameCharacter(code: number): boolean {
  return code > 0x7f || IN_NAMES[code] === 1;
}
const IN_NAMES = new Uint8Array(0x80).map((_, code) => Number(/[\w.[\]-]/.test(String.fromCharCode(code))));
