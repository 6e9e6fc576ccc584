import { lineDiff } from '../../../src/recordings/patch/line-diff.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test.each([
  ['nothing where nothing changes', lines('a'), lines('a'), ['…']],
  ['a new file', '', lines('a', 'b'), ['+ a', '+ b']],
  ['a line in between', lines('a', 'b'), lines('a', 'x', 'b'), ['  a', '+ x', '  b']],
  ['another line', lines('a', 'b', 'c'), lines('a', 'x', 'c'), ['  a', '- b', '+ x', '  c']],
  [
    'lines that go and come',
    lines('a', 'b', 'c', 'd'),
    lines('b', 'x', 'd', 'e'),
    ['- a', '  b', '- c', '+ x', '  d', '+ e'],
  ],
  [
    'what is near a change',
    lines('1', '2', '3', '4', '5', '6', '7', '8', '9'),
    lines('1', '2', '3', '4', 'x', '6', '7', '8', '9'),
    ['…', '  2', '  3', '  4', '- 5', '+ x', '  6', '  7', '  8', '…'],
  ],
])('a comparison shows %s', (_, before, after, shown) => {
  expect(lineDiff(before, after)).toEqual(shown);
});
