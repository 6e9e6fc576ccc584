import type { CoverageCell, CoverageClass, CoverageView } from '../schema/generated/control.ts';

// Texts that all forms of the coverage share.

/** Descriptions of the classes, in the order in which they are shown. */
export const CLASSES: Readonly<Record<CoverageClass, string>> = {
  outcomes: 'outcomes of payments on each channel, and of payouts',
  faults: 'faults of requests, by operation',
  notifications: 'kinds of notifications',
  pages: 'actions of payers on the payment pages',
};

/** Shown next to the figures. */
export const NOT_CORRECTNESS =
  'Coverage is not correctness: it shows what your code has seen, not whether it did the right thing.';

/** Explanations of the degrees that do not count. */
export const UNCOUNTED_DEGREES: Readonly<Record<Exclude<CoverageCell['degree'], 'seen'>, string>> = {
  never: '',
  produced: 'it happened, but your code was not notified',
  delivered: 'your endpoint was notified, but refused it',
};

/** Cells of one channel, operation, event or page, some of which were not seen. */
export interface Gap {
  of: string;
  missingCells: CoverageCell[];
  /** Number of all its cells. */
  reachable: number;
}

/** The unseen cells by channel, operation, event or page. */
export function gapsIn(cells: readonly CoverageCell[]): Gap[] {
  return [...new Set(cells.map(({ of }) => of))].flatMap((of) => {
    const group = cells.filter((cell) => cell.of === of);
    const missingCells = group.filter(({ degree }) => degree !== 'seen');
    return missingCells.length === 0 ? [] : { of, missingCells, reachable: group.length };
  });
}

/** Whether none of its behaviours happened at all, as on a channel that a shop does not offer. */
export function isUntouched({ missingCells, reachable }: Gap): boolean {
  return missingCells.length === reachable && missingCells.every(({ degree }) => degree === 'never');
}

/** How much was seen, in words. Rounded down, so that 99.6 % is not shown as all. */
export function figureOf({ cells }: CoverageView): string {
  if (cells.length === 0) {
    return 'No behaviours to count yet.';
  }
  const seen = cells.filter(({ degree }) => degree === 'seen').length;
  const percent = Math.floor((100 * seen) / cells.length);
  return `${seen} of ${cells.length} behaviours seen (${percent === 0 && seen > 0 ? '< 1' : percent} %).`;
}

/** The same, with the percentage that `coverage --min` compares. */
export function weightedFigureOf(coverage: CoverageView): string {
  return `${figureOf(coverage)} ${coverage.percent} % if each class counts the same.`;
}
