import { CLASSES, type Gap, gapsIn, isUntouched } from '../../base/report/coverage-words.ts';
import type { SessionReport } from './session-report.ts';

// What the report of the command says in the same words, whatever its form.

/** Unseen cells of one channel or operation that are named; the rest is a number. */
const NAMED = 4;

export const FURTHER = 'Run `merchant-sandbox coverage` for a line that tests each of them.';

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

/** What was not seen of each class, short: where nothing at all happened, the name says enough. */
export function unseenIn({ coverage: { classes, cells } }: SessionReport): { title: string; gaps: string[] }[] {
  return classes.map(({ class: name, seen, reachable }) => {
    const gaps = gapsIn(cells.filter((cell) => cell.class === name));
    const untouched = gaps.filter(isUntouched).map(({ of }) => of);
    return {
      title: `${name}: ${seen} of ${reachable}, ${CLASSES[name]}`,
      gaps: [
        ...gaps.filter((gap) => !isUntouched(gap)).map(shortOf),
        ...(untouched.length === 0 ? [] : [`nothing of ${untouched.join(', ')}`]),
      ],
    };
  });
}

function shortOf({ of, missingCells }: Gap): string {
  const more = missingCells.length - NAMED;
  const named = missingCells.slice(0, NAMED).map(({ what }) => what);
  return `${of}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
