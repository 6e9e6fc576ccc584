import { linesOf } from '../observation/story.ts';
import { VERDICTS } from '../verdicts/verdicts.ts';
import { cell, row } from './markdown.ts';
import { extentOf, placeOf, prefaceOf, type Report, reportTitleOf, VERDICT_WORDS, violationsIn } from './report.ts';

/** The examination as Markdown for the page of a CI run: the counts and the violations, each with its shortest story. */
export function stepSummaryOf(report: Report): string {
  const { counts, requirements, seed } = report;
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === 'violated');
  const violated = violationsIn(report).map(({ invariant: { id, sentence }, found: [shortest, ...others] }) =>
    shortest === undefined
      ? ''
      : row([
          `<b>${id}</b>: ${cell(sentence)}<br>${cell(placeOf(shortest))}${others.length > 0 ? `<br>and ${others.length} more` : ''}`,
          linesOf(shortest.history).map(cell).join('<br>'),
          shortest.bundle === null ? 'no bundle' : `<code>${cell(`merchant-sandbox open ${shortest.bundle}`)}</code>`,
        ]),
  );
  return [
    prefaceOf(report).join(' '),
    '',
    `### ${reportTitleOf(report)}`,
    '',
    `${extentOf(report)}; requirements ${requirements}, seed ${seed}`,
    '',
    row(counted.map((verdict) => cell(VERDICT_WORDS[verdict]))),
    row(counted.map(() => '---')),
    row(counted.map((verdict) => String(counts[verdict]))),
    '',
    ...(violated.length > 0
      ? [row(['Violated', 'What happened', 'Open']), row(['---', '---', '---']), ...violated, '']
      : []),
  ].join('\n');
}
