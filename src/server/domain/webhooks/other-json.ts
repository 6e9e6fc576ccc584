import { withDecimals } from '../../../base/money.ts';

const ESCAPED = /[^\x20-\x7e]|\//g;

/**
 * The same JSON value in other bytes than JSON.stringify writes: with blanks, escapes that are not needed, and numbers with two decimals.
 * The order of members stays. Source: what libraries of other languages write.
 */
export function writeOtherJson(value: unknown): string {
  if (typeof value === 'number') {
    return writeNumber(value);
  }
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(ESCAPED, escaped);
  }
  if (Array.isArray(value)) {
    return `[${value.map(writeOtherJson).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${writeOtherJson(name)}: ${writeOtherJson(member)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** All numbers of notifications are amounts: 10 is written 10.00, and what needs more decimals, or an exponent, as usual. */
function writeNumber(value: number): string {
  const text = withDecimals(value);
  return Number(text) === value && !text.includes('e') ? text : JSON.stringify(value);
}

function escaped(character: string): string {
  return character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
