import { namesIn } from '../members.ts';
import type { CoverageCell, CoverageView } from '../schema/control.ts';
import { CLASSES } from './coverage-words.ts';

export type { CoverageCell, CoverageView };
export type Degree = CoverageCell['degree'];

/** What a cell is known by. */
export type Place = Pick<CoverageCell, 'class' | 'of' | 'what'>;

/** One thing that the provider may do to the code under test, and how a test would try it. */
export type Cell = Place & Pick<CoverageCell, 'try'>;

/** How far a cell may come, from the least on. */
const RANKS = { never: 0, produced: 1, delivered: 2, seen: 3 } as const satisfies Record<Degree, number>;

export function keyOf({ class: name, of, what }: Place): string {
  return `${name}: ${of}: ${what}`;
}

/** The higher of two degrees. */
export function further(one: Degree, other: Degree): Degree {
  return RANKS[one] < RANKS[other] ? other : one;
}

/** Cells with what they add up to. */
export function coverageOf(cells: readonly CoverageCell[]): CoverageView {
  const counted = namesIn(CLASSES).map((name) => {
    const own = cells.filter((cell) => cell.class === name);
    return { class: name, seen: own.filter(({ degree }) => degree === 'seen').length, reachable: own.length };
  });
  const classes = counted.filter(({ reachable }) => reachable > 0);
  return { percent: percentOf(classes), classes, cells: [...cells] };
}

/**
 * The mean of the classes' shares, cut to a whole percentage: 99.6 is not 100, and what is below a whole number stays below it.
 * In integers, since 29 of 50 would be 57 % as doubles have it.
 */
function percentOf(classes: readonly { seen: number; reachable: number }[]): number {
  const whole = classes.reduce((product, { reachable }) => product * BigInt(reachable), 1n);
  const seen = classes.reduce((sum, each) => sum + (whole / BigInt(each.reachable)) * BigInt(each.seen), 0n);
  return Number((100n * seen) / (whole * BigInt(Math.max(1, classes.length))));
}

/**
 * Several coverages as one, such as those of the workers of a run: a cell has come as far as in the one where it came furthest, so
 * that it makes no difference how tests are spread, or whether one coverage is there twice.
 */
export function merged(coverages: readonly Pick<CoverageView, 'cells'>[]): CoverageView {
  const cells = new Map<string, CoverageCell>();
  for (const cell of coverages.flatMap((coverage) => coverage.cells)) {
    const key = keyOf(cell);
    const before = cells.get(key);
    cells.set(key, before ? { ...before, degree: further(before.degree, cell.degree) } : cell);
  }
  return coverageOf([...cells.values()]);
}
