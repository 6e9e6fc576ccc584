import { linesOf } from '../observation/story.ts';
import type { Found } from '../verdicts/findings.ts';
import type { Invariant } from '../verdicts/invariants.ts';
import type { SessionFinding } from '../verdicts/session-findings.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdicts.ts';
import {
  extentOf,
  hintOf,
  nameOf,
  placeOf,
  prefaceOf,
  type Report,
  reasonsFor,
  titleOf,
  VERDICT_WORDS,
  violationsIn,
} from './report.ts';

/** The examination as text for a terminal: the counts and the violations, each with its shortest story. */
export function summaryOf(report: Report): string {
  const { requirements, seed, counts } = report;
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === 'violated').map(
    (verdict) => `${counts[verdict]} ${VERDICT_WORDS[verdict]}`,
  );
  return [
    ...prefaceOf(report),
    `${extentOf(report)}; requirements ${requirements}, seed ${seed}`,
    counted.join(', '),
    ...violationsIn(report).flatMap(({ invariant, found }) => ['', textOfViolation(invariant, found)]),
    ...report.findings.flatMap(textOfFinding),
    ...untold('not-exercised', report),
    ...untold('inconclusive', report),
    ...untold('not-applicable', report),
  ].join('\n');
}

function textOfViolation({ id, sentence, why, mend }: Invariant, [shortest, ...others]: readonly Found[]): string {
  const hint = shortest && hintOf(shortest);
  return [
    `VIOLATED ${id}: ${sentence}`,
    ...(shortest ? storyOf(shortest) : []),
    `  Why it matters: ${why}`,
    `  How to fix it: ${mend}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...(shortest ? filesOf(shortest) : []),
    ...(others.length > 0 ? [`  Also: ${others.map(({ id: other }) => other).join(', ')}`] : []),
  ].join('\n');
}

function storyOf(found: Found): string[] {
  const often = found.note === undefined ? '' : `, ${found.note}`;
  return [`  ${placeOf(found)}${often}:`, ...linesOf(found.history).map((line) => `    ${line}`)];
}

function filesOf({ bundle, test }: Found): string[] {
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
    `  ${titleOf(finding.situation)}, on ${finding.channel}: expected ${expected}, received ${received}`,
    `  How to fix it: ${advice}`,
  ];
}

/** Findings that are named for one reason; a race that cannot be run has more than a hundred. */
const MOST_NAMED = 12;

/** Cases without a verdict, grouped by reason. */
function untold(verdict: Verdict, report: Report): string[] {
  return reasonsFor(verdict, report).flatMap(({ reason, found }) => [
    '',
    `${VERDICT_WORDS[verdict].toUpperCase()}: ${reason}`,
    `  ${found.slice(0, MOST_NAMED).map(nameOf).join(', ')}${found.length > MOST_NAMED ? `, and ${found.length - MOST_NAMED} more` : ''}`,
  ]);
}
