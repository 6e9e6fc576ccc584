import fc from 'fast-check';
import { describeSyntaxError, suggestFix } from '../../../src/base/text/json-syntax.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

const MAX_BYTES = 1024 * 1024;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with a character changed, inserted or omitted, and texts of characters that have a meaning in JSON. */
const almostJson = fc.oneof(
  fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(1), fc.string({ maxLength: 1, unit: anyCharacter }))
    .map(([text, place, gone, put]) => {
      const at = place % (text.length + 1);
      return `${text.slice(0, at)}${put}${text.slice(at + gone)}`;
    }),
  fc.string({ unit: fc.constantFrom(...'{}[]:,"\\/ \n\t0123.-+eEtrufalsnu\u0001é') }),
  fc
    .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '-0.5e+7', 'true', 'null', '"\\u00e9"', '01', ' '), {
      maxLength: 10,
    })
    .map((tokens) => tokens.join('')),
);

describe('the position at which a text stops being JSON', () => {
  it('is found in any invalid text, and never in valid JSON', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        expect(describeSyntaxError(text) === 'it cannot be read').toBe(isJson(text));
      }),
      { numRuns: cases(2500) },
    );
  });

  it.each([
    ['', 'it ends too early, at line 1, column 1; expected a value'],
    ['{', "it ends too early, at line 1, column 2; expected '}'"],
    ['{"a":[1,\n 2', "it ends too early, at line 2, column 3; expected ']'"],
    ["{'a':1}", 'at line 1, column 2, expected a text in double quotes'],
    ['{a:1}', 'at line 1, column 2, expected a text in double quotes'],
    ['{"a" 1}', "at line 1, column 6, expected ':'"],
    ['{"a":}', 'at line 1, column 6, expected a value'],
    ['{"a":nul}', 'at line 1, column 6, expected a text in double quotes, a number, true, false, null'],
    ['{"a":1\n "b":2}', "at line 2, column 2, expected ',' or the end of the object or array"],
    ['{"a":1,}', 'at line 1, column 8, expected a field name in double quotes'],
    ['[1,]', 'at line 1, column 4, expected a value'],
    ['[]]', 'at line 1, column 3, expected nothing more'],
    ['[01]', "at line 1, column 3, expected ',' or the end"],
    ['[1.e5]', 'at line 1, column 2, expected a number that ends with a digit'],
    ['{} // odd', 'at line 1, column 4, expected no comment'],
    ['["\u0000"]', 'at line 1, column 2, expected no control character in a text'],
    ['["\\x41"]', 'at line 1, column 2, expected an escape that JSON knows'],
    ['["\\u12"]', 'at line 1, column 2, expected four hexadecimal digits after \\u'],
    ['["abc', 'at line 1, column 2, expected a text that ends with a double quote on the same line'],
  ])('in %j is described by line and column, with what JSON requires there', (text, words) => {
    expect(describeSyntaxError(text)).toContain(words);
  });

  it('is described without quoting the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^hush[0-9]{4}$/), almostJson, (secret, text) => {
        expect(describeSyntaxError(`${text}"${secret}" ${secret}`)).not.toContain(secret);
      }),
      { numRuns: cases(100) },
    );
  });

  it('is described even if the nesting is too deep for the parser', () => {
    expect(describeSyntaxError('['.repeat(MAX_BYTES))).toMatch(/^it /);
    expect(describeSyntaxError('}'.repeat(MAX_BYTES))).toMatch(/^at line 1, column 1/);
  });
});

it.each([
  ['{"a":1,}', 'remove the comma before it'],
  ['{"a":[1,\r\n]}', 'remove the comma before it'],
  ["{'a':1}", 'use straight double quotes'],
  ['{"a":\u201Cb\u201D}', 'use straight double quotes'],
  ['{\n// a\n}', 'remove the comment'],
  ['# a\n{}', 'remove the comment'],
  ['{a:1}', 'put the name in double quotes'],
])('the suggestion for %j is to %s', (text, words) => {
  expect(suggestFix(text)).toBe(`; ${words}`);
});

it.each(['{', '', '{"a":1,', '[1 2]'])('there is no suggestion for %j', (text) => {
  expect(suggestFix(text)).toBe('');
});
