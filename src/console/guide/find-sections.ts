/** A part of a page, below one heading. */
export interface GuideSection {
  /** The page's address, relative to the other pages. */
  page: string;
  /** The id of the heading; empty for the title of the page. */
  id: string;
  title: string;
  heading: string;
  text: string;
}

/** Sections that have all words of a phrase, best first: in the heading or page address, in the page's title, in the text. */
export function findSections(sections: readonly GuideSection[], phrase: string): GuideSection[] {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  return sections
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ section }) => section);
}

function rankOf({ page, title, heading, text }: GuideSection, words: readonly string[]): number {
  const places = [
    { text: `${heading} ${page}`.toLowerCase(), rank: 9 },
    { text: title.toLowerCase(), rank: 3 },
    { text: text.toLowerCase(), rank: 1 },
  ];
  const ranks = words.map((word) => places.find((place) => place.text.includes(word))?.rank ?? 0);
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0);
}
