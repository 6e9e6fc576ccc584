import { CLASSES, type Gap, gapsIn } from '../../base/report/coverage-words.ts';
import type { CoverageView } from '../../base/schema/generated/control.ts';
import type { SessionReport } from './session-report.ts';

// What the report of the command says in the same words, whatever its form.

/** Unseen cells of one channel or operation that are named; the rest is a number. */
const NAMED = 4;

export const COVERAGE_HINT = 'Run `merchant-sandbox coverage` for all, each with a line that tests it.';

export const FAILED_CALLS_HINT = 'Run `merchant-sandbox requests refused=true` for the calls that did not succeed.';

export function titleOf({ session }: SessionReport): string {
  return `Report on the integration in session ${session}`;
}

export function factsIn({ session, at, version }: SessionReport): [name: string, value: string][] {
  return [
    ['Session', session],
    ['Sandbox', `merchant-sandbox ${version}`],
    ['Created', `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`],
  ];
}

/** What was not seen of each class, short. */
export function unseenIn({ classes, cells }: CoverageView): { title: string; gaps: string[] }[] {
  return classes.map(({ class: name, seen, reachable }) => ({
    title: `${name}: ${seen} of ${reachable}, ${CLASSES[name]}`,
    gaps: gapsIn(cells.filter((cell) => cell.class === name)).map(shortOf),
  }));
}

function shortOf({ of, missingCells }: Gap): string {
  const more = missingCells.length - NAMED;
  const named = missingCells.slice(0, NAMED).map(({ what }) => what);
  return `${of}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
