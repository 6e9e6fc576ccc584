import { lineOf } from '../../../src/base/schema/json-line.ts';

const TEXT =
  '{\r\n  "a": [\r\n    { "b": 1 },\r\n    {\r\n      "odd name":\r\n        2\r\n    }\r\n  ],\r\n  "0": 3\r\n}';

it.each([
  ['$', 1],
  ['$.a', 2],
  ['$.a[0].b', 3],
  ['$.a[1]["odd name"]', 5],
  ['$.a[1].missing', 4],
  ['$.missing.below', 1],
  ['$["0"]', 9],
])('the path %s is at line %i', (path, line) => {
  expect(lineOf(TEXT, path)).toBe(line);
});

it('no line is found in an empty text, or in one that is nested too deeply', () => {
  expect(lineOf('', '$.a')).toBeUndefined();
  expect(lineOf('['.repeat(100_000), '$.a')).toBeUndefined();
});
