import { didYouMean } from '../base/text/nearest.ts';

/** The content of a search field: the values of filters, by name; `search` contains the other words. */
export type Query = Readonly<Record<string, string>>;

/** A word, or several words in quotes, which are never a filter. */
const WORD = /"([^"]*)"|(\S+)/g;
/** The form of a filter: a name before a colon, but not an address or a time of day. */
const FILTER = /^([a-z]+):(?!\/\/)(.+)$/i;

/** `state:Paid ORDER-1` → { state: 'Paid', search: 'ORDER-1' }. Unknown filters are listed separately. */
export function parseQuery(text: string, filters: readonly string[]): { query: Query; unknown: readonly string[] } {
  const query: Record<string, string> = {};
  const words: string[] = [];
  const unknown: string[] = [];
  for (const [, quoted, word = ''] of text.matchAll(WORD)) {
    const [, name, value = ''] = FILTER.exec(word) ?? [];
    const filter = filters.find((each) => each.toLowerCase() === name?.toLowerCase());
    if (filter !== undefined) {
      query[filter] = value;
    } else if (name !== undefined) {
      unknown.push(name);
    } else if ((quoted ?? word) !== '') {
      words.push(quoted ?? word);
    }
  }
  return { query: words.length === 0 ? query : { ...query, search: words.join(' ') }, unknown };
}

export function unknownFilterMessage(name: string, filters: readonly string[]): string {
  const near = didYouMean(name, filters);
  return `Unknown filter ${name}${near === '' ? `. Filters: ${filters.join(', ')}.` : near}`;
}

/** The text with a filter set to a value, or without the filter if it already has this value. */
export function toggleFilter(text: string, name: string, value: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isThisFilter = (word: string) => word.toLowerCase() === `${name}:${value}`.toLowerCase();
  const others = words.filter((word) => !word.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return [...others, ...(words.some(isThisFilter) ? [] : [`${name}:${value}`])].join(' ');
}
