// Values and lists in messages that a person reads: never longer than a line or two.

const MOST_CHARACTERS = 120;
const MOST_ITEMS = 10;

/** A value as JSON, shortened if it is long; "nothing" for undefined. */
export function shortJson(value: unknown): string {
  return value === undefined ? 'nothing' : short(JSON.stringify(value));
}

export function short(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** Some words by comma, and how many more there are. */
export function joinShort(words: readonly string[]): string {
  const shown = words.slice(0, MOST_ITEMS);
  return [shown.join(', '), ...(words.length > shown.length ? [`and ${words.length - shown.length} more`] : [])].join(
    ' ',
  );
}
