/** Limits of messages that people read. */
const MAX_CHARACTERS = 120;
const MAX_ITEMS = 10;

/** A value as JSON, shortened if it is long; "nothing" for undefined. */
export function shortJson(value: unknown): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value));
}

export function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** The first items, separated by commas, and the number of the others. */
export function joinShort(items: readonly string[]): string {
  const shown = items.slice(0, MAX_ITEMS);
  return [shown.join(', '), ...(items.length > shown.length ? [`and ${items.length - shown.length} more`] : [])].join(
    ' ',
  );
}
