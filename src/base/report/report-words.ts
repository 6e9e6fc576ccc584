import { namesIn } from '../members.ts';
import type { CoverageView, IntegrationFinding } from '../schema/generated/control.ts';
import { plural } from '../text/plural.ts';
import { inWords } from '../text/words.ts';
import type { CheckSummary } from './check-summary.ts';
import { coverageOf } from './coverage-cells.ts';
import { CLASSES, figureOf, gapsIn, isUntouched, NOT_CORRECTNESS } from './coverage-words.ts';

// Texts that all forms of the report share.

/** For texts that judge a shop. */
export const NO_CERTIFICATE = 'Not a certification by any provider.';

export const UNSEEN_TITLE = 'What your code has never seen';
export const WRONG_TITLE = 'What is wrong';
export const CHECKED_TITLE = 'What was checked';
/** The extent of the coverage, which may be larger than that of the rest of the report. */
const EXTENT = 'Covers all sessions since the sandbox was started, except the parts that your code does not use.';

const UNTESTED =
  'No forged notification was sent (scenario forged-webhooks), so verification of signatures was not tested.';

/** The preface of a report: what it does not prove. */
export const PREFACE = `${NO_CERTIFICATE} The absence of findings does not prove that your code is right. ${NOT_CORRECTNESS}`;

/** The conclusion of a report. It mentions failed calls and untested signatures, because otherwise it would look too good. */
export function conclusionOf(findings: readonly unknown[], checked: CheckSummary, scope = 'this session'): string {
  const calls = checked.calls.reduce((sum, { count }) => sum + count, 0);
  const failed = failedCallsIn(checked);
  const isClean = findings.length === 0;
  if (isClean && calls === 0) {
    return `Your code has made no calls in ${scope} since the sandbox was started.`;
  }
  const found = isClean ? `No findings so far in ${scope}` : plural(findings.length, 'finding');
  const why = checked.wrongCalls === 0 ? '' : `, ${checked.wrongCalls} of them because of mistakes in the call`;
  const rest = `${isClean ? 'but' : 'and'} ${failed} of ${plural(calls, 'call')} did not succeed${why}`;
  const isUntested = checked.notifications.length > 0 && checked.wronglySigned === 0;
  return `${found}${failed === 0 ? '' : `, ${rest}`}.${isUntested ? ` ${UNTESTED}` : ''}`;
}

/** The number of calls that were refused or not answered. */
export function failedCallsIn({ calls }: CheckSummary): number {
  return calls.reduce((sum, { withoutSuccess }) => sum + withoutSuccess, 0);
}

/** The coverage of the parts that the code uses, and the names of the parts that it does not use. */
export function extentOf(used: CoverageView): string {
  const unused = namesIn(CLASSES).filter((name) => !used.classes.some((each) => each.class === name));
  const rest = unused.length === 0 ? '' : ` Not used so far: ${unused.join(', ')}.`;
  return `${figureOf(used)} ${EXTENT}${rest}`;
}

export function summaryRows({ calls, payments, notifications, cut }: CheckSummary): [string, string][] {
  const callWords = calls.map(({ of, count, withoutSuccess }) =>
    withoutSuccess === 0 ? `${count} ${of}` : `${count} ${of} (${withoutSuccess} without success)`,
  );
  return [
    ['Calls, by operation', listOf(callWords)],
    ['Payments, by outcome', listOf(payments.map(({ of, count }) => `${count} ${inWords(of)}`))],
    ['Notifications', listOf(notifications.map(({ of, count }) => `${count} ${of}`))],
    ...(cut.length === 0 ? [] : [['Omitted', `only the newest ${cut.join(' and ')} were counted`] as [string, string]]),
  ];
}

/**
 * The coverage without parts that the code does not use: an operation that a shop never calls, a channel that it does not offer,
 * and notifications of a shop without a webhook address are not gaps.
 */
export function withoutUnused({ cells }: CoverageView, { calls, payments, notifications }: CheckSummary): CoverageView {
  const called = calls.map(({ of }) => of);
  const hasPayouts = called.some((of) => /^initiateBulk/.test(of));
  const events = [...(payments.length > 0 ? ['payment'] : []), ...(hasPayouts ? ['payout'] : []), 'any event'];
  const used = new Set([...called, ...(hasPayouts ? ['payouts'] : []), ...(notifications.length > 0 ? events : [])]);
  // Events have names like payment.paid.
  const unused = gapsIn(cells).filter((gap) => isUntouched(gap) && !used.has(gap.of.replace(/\..*/, '')));
  return coverageOf(cells.filter((cell) => !unused.some(({ of }) => of === cell.of)));
}

export function timesOf({ count }: Pick<IntegrationFinding, 'count'>): string {
  return `seen ${count === 1 ? 'once' : `${count} times`}`;
}

export function headingOf(finding: Pick<IntegrationFinding, 'name' | 'count'>): string {
  return `${finding.name}, ${timesOf(finding)}`;
}

/** The expected and received values of a finding, and at most `most` calls and records that show it. */
export function evidenceOf(
  { count, received, expected, calls, records }: Omit<IntegrationFinding, 'id' | 'name' | 'meaning' | 'advice'>,
  most = Number.POSITIVE_INFINITY,
): string {
  const evidence = [...calls, ...records];
  const listed = evidence.slice(0, most);
  const suffix = Math.max(count, evidence.length) > listed.length ? ', …' : '';
  return `Expected ${expected}, received ${received}: ${listed.join(', ')}${suffix}`;
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
