import type { DriftProposal, DriftReport } from '../../base/schema/recordings.ts';
import { plural } from '../../base/text/plural.ts';
import { groupOf, titleOf } from './drift-words.ts';

/** The fixtures that a comparison proposes, for a terminal: where each comes from, and how files change. */
export function proposalLines(report: DriftReport): string[] {
  const { proposal } = report;
  if (!proposal) {
    return [];
  }
  const { files, entries, left, notes } = proposal;
  const said = entries.map(({ file, place, says, source }) => {
    const from = source ? ` (${source.file}:${source.line}, ${source.at.slice(0, 10)})` : '';
    return `  ${file} ${place}: ${says}${from}`;
  });
  return [
    '',
    ...(files.length === 0 ? [] : ['Proposed fixtures:', ...said]),
    ...files.flatMap(({ file, diff }) => ['', file, ...diff.map((line) => `  ${line}`)]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(files.length === 0
      ? []
      : [
          '',
          `Tried: ${plural(left.length, 'difference')} left with them${left.length === 0 ? '.' : ':'}`,
          ...left.map((each) => `  ${each.id}  ${titleOf(report, each)} (${groupOf(each)})`),
          howToApply(proposal),
        ]),
  ];
}

function howToApply({ writtenTo }: NonNullable<DriftProposal>): string {
  return writtenTo === null
    ? 'Write them with --apply --fixtures <folder>.'
    : `Written to ${writtenTo}; start the sandbox with --fixtures ${writtenTo} --scenario as-recorded.`;
}
