import { endOfSpaces, isAsciiSpace } from './character-classes.ts';
import { type Extent, matchEnd } from './value-extent.ts';

const DATA_PREFIX = /data-/iy;
const BARE_VALUE = /[^\s"'<>=`]*/y;
const [DASH, COLON, EQUALS] = [0x2d, 0x3a, 0x3d];

/** An attribute of a tag: the extents of its name, without a prefix, and of its value, which is empty if it has none. */
export interface Attribute extends Extent {
  value: Extent;
  end: number;
}

/** The attribute after the spaces at an offset; undefined without spaces, and without a name after them. */
export function attributeAt(text: string, at: number): Attribute | undefined {
  if (!isAsciiSpace(text.charCodeAt(at))) {
    return undefined;
  }
  const begin = endOfSpaces(text, at);
  let [from, to] = [begin, begin];
  while (to < text.length && !isEndOfName(text.charCodeAt(to))) {
    // The name begins after the prefix of its namespace.
    from = text.charCodeAt(to) === COLON && from === begin ? to + 1 : from;
    to += 1;
  }
  if (to === begin) {
    return undefined;
  }
  from = text.charCodeAt(from + 4) === DASH ? matchEnd(DATA_PREFIX, text, from) : from;
  const sign = endOfSpaces(text, to);
  const value = text.charCodeAt(sign) === EQUALS ? valueAt(text, endOfSpaces(text, sign + 1)) : undefined;
  return { from, to, value: value ?? { from: to, to }, end: value ? value.end : to };
}

/** The value that begins at an offset, and its end including quotes. */
function valueAt(text: string, begin: number): (Extent & { end: number }) | undefined {
  const quote = text.charAt(begin);
  if (quote === '"' || quote === "'") {
    const to = text.indexOf(quote, begin + 1);
    return to === -1 ? undefined : { from: begin + 1, to, end: to + 1 };
  }
  const to = matchEnd(BARE_VALUE, text, begin);
  return to === begin ? undefined : { from: begin, to, end: to };
}

function isEndOfName(code: number): boolean {
  // " ' / < = >
  const isSign = code === 0x22 || code === 0x27 || code === 0x2f || (code >= 0x3c && code <= 0x3e);
  return isSign || isAsciiSpace(code) || (code > 0x7f && /\s/.test(String.fromCharCode(code)));
}
