// The search index of the guide: each section of each page, as text.

/**
 * @param {string} html a page's content, as created by marked
 * @param {string} page its address
 * @returns {{ page: string, id: string, title: string, heading: string, text: string }[]}
 */
export function sectionsOf(html, page) {
  const parts = html.split(/(?=<h[1-3] id=)/).filter((part) => part.startsWith('<h'));
  const headings = parts.map((part) => /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(part));
  const title = textOf(headings[0]?.[2] ?? page);
  return parts.map((part, index) => {
    const [whole = '', id = '', heading = ''] = headings[index] ?? [];
    return { page, id: index === 0 ? '' : id, title, heading: textOf(heading), text: textOf(part.slice(whole.length)) };
  });
}

/** @type {Readonly<Record<string, string>>} */
const CHARACTERS = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** The visible text of HTML or Markdown. */
export function textOf(markup) {
  return markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (word) => CHARACTERS[word] ?? word)
    .replace(/\s+/g, ' ')
    .trim();
}
