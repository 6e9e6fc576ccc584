import { respellJson } from '../../../../src/server/domain/webhooks/respell-json.ts';

it.each([
  [{ b: 10, a: 'Tee' }, '{"b": 10.00, "a": "Tee"}'],
  [{ charges: 0.57, list: [1.5, null, true] }, '{"charges": 0.57, "list": [1.50, null, true]}'],
  [{ 'a/b': 'http://é\n"\\' }, '{"a\\/b": "http:\\/\\/\\u00e9\\n\\"\\\\"}'],
  [{ text: '\u{1f600}\u2028\u007f' }, '{"text": "\\ud83d\\ude00\\u2028\\u007f"}'],
  [[0.123, 1e21, -3, 9999999999999.99], '[0.123, 1e+21, -3.00, 9999999999999.99]'],
])('respelled JSON of %j is the same value in other bytes', (value, expected) => {
  const text = respellJson(value);
  expect(text).toBe(expected);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toBe(JSON.stringify(value));
});
