import type { CoverageCell, IntegrationFinding } from '../schema/control.ts';
import { plural } from '../text/plural.ts';
import type { CheckedCount, CheckSummary } from './check-summary.ts';
import { type Gap, gapsIn, isUntouched, NOT_CORRECTNESS } from './coverage-words.ts';

// Texts that all forms of the report share.

/** Shown with everything that judges a shop. */
export const NO_CERTIFICATE = 'Not a certification by any provider.';

export const UNSEEN_TITLE = 'What your code has never seen';
export const WRONG_TITLE = 'What is wrong';
export const CHECKED_TITLE = 'What was checked';
/** The coverage is wider than the rest. */
export const EXTENT =
  'Covers all sessions since the sandbox was started. What your code does not use is omitted from the lists.';

/** What it is not. */
export const PREFACE = `${NO_CERTIFICATE} The absence of findings does not prove that your code is right. ${NOT_CORRECTNESS}`;

export function conclusionOf(findings: readonly unknown[]): string {
  return findings.length === 0 ? 'No findings so far in this session.' : `${plural(findings.length, 'finding')}.`;
}

/** The session's counts, by name. */
export function checkedIn({ calls, payments, notifications, cut }: CheckSummary): [string, string][] {
  const callWords = calls.map(({ of, count, withoutSuccess }) =>
    withoutSuccess === 0 ? `${count} ${of}` : `${count} ${of} (${withoutSuccess} without success)`,
  );
  return [
    ['Calls, by operation', listOf(callWords)],
    ['Payments, by outcome', listOf(payments.map(inWords))],
    ['Notifications', listOf(notifications.map(inWords))],
    ...(cut.length === 0 ? [] : [['Omitted', `only the newest ${cut.join(' and ')} were counted`] as [string, string]]),
  ];
}

/** Gaps in what the code uses: an operation that a shop never calls, or a channel that it does not offer, is no gap of it. */
export function usedGapsIn(cells: readonly CoverageCell[], { calls, payments }: CheckSummary): Gap[] {
  const called = calls.map(({ of }) => of);
  const used = new Set([
    ...called,
    ...(payments.length === 0 ? [] : ['payment', 'any event']),
    ...(called.some((of) => /^initiateBulk/.test(of)) ? ['payout', 'payouts', 'any event'] : []),
  ]);
  // Events have names like payment.paid.
  return gapsIn(cells).filter((gap) => !isUntouched(gap) || used.has(gap.of.replace(/\..*/, '')));
}

/** How often it was seen. */
export function timesOf({ count }: Pick<IntegrationFinding, 'count'>): string {
  return `seen ${count === 1 ? 'once' : `${count} times`}`;
}

/** Its name, and how often it was seen. */
export function headingOf(finding: Pick<IntegrationFinding, 'name' | 'count'>): string {
  return `${finding.name}, ${timesOf(finding)}`;
}

/** A violation, with the calls and records that show it, as far as they are named. */
export function evidenceOf(
  { count, received, expected, calls, records }: Omit<IntegrationFinding, 'id' | 'name' | 'meaning' | 'advice'>,
  most = Number.POSITIVE_INFINITY,
): string {
  const seen = [...calls, ...records];
  const shown = seen.slice(0, most);
  const more = Math.max(count, seen.length) > shown.length ? ', …' : '';
  return `Expected ${expected}, received ${received}: ${shown.join(', ')}${more}`;
}

function inWords({ of, count }: CheckedCount): string {
  return `${count} ${of}`;
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
