import { plural } from '../../base/text/plural.ts';
import { linesOf } from '../observation/story.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { causesIn, type ViolationCause } from '../verdicts/causes.ts';
import { invariantOf } from '../verdicts/invariants.ts';
import type { SessionFinding } from '../verdicts/session-findings.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdicts.ts';
import { adviceFor } from './advice.ts';
import {
  describeCase,
  extentOf,
  findingNameOf,
  prefaceOf,
  type Report,
  reasonsFor,
  situationTitleOf,
  slowestLines,
  VERDICT_WORDS,
} from './report.ts';

/** The examination as text for a terminal: the counts and the violations, each cause with one story. */
export function summaryOf(report: Report): string {
  const { requirements, seed, counts } = report;
  const causes = causesIn(report.verdicts);
  const notCounted = report.uncounted ? `, ${report.uncounted.violations} not counted` : '';
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === 'violated').map(
    (verdict) =>
      `${counts[verdict]} ${VERDICT_WORDS[verdict]}${verdict === 'violated' && causes.length > 0 ? ` (${plural(causes.length, 'cause')}${notCounted})` : ''}`,
  );
  return [
    counted.join(', '),
    `${extentOf(report)}; requirements ${requirements}, seed ${seed}`,
    ...slowestLines(report),
    ...prefaceOf(report),
    ...causes.flatMap((cause) => ['', textOfCause(cause)]),
    ...report.findings.flatMap(textOfFinding),
    ...(['not-exercised', 'inconclusive', 'not-applicable'] as const).flatMap((each) => reasonLines(each, report)),
  ].join('\n');
}

function textOfCause(cause: ViolationCause): string {
  const {
    invariant: { why },
    verdicts: [shown, ...others],
  } = cause;
  return [
    textOfViolation(shown),
    `  Why it matters: ${why}`,
    ...adviceFor(cause).map((advice, index) => (index === 0 ? `  How to fix it: ${advice}` : `  ${advice}`)),
    ...filesOf(shown),
    ...(others.length > 0 ? [`  Also, probably by the same cause: ${joinNames(others, ({ id }) => id)}`] : []),
  ].join('\n');
}

export function textOfViolation(found: CaseVerdict): string {
  const note = found.note === undefined ? '' : `, ${found.note}`;
  return [
    `VIOLATED ${found.invariant}: ${invariantOf(found.invariant).sentence}`,
    `  ${describeCase(found)}${note}:`,
    ...linesOf(found.history).map((line) => `    ${line}`),
  ].join('\n');
}

function filesOf({ bundle, test }: CaseVerdict): string[] {
  return [
    ...(bundle === null ? [] : [`  Open: merchant-sandbox open ${bundle}`]),
    ...(test === null ? [] : [`  As a test: ${test}`]),
  ];
}

function textOfFinding(finding: SessionFinding): string[] {
  const { id, meaning, advice, expected, received } = finding;
  return [
    '',
    `FINDING ${id}: ${meaning}`,
    `  ${situationTitleOf(finding.situation)}, on ${finding.channel}: expected ${expected}, received ${received}`,
    `  How to fix it: ${advice}`,
  ];
}

/** More ids are only counted, because there are more than a hundred if no race can be run. */
const MAX_NAMED = 12;

function joinNames(found: readonly CaseVerdict[], nameIn: (found: CaseVerdict) => string): string {
  const more = found.length > MAX_NAMED ? `, and ${found.length - MAX_NAMED} more` : '';
  return `${found.slice(0, MAX_NAMED).map(nameIn).join(', ')}${more}`;
}

function reasonLines(verdict: Verdict, report: Report): string[] {
  return reasonsFor(verdict, report).flatMap(({ reason, verdicts }) => [
    '',
    `${VERDICT_WORDS[verdict].toUpperCase()}: ${reason}`,
    `  ${joinNames(verdicts, findingNameOf)}`,
    ...linesOf(verdict === 'inconclusive' ? (verdicts.at(0)?.history ?? []) : []).map((line) => `    ${line}`),
  ]);
}
