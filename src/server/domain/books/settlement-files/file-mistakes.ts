import type { ClosedSettlement, SettlementFile } from './settlement-file.ts';

export type FileMistakeKind = 'hidden-adjustment' | 'file-again' | 'new-layout';

interface FileMistakeResult {
  file: SettlementFile;
  field: string;
  expected: string | number | null;
  shown: string | number | null;
  verdict?: 'ignore';
}

interface FileMistake {
  /** Whether the mistake can be made in this settlement's file. */
  fits(settlement: ClosedSettlement): boolean;
  /** `randomNumber` is from 0 to 2^32 - 1. */
  apply(file: SettlementFile, settlement: ClosedSettlement, randomNumber: number): FileMistakeResult;
}

/** Maximum amount, in cents, that is withheld without a line. */
const MAX_WITHHELD_CENTS = 500;

/** THE TABLE of mistakes of a file as a whole. */
export const FILE_MISTAKES: Readonly<Record<FileMistakeKind, FileMistake>> = {
  'hidden-adjustment': {
    fits: ({ totals }) => totals.transferred > 0,
    apply: (file, { totals: booked }, randomNumber) => {
      const { carriedIn, net, carriedOut, transferred } = file.totals;
      const hidden = 1 + (randomNumber % Math.min(MAX_WITHHELD_CENTS, booked.transferred));
      const shown = transferred - hidden;
      const expected = carriedIn + net - carriedOut;
      const changedFile = { ...file, totals: { ...file.totals, transferred: shown } };
      return { field: 'transferred', expected, shown, file: changedFile };
    },
  },
  'file-again': {
    fits: () => true,
    apply: (file) => ({ file, field: 'file', expected: 1, shown: 2, verdict: 'ignore' }),
  },
  'new-layout': {
    fits: ({ layout = 1 }) => layout === 1,
    apply: (file) => {
      const changedFile = { ...file, header: { ...file.header, layout: 2 } };
      return { field: 'layout', expected: file.header.layout, shown: 2, file: changedFile };
    },
  },
};

export function isFileMistake(kind: string): kind is FileMistakeKind {
  return Object.hasOwn(FILE_MISTAKES, kind);
}
