/** Characters that control a terminal, reverse text or are invisible; but not two joiners, which some scripts and emoji need. */
const UNSAFE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const UNSAFE_IN_LINES = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text from outside as one line that is safe for a terminal: unsafe characters are escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escapeCharacters);
}

/** Like `printable`, but for texts of several lines. Also for JSON texts, because JSON does not escape all unsafe characters. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escapeCharacters);
}

/** Escapes every character of a text as in JSON: `\u001b`. */
export function escapeCharacters(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
