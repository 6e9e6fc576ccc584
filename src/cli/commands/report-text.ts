import {
  CHECKED_TITLE,
  extentOf,
  failedCallsIn,
  PREFACE,
  summaryRows,
  UNSEEN_TITLE,
  WRONG_TITLE,
  withoutUnused,
} from '../../base/report/report-words.ts';
import { printable } from '../../base/text/printable.ts';
import { cell, row } from '../../examine/report/markdown.ts';
import { textOfFinding } from './findings.ts';
import type { SessionReport } from './session-report.ts';
import { COVERAGE_HINT, conclusionIn, FAILED_CALLS_HINT, factsIn, titleOf, unseenIn } from './session-report-words.ts';

export function textOfReport(report: SessionReport): string {
  const coverage = withoutUnused(report.coverage, report.checked);
  return [
    ...[titleOf(report), '', `${WRONG_TITLE}: ${conclusionIn(report)}`, PREFACE].map(printable),
    ...report.findings.map((finding) => `${textOfFinding(finding)}\n`),
    ...(report.findings.length === 0 ? [''] : []),
    CHECKED_TITLE,
    ...summaryRows(report.checked).map(([name, value]) => printable(`  ${name}: ${value}`)),
    ...(failedCallsIn(report.checked) > 0 ? [`  ${FAILED_CALLS_HINT}`] : []),
    '',
    UNSEEN_TITLE,
    ...[extentOf(coverage), COVERAGE_HINT].map((line) => printable(`  ${line}`)),
    ...unseenIn(coverage).flatMap(({ title, gaps }) => [
      printable(`  ${title}`),
      ...gaps.map((gap) => printable(`    ${gap}`)),
    ]),
  ].join('\n');
}

/** The report as Markdown for the page of a CI run. */
export function stepSummaryOfReport(report: SessionReport): string {
  const coverage = withoutUnused(report.coverage, report.checked);
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : ['', row(head), row(head.map(() => '---')), ...rows.map((each) => row(each.map(cell)))];
  return [
    `### ${cell(titleOf(report))}`,
    '',
    cell(conclusionIn(report)),
    '',
    cell(PREFACE),
    ...table(
      [WRONG_TITLE, 'Seen', 'What to do'],
      report.findings.map(({ id, meaning, count, advice }) => [`${id}: ${meaning}`, String(count), advice]),
    ),
    ...table([CHECKED_TITLE, ''], [...factsIn(report), ...summaryRows(report.checked)]),
    '',
    cell(extentOf(coverage)),
    ...table(
      [UNSEEN_TITLE, ''],
      unseenIn(coverage).map(({ title, gaps }) => [title, gaps.length === 0 ? 'all seen' : gaps.join('; ')]),
    ),
    '',
  ].join('\n');
}
