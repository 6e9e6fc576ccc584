import { writtenOut } from '../../base/text/printable.ts';

/** Characters of a header at most; the request log has the whole text. */
const LONGEST = 1000;

/** A text as a header can have it: what is not printable ASCII is escaped as JSON does. */
export function headerText(text: string): string {
  const escaped = text.replace(/[^ -~]/g, writtenOut);
  return escaped.length > LONGEST ? `${escaped.slice(0, LONGEST)}...` : escaped;
}
