import { figureOf } from '../../base/report/coverage-words.ts';
import {
  CHECKED_TITLE,
  checkedIn,
  conclusionOf,
  EXTENT,
  PREFACE,
  UNSEEN_TITLE,
  WRONG_TITLE,
} from '../../base/report/report-words.ts';
import { printable } from '../../base/text/printable.ts';
import { cell, row } from '../../examine/report/markdown.ts';
import { textOfFinding } from './findings.ts';
import { FURTHER, factsIn, titleOf, unseenIn } from './report-words.ts';
import type { SessionReport } from './session-report.ts';

/** The report for a terminal. */
export function textOfReport(report: SessionReport): string {
  return [
    ...[titleOf(report), '', `${WRONG_TITLE}: ${conclusionOf(report.findings)}`, PREFACE].map(printable),
    ...report.findings.map((finding) => `${textOfFinding(finding)}\n`),
    ...(report.findings.length === 0 ? [''] : []),
    CHECKED_TITLE,
    ...checkedIn(report.checked).map(([name, value]) => printable(`  ${name}: ${value}`)),
    '',
    UNSEEN_TITLE,
    ...[figureOf(report.coverage), EXTENT, FURTHER].map((line) => printable(`  ${line}`)),
    ...unseenIn(report).flatMap(({ title, gaps }) => [
      printable(`  ${title}`),
      ...gaps.map((gap) => printable(`    ${gap}`)),
    ]),
  ].join('\n');
}

/** The report as Markdown for the page of a CI run. */
export function stepSummaryOfReport(report: SessionReport): string {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : ['', row(head), row(head.map(() => '---')), ...rows.map((each) => row(each.map(cell)))];
  return [
    `### ${cell(titleOf(report))}`,
    '',
    cell(conclusionOf(report.findings)),
    '',
    cell(PREFACE),
    ...table(
      [WRONG_TITLE, 'Seen', 'What to do'],
      report.findings.map(({ id, meaning, count, advice }) => [`${id}: ${meaning}`, String(count), advice]),
    ),
    ...table([CHECKED_TITLE, ''], [...factsIn(report), ...checkedIn(report.checked)]),
    '',
    cell(`${figureOf(report.coverage)} ${EXTENT}`),
    ...table(
      [UNSEEN_TITLE, ''],
      unseenIn(report).map(({ title, gaps }) => [
        title,
        gaps.length === 0 ? 'none of what your code uses' : gaps.join('; '),
      ]),
    ),
    '',
  ].join('\n');
}
