import fc from 'fast-check';
import { printable, printableLines } from '../../../src/base/text/printable.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

const ACTS_IN_A_TERMINAL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 1 }),
    fc.constantFrom('\u001b', '\u009b', '\n', '\u202e', '\ud800'),
  ),
});

it('a printable text has no characters that control a terminal, and keeps all others', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(text)).not.toMatch(ACTS_IN_A_TERMINAL);
      expect(printableLines(text).replaceAll('\n', '')).not.toMatch(ACTS_IN_A_TERMINAL);
    }),
    { numRuns: cases(100) },
  );
  expect(printable('Zoë 注文 👩‍🚀 "a\\b"')).toBe('Zoë 注文 👩‍🚀 "a\\b"');
});

it('a printable text shows unsafe characters as escapes', () => {
  expect(printable('a\u001b[31mb\u009bc\nd\u202e\u{e0041}')).toBe('a\\u001b[31mb\\u009bc\\u000ad\\u202e\\udb40\\udc41');
  expect(printableLines('a\nb\r')).toBe('a\nb\\u000d');
});

it('a printable JSON text has the same value', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(JSON.parse(printableLines(JSON.stringify({ text })))).toEqual({ text });
    }),
    { numRuns: cases(100) },
  );
});
