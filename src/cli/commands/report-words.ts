import { plural } from '../../base/text/plural.ts';
import { CLASSES } from '../../coverage/cells.ts';
import { NO_CERTIFICATE } from '../../examine/report/report.ts';
import { type Gap, gapsIn, isUntouched, NOT_CORRECTNESS } from './coverage-text.ts';
import type { Count, SessionReport } from './session-report.ts';

// What every form of the report says in the same words.

/** Unseen cells of one channel or operation that are named; the rest is a number. */
const NAMED = 4;

export const UNSEEN_TITLE = 'What your code has never seen';
export const WRONG_TITLE = 'What is wrong';
export const CHECKED_TITLE = 'What was checked';
/** The coverage is wider than the rest. */
export const EXTENT = 'This is of all sessions since the sandbox was started.';
export const FURTHER = '`merchant-sandbox coverage` has the line of a test that would try each.';

export function titleOf({ session }: SessionReport): string {
  return `Report on the integration in session ${session}`;
}

/** What it is not. */
export const PREFACE = `${NO_CERTIFICATE} What was not found may still be wrong. ${NOT_CORRECTNESS}`;

export function factsIn({ session, at, version }: SessionReport): [name: string, value: string][] {
  return [
    ['Session', session],
    ['Sandbox', `merchant-sandbox ${version}`],
    ['Made', `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`],
  ];
}

export function conclusionOf({ findings }: SessionReport): string {
  return findings.length === 0
    ? 'Nothing was found in what the session has seen so far.'
    : `${plural(findings.length, 'mistake')} in the making.`;
}

/** What the session has seen, by name. */
export function checkedIn({ checked: { calls, payments, notifications, cut } }: SessionReport): [string, string][] {
  const callWords = calls.map(({ of, count, withoutSuccess }) =>
    withoutSuccess === 0 ? `${count} ${of}` : `${count} ${of} (${withoutSuccess} without success)`,
  );
  return [
    ['Calls, by operation', listOf(callWords)],
    ['Payments, by outcome', listOf(payments.map(inWords))],
    ['Notifications', listOf(notifications.map(inWords))],
    ...(cut.length === 0
      ? []
      : [['Left out', `there are more ${cut.join(', ')}: the newest were counted`] as [string, string]]),
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
        ...(untouched.length === 0 ? [] : [`nothing at all of ${untouched.join(', ')}`]),
      ],
    };
  });
}

function shortOf({ of, unseen }: Gap): string {
  const more = unseen.length - NAMED;
  const named = unseen.slice(0, NAMED).map(({ what }) => what);
  return `${of}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function inWords({ of, count }: Count): string {
  return `${count} ${of}`;
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
