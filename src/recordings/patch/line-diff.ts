/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Beyond so many pairs of lines the middle is shown as replaced. */
const MOST_PAIRS = 4_000_000;

type Line = readonly [mark: ' ' | '-' | '+', text: string];

/** What changes from one text to another, as lines with a mark, with a few lines around; `…` where lines are left out. */
export function lineDiff(before: string, after: string): string[] {
  const [was, is] = [before, after].map((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n')));
  const lines = changesBetween(was ?? [], is ?? []);
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([mark]) => mark !== ' '),
  );
  return lines.flatMap(([mark, text], index) =>
    near[index] ? [`${mark} ${text}`] : index === 0 || near[index - 1] ? ['…'] : [],
  );
}

function changesBetween(was: readonly string[], is: readonly string[]): Line[] {
  let start = 0;
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) {
    start += 1;
  }
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) {
    end += 1;
  }
  const same = (lines: readonly string[]): Line[] => lines.map((text) => [' ', text]);
  const middle = [was.slice(start, was.length - end), is.slice(start, is.length - end)] as const;
  return [...same(was.slice(0, start)), ...middleOf(...middle), ...same(was.slice(was.length - end))];
}

/** By the longest common subsequence. */
function middleOf(was: readonly string[], is: readonly string[]): Line[] {
  const removed = was.map((text): Line => ['-', text]);
  if (was.length * is.length > MOST_PAIRS) {
    return [...removed, ...is.map((text): Line => ['+', text])];
  }
  const width = is.length + 1;
  const lengths = new Uint32Array((was.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = was.length - 1; row >= 0; row -= 1) {
    for (let column = is.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        was[row] === is[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < was.length || column < is.length) {
    if (row < was.length && column < is.length && was[row] === is[column]) {
      lines.push([' ', was[row] ?? '']);
      row += 1;
      column += 1;
    } else if (column >= is.length || (row < was.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(['-', was[row] ?? '']);
      row += 1;
    } else {
      lines.push(['+', is[column] ?? '']);
      column += 1;
    }
  }
  return lines;
}
