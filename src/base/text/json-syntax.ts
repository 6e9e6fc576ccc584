import { printParseErrorCode, visit } from 'jsonc-parser';

type SyntaxError = ReturnType<typeof printParseErrorCode>;

/** The requirement of JSON at the place of an error. */
const EXPECTED: Readonly<Record<SyntaxError, string>> = {
  InvalidSymbol: 'a text in double quotes, a number, true, false, null, an object or an array',
  InvalidNumberFormat: 'a number as JSON writes it',
  PropertyNameExpected: 'a field name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: "':'",
  CommaExpected: "',' or the end of the object or array",
  CloseBraceExpected: "'}'",
  CloseBracketExpected: "']'",
  EndOfFileExpected: 'nothing more',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfComment: 'no comment',
  UnexpectedEndOfString: 'a text that ends with a double quote on the same line',
  UnexpectedEndOfNumber: 'a number that ends with a digit',
  InvalidUnicode: 'four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'an escape that JSON knows',
  InvalidCharacter: 'no control character in a text',
  '<unknown ParseErrorCode>': 'JSON',
};

/** The place of the first syntax error by line and column, and the requirement of JSON there. Never quotes the text, which may contain secrets. */
export function describeSyntaxError(text: string): string {
  const first = firstError(text);
  if (!first) {
    return 'it cannot be read';
  }
  const place = `line ${first.line + 1}, column ${first.character + 1}`;
  return first.offset === text.length
    ? `it ends too early, at ${place}; expected ${first.expected}`
    : `at ${place}, expected ${first.expected}`;
}

/** The line, from 1, of the first syntax error; undefined if that is unknown. */
export function lineOfSyntaxError(text: string): number | undefined {
  const first = firstError(text);
  return first && first.line + 1;
}

/** Frequent mistakes: the text before the place, the text at the place, and what to do. */
const SUGGESTIONS = [
  [/,$/, /^[}\]]/, 'remove the comma before it'],
  [/$/, /^[/#]/, 'remove the comment'],
  [/$/, /^['`\u2018\u2019\u201C\u201D]/, 'use straight double quotes'],
  [/\{$/, /^[A-Za-z_$]/, 'put the name in double quotes'],
] as const;

/** A semicolon and a suggestion for the first syntax error; an empty text without a suggestion. */
export function suggestFix(text: string): string {
  const offset = firstError(text)?.offset ?? text.length;
  const [before, after] = [text.slice(0, offset).trimEnd(), text.slice(offset)];
  const found = SUGGESTIONS.find(([end, begin]) => end.test(before) && begin.test(after));
  return found ? `; ${found[2]}` : '';
}

function firstError(text: string) {
  let first: { offset: number; line: number; character: number; expected: string } | undefined;
  try {
    visit(
      text,
      {
        onError: (code, offset, _length, line, character) => {
          first ??= { offset, line, character, expected: EXPECTED[printParseErrorCode(code)] };
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch {
    // The parser is recursive, so very deep nesting overflows the stack, before or after the error.
  }
  return first;
}
