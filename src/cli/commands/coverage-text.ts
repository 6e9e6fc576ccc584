import {
  CLASSES,
  type Gap,
  gapsIn,
  isUntouched,
  NOT_CORRECTNESS,
  UNCOUNTED_DEGREES,
  weightedFigureOf,
} from '../../base/report/coverage-words.ts';
import type { CoverageView } from '../../base/schema/generated/control.ts';

export function textOfCoverage(coverage: CoverageView): string {
  const classes = coverage.classes.map(({ class: name, seen, reachable }) => ({
    count: `${name}: ${seen} of ${reachable}, ${CLASSES[name]}`,
    gaps: gapsIn(coverage.cells.filter((cell) => cell.class === name)),
  }));
  return [
    weightedFigureOf(coverage),
    NOT_CORRECTNESS,
    ...classes.flatMap(({ count, gaps }) => ['', count, ...gaps.flatMap(linesOf)]),
  ].join('\n');
}

/** If none of the behaviours happened at all, only the first one to test is shown. */
function linesOf(gap: Gap): string[] {
  const { of, missingCells, reachable } = gap;
  const [first] = missingCells;
  if (first && reachable > 1 && isUntouched(gap)) {
    return [`  ${of}: none of ${reachable} seen; begin with ${first.what}`, `    ${first.try}`];
  }
  return missingCells.flatMap(({ what, degree, try: line }) => {
    const short = degree === 'seen' ? '' : UNCOUNTED_DEGREES[degree];
    return [`  ${of}: ${what}${short === '' ? '' : ` (${short})`}`, `    ${line}`];
  });
}
