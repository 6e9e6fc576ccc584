import type { LedgerCheck } from '../../../../base/schema/generated/control.ts';

/** An inconsistency in the books. */
export type BookDifference = LedgerCheck['differences'][number];

/** No difference if the condition holds, otherwise one. */
export function verify(isSo: boolean, subject: string, expected: string, found: string): BookDifference[] {
  return isSo ? [] : [{ subject, expected, found }];
}
