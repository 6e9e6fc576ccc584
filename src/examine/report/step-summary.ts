import { linesOf } from '../observation/story.ts';
import { causesIn } from '../verdicts/causes.ts';
import { VERDICTS } from '../verdicts/verdicts.ts';
import { cell, row } from './markdown.ts';
import { describeCase, extentOf, prefaceOf, type Report, reportTitleOf, VERDICT_WORDS } from './report.ts';

/** The examination as Markdown for the page of a CI run: the counts and the causes of violations, each with one story. */
export function stepSummaryOf(report: Report): string {
  const { counts, requirements, seed } = report;
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === 'violated');
  const violated = causesIn(report.verdicts).map(({ invariant: { id, sentence }, verdicts: [shown, ...others] }) =>
    row([
      `<b>${id}</b>: ${cell(sentence)}<br>${cell(describeCase(shown))}${others.length > 0 ? `<br>and ${others.length} more` : ''}`,
      linesOf(shown.history).map(cell).join('<br>'),
      shown.bundle === null ? 'no bundle' : `<code>${cell(`merchant-sandbox open ${shown.bundle}`)}</code>`,
    ]),
  );
  return [
    `### ${reportTitleOf(report)}`,
    '',
    `${extentOf(report)}; requirements ${requirements}, seed ${seed}`,
    '',
    row(counted.map((verdict) => cell(VERDICT_WORDS[verdict]))),
    row(counted.map(() => '---')),
    row(counted.map((verdict) => String(counts[verdict]))),
    '',
    ...(report.uncounted ? [`**${report.uncounted.note}**`, ''] : []),
    prefaceOf(report).join(' '),
    '',
    ...(violated.length > 0
      ? [row(['Violated', 'What happened', 'Open']), row(['---', '---', '---']), ...violated, '']
      : []),
  ].join('\n');
}
