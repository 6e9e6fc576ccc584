import type { LedgerCheck } from '../../../../base/schema/generated/control.ts';

/** An inconsistency in the books. */
export type BookDifference = LedgerCheck['differences'][number];

/** No difference if the condition holds, otherwise one. */
export function verify(isMet: boolean, subject: string, expected: string, actual: string): BookDifference[] {
  return isMet ? [] : [{ subject, expected, found: actual }];
}
