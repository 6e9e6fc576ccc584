import { escapeCharacters } from '../../base/text/printable.ts';

/** Characters after which a header is cut; the request log has the whole text. */
const MAX_LENGTH = 1000;

/** A text for a header: characters that are not printable ASCII are escaped as in JSON. */
export function headerText(text: string): string {
  const escaped = text.replace(/[^ -~]/g, escapeCharacters);
  return escaped.length > MAX_LENGTH ? `${escaped.slice(0, MAX_LENGTH)}...` : escaped;
}
