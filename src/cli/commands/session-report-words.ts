import { CLASSES, type Gap, gapsIn } from '../../base/report/coverage-words.ts';
import { conclusionOf } from '../../base/report/report-words.ts';
import type { CoverageView } from '../../base/schema/generated/control.ts';
import type { SessionReport } from './session-report.ts';

/** Further unseen cells of a channel or operation are only counted. */
const MAX_NAMED_CELLS = 4;

export const COVERAGE_HINT = 'Run `merchant-sandbox coverage` for all, each with a line that tests it.';

export const FAILED_CALLS_HINT = 'Run `merchant-sandbox requests refused=true` for the calls that did not succeed.';

export function titleOf({ session }: SessionReport): string {
  return `Report on the integration in ${session === null ? 'all sessions' : `session ${session}`}`;
}

export function conclusionIn({ session, findings, checked }: SessionReport): string {
  return conclusionOf(findings, checked, session === null ? 'any existing session' : 'this session');
}

export function factsIn({ session, at, version }: SessionReport): [name: string, value: string][] {
  return [
    ['Session', session ?? 'all'],
    ['Sandbox', `merchant-sandbox ${version}`],
    ['Created', `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`],
  ];
}

/** The classes, with a line for each gap. */
export function unseenIn({ classes, cells }: CoverageView): { title: string; gaps: string[] }[] {
  return classes.map(({ class: name, seen, reachable }) => ({
    title: `${name}: ${seen} of ${reachable}, ${CLASSES[name]}`,
    gaps: gapsIn(cells.filter((cell) => cell.class === name)).map(shortOf),
  }));
}

function shortOf({ of, missingCells }: Gap): string {
  const omitted = missingCells.length - MAX_NAMED_CELLS;
  const names = missingCells.slice(0, MAX_NAMED_CELLS).map(({ what }) => what);
  return `${of}: ${names.join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}
