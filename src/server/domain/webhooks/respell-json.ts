import { withDecimals } from '../../../base/money.ts';

const CHARACTERS_TO_ESCAPE = /[^\x20-\x7e]|\//g;

/**
 * Writes a JSON value as libraries of other languages do, unlike JSON.stringify: with spaces, unnecessary escapes, and two decimals.
 * The order of members does not change.
 */
export function respellJson(value: unknown): string {
  if (typeof value === 'number') {
    return writeNumber(value);
  }
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(CHARACTERS_TO_ESCAPE, escapeCharacter);
  }
  if (Array.isArray(value)) {
    return `[${value.map(respellJson).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${respellJson(name)}: ${respellJson(member)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** Writes 10 as 10.00, because all numbers of notifications are amounts. A number with more decimals or an exponent stays as it is. */
function writeNumber(value: number): string {
  const text = withDecimals(value);
  return Number(text) === value && !text.includes('e') ? text : JSON.stringify(value);
}

function escapeCharacter(character: string): string {
  return character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
