/** An element without content is omitted from the document. */
export interface XmlElement {
  name: string;
  content: string | readonly XmlElement[];
  attributes?: Readonly<Record<string, string>>;
}

/** Characters that XML 1.0 cannot contain: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const INVALID_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Escaped, because readers turn the characters themselves into a line feed or a space.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${linesOf(root, '').join('\n')}\n`;
}

/** A text of valid XML characters, cut to a maximum length. */
export function xmlText(text: string, maxLength: number): string {
  return [...text.replace(INVALID_CHARACTERS, '\uFFFD')].slice(0, maxLength).join('');
}

function linesOf({ name, content, attributes = {} }: XmlElement, indent: string): string[] {
  const attributeTexts = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeText(value)}"`);
  const startTag = `${indent}<${name}${attributeTexts.join('')}>`;
  if (typeof content === 'string') {
    return content === '' ? [] : [`${startTag}${escapeText(content)}</${name}>`];
  }
  const lines = content.flatMap((each) => linesOf(each, `${indent}  `));
  return lines.length === 0 ? [] : [startTag, ...lines, `${indent}</${name}>`];
}

function escapeText(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, (character) => ENTITIES[character] ?? character);
}
