/** What steers a terminal, turns text around or hides in it: controls, format characters, line separators, half surrogates. */
const UNSEEN = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const UNSEEN_IN_LINES = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text from outside as one line that a terminal can be shown: what would act there is written out, as in JSON. */
export function printable(text: string): string {
  return text.replace(UNSEEN, escapeCharacters);
}

/** The same for a text of several lines, or for JSON, which leaves more of these characters as they are than a terminal can bear. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, escapeCharacters);
}

/** A text with every character by its number, as JSON can have it. */
export function escapeCharacters(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
