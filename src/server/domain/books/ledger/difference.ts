/** Something in the books that does not agree. */
export interface BookDifference {
  /** A record, entry, account or move. */
  subject: string;
  expected: string;
  found: string;
}

/** The difference that there is, unless all is as expected. */
export function verify(isSo: boolean, subject: string, expected: string, found: string): BookDifference[] {
  return isSo ? [] : [{ subject, expected, found }];
}
