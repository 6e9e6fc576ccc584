/** Something in the books that does not agree. */
export interface BookDifference {
  /** A record, entry, account or move. */
  subject: string;
  expected: string;
  found: string;
}

/** No difference if the condition holds, otherwise one. */
export function verify(isSo: boolean, subject: string, expected: string, found: string): BookDifference[] {
  return isSo ? [] : [{ subject, expected, found }];
}
