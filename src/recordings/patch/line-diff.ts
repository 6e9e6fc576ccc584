import { structuredPatch } from 'diff';

/** What changes from one text to another, as lines with a mark, with three lines around; `…` where lines are left out. */
export function lineDiff(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
  const lines: string[] = [];
  let next = 1;
  for (const { oldStart, oldLines, lines: changed } of hunks) {
    lines.push(...(oldStart > next ? ['…'] : []), ...changed.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`));
    next = oldStart + oldLines;
  }
  return next < before.split('\n').length ? [...lines, '…'] : lines;
}
