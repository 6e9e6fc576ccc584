import { CLASSES, type CoverageCell, type CoverageView, type Degree } from '../../coverage/cells.ts';

/** Stands beside each figure. */
export const NOT_CORRECTNESS =
  'Coverage is not correctness: it says what your code has seen, not whether it did the right thing.';

/** How far something came that does not count, in words. */
export const SHORT_OF: Readonly<Record<Exclude<Degree, 'seen'>, string>> = {
  never: '',
  produced: 'it happened, and your code was not told',
  delivered: 'your receiver was told, and refused it',
};

/** Cells of one channel, operation, event or page, some of which were not seen. */
export interface Gap {
  of: string;
  unseen: CoverageCell[];
  /** Of how many. */
  reachable: number;
}

/** Where what was not seen belongs. */
export function gapsIn(cells: readonly CoverageCell[]): Gap[] {
  return [...new Set(cells.map(({ of }) => of))].flatMap((of) => {
    const own = cells.filter((cell) => cell.of === of);
    const unseen = own.filter(({ degree }) => degree !== 'seen');
    return unseen.length === 0 ? [] : { of, unseen, reachable: own.length };
  });
}

/** Whether nothing at all happened there, as on a channel that a shop does not offer. */
export function isUntouched({ unseen, reachable }: Gap): boolean {
  return unseen.length === reachable && unseen.every(({ degree }) => degree === 'never');
}

/** How much was seen, in words. */
export function figureOf({ percent, cells }: CoverageView): string {
  const seen = cells.filter(({ degree }) => degree === 'seen').length;
  return `Seen: ${seen} of ${cells.length} cells, ${percent} % where each class counts alike.`;
}

/** What was never seen, for a terminal. */
export function textOfCoverage(coverage: CoverageView): string {
  const classes = coverage.classes.map(({ class: name, seen, reachable }) => ({
    count: `${name}: ${seen} of ${reachable}, ${CLASSES[name]}`,
    gaps: gapsIn(coverage.cells.filter((cell) => cell.class === name)),
  }));
  return [
    figureOf(coverage),
    NOT_CORRECTNESS,
    ...classes.flatMap(({ count, gaps }) => ['', count, ...gaps.flatMap(linesOf)]),
  ].join('\n');
}

/** Where nothing at all happened, the first step says enough. */
function linesOf(gap: Gap): string[] {
  const { of, unseen, reachable } = gap;
  const [first] = unseen;
  if (first && reachable > 1 && isUntouched(gap)) {
    return [`  ${of}: none of ${reachable} was seen; begin with ${first.what}`, `    ${first.try}`];
  }
  return unseen.flatMap(({ what, degree, try: line }) => {
    const short = degree === 'seen' ? '' : SHORT_OF[degree];
    return [`  ${of}: ${what}${short === '' ? '' : ` (${short})`}`, `    ${line}`];
  });
}
