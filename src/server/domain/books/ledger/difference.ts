import type { LedgerCheck } from '../../../../base/schema/generated/control.ts';

/** Something in the books that does not agree. */
export type BookDifference = LedgerCheck['differences'][number];

/** No difference if the condition holds, otherwise one. */
export function verify(isSo: boolean, subject: string, expected: string, found: string): BookDifference[] {
  return isSo ? [] : [{ subject, expected, found }];
}
