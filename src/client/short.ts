/** Limits of messages that people read. */
const MAX_CHARACTERS = 120;
const MAX_ITEMS = 10;

/** A value as JSON, shortened if it is long; "nothing" for undefined. */
export function shortJson(value: unknown): string {
  return value === undefined ? 'nothing' : short(JSON.stringify(value));
}

export function short(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** The first items, separated by commas, and the number of the others. */
export function joinShort(words: readonly string[]): string {
  const shown = words.slice(0, MAX_ITEMS);
  return [shown.join(', '), ...(words.length > shown.length ? [`and ${words.length - shown.length} more`] : [])].join(
    ' ',
  );
}
