/** What stands in a search field: filters by name, and words to be found anywhere. */
export type Query = Readonly<Record<string, string>>;

/** `state:Paid ORDER-1` → { state: 'Paid', search: 'ORDER-1' }; a name that is no filter is a word like any other. */
export function queryOf(text: string, filters: readonly string[]): Query {
  const query: Record<string, string> = {};
  const words: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const colon = word.indexOf(':');
    const name = filters.find((filter) => filter.toLowerCase() === word.slice(0, colon).toLowerCase());
    if (colon > 0 && name !== undefined && word.length > colon + 1) {
      query[name] = word.slice(colon + 1);
    } else if (word !== '') {
      words.push(word);
    }
  }
  return words.length === 0 ? query : { ...query, search: words.join(' ') };
}

/** The text with a filter put in, or taken out where it is there with that value. */
export function toggled(text: string, name: string, value: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isThis = (word: string) => word.toLowerCase() === `${name}:${value}`.toLowerCase();
  const others = words.filter((word) => !word.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return [...others, ...(words.some(isThis) ? [] : [`${name}:${value}`])].join(' ');
}
