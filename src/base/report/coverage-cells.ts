import { namesIn } from '../members.ts';
import type { CoverageCell, CoverageView } from '../schema/generated/control.ts';
import { CLASSES } from './coverage-words.ts';

export type { CoverageCell, CoverageView };
export type Degree = CoverageCell['degree'];

export type CellKey = Pick<CoverageCell, 'class' | 'of' | 'what'>;

/** One behaviour of the provider that the code under test may meet, and how a test can cause it. */
export type Cell = CellKey & Pick<CoverageCell, 'try'>;

const RANKS = { never: 0, produced: 1, delivered: 2, seen: 3 } as const satisfies Record<Degree, number>;

export function cellKeyOf({ class: name, of, what }: CellKey): string {
  return `${name}: ${of}: ${what}`;
}

export function higherDegree(one: Degree, other: Degree): Degree {
  return RANKS[one] < RANKS[other] ? other : one;
}

/** Cells with the figures of each class. */
export function coverageOf(cells: readonly CoverageCell[]): CoverageView {
  const counted = namesIn(CLASSES).map((name) => {
    const group = cells.filter((cell) => cell.class === name);
    return { class: name, seen: group.filter(({ degree }) => degree === 'seen').length, reachable: group.length };
  });
  const classes = counted.filter(({ reachable }) => reachable > 0);
  return { percent: percentOf(classes), classes, cells: [...cells] };
}

/**
 * The mean of the classes' shares, rounded down to a whole percentage, so that 99.6 is not shown as 100.
 * In integers, because with doubles 29 of 50 would be 57 %.
 */
function percentOf(classes: readonly { seen: number; reachable: number }[]): number {
  const whole = classes.reduce((product, { reachable }) => product * BigInt(reachable), 1n);
  const seen = classes.reduce((sum, each) => sum + (whole / BigInt(each.reachable)) * BigInt(each.seen), 0n);
  return Number((100n * seen) / (whole * BigInt(Math.max(1, classes.length))));
}

/**
 * Merges several coverages, such as those of the workers of a run. A cell gets its highest degree, so that the result does not
 * depend on how tests are distributed, or on a coverage that is merged twice.
 */
export function mergeCoverages(coverages: readonly Pick<CoverageView, 'cells'>[]): CoverageView {
  const cells = new Map<string, CoverageCell>();
  for (const cell of coverages.flatMap((coverage) => coverage.cells)) {
    const key = cellKeyOf(cell);
    const before = cells.get(key);
    cells.set(key, before ? { ...before, degree: higherDegree(before.degree, cell.degree) } : cell);
  }
  return coverageOf([...cells.values()]);
}
