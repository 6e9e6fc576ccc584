import type { LedgerCheck } from '../../../../base/schema/generated/control.ts';

/** An inconsistency in the books. */
export type BookDifference = LedgerCheck['differences'][number];

export function verify(isMet: boolean, subject: string, expected: string, actual: string): BookDifference[] {
  return isMet ? [] : [{ subject, expected, found: actual }];
}
