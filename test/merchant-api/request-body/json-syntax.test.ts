import fc from 'fast-check';
import { findSyntaxFault } from '../../../src/merchant-api/request-body/json-syntax.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with a character changed, put in or left out, and texts of the characters that matter to JSON. */
const almostJson = fc.oneof(
  fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(1), fc.string({ maxLength: 1, unit: 'binary' }))
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

describe('the place where a text stops being JSON', () => {
  it('is found exactly where there is one', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        expect(findSyntaxFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('has nothing wrong before it', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const fault = findSyntaxFault(text);
        fc.pre(fault !== null);
        const before = findSyntaxFault(text.slice(0, fault.offset));
        expect(before === null || before.offset === fault.offset).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 0, 'a value', 'the end of the body'],
    ['{', 1, "a member name in double quotes or '}'", 'the end of the body'],
    ["{'a':1}", 1, "a member name in double quotes or '}'", 'a single quote'],
    ['{a:1}', 1, "a member name in double quotes or '}'", 'a letter'],
    ['{"a" 1}', 5, "':'", 'a digit'],
    ['{"a":}', 5, 'a value', "'}'"],
    ['{"a":nul}', 5, 'a value', 'a letter'],
    ['{"a":1 "b":2}', 7, "',' or '}'", 'a double quote'],
    ['{"a":1,}', 7, 'a member name in double quotes', "'}'"],
    ['[1,]', 3, 'a value', "']'"],
    ['[1}', 2, "',' or ']'", "'}'"],
    ['[]]', 2, 'nothing more', "']'"],
    ['[01]', 2, "',' or ']'", 'a digit'],
    ['[-]', 2, 'a digit', "']'"],
    ['[1.e5]', 3, 'a digit', 'a letter'],
    ['[1e+]', 4, 'a digit', "']'"],
    ['["a\nb"]', 3, 'no control character in a string', 'a line break'],
    ['["\u0000"]', 2, 'no control character in a string', 'a control character'],
    ['["a\u001f"]', 3, 'no control character in a string', 'a control character'],
    ['["\\x41"]', 3, 'an escape that JSON knows', 'a letter'],
    ['["\\u12"]', 3, 'an escape that JSON knows', 'a letter'],
    ['["abc', 5, 'the closing double quote', 'the end of the body'],
    ['[+1]', 1, "a value or ']'", 'another character'],
  ])('in %j is at %i, where %s was expected and %s came', (text, offset, expected, received) => {
    expect(findSyntaxFault(text)).toEqual({ offset, expected, received });
  });

  it('is found under any depth of nesting', () => {
    const depth = 500_000;
    expect(findSyntaxFault('['.repeat(depth))).toMatchObject({ offset: depth });
    expect(findSyntaxFault(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toBeNull();
  });
});
