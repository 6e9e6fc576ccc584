import fc from 'fast-check';
import { draw } from '../../../../../src/server/domain/books/settlement-files/draw.ts';
import { inventReference } from '../../../../../src/server/domain/books/settlement-files/invent-reference.ts';
import { cases } from '../../../../cases.ts';

const anyText = fc
  .tuple(
    fc.constantFrom('', 'ORDER-', '00'),
    fc.constantFrom('0123456789', '0123456789ABCDEF', '0123456789abcdef', 'XYZ'),
    fc.constantFrom('', '.sandbox-node-1'),
  )
  .chain(([before, alphabet, after]) =>
    fc
      .string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 40 })
      .map((middle) => before + middle + after),
  );

/** The text with each hexadecimal run replaced by its length (`isHex`), or each run of digits by #, because digits may be added. */
function formOf(text: string, isHex: boolean): string {
  return isHex
    ? text.replace(/[0-9A-F]{16,}|[0-9a-f]{16,}/g, ({ length }) => `<${length}>`)
    : text.replace(/\d+/g, '#');
}

it('an invented reference has the form of the original, is unknown, and is the same for the same seed', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.string(), fc.nat(3), async (text, seed, takenCount) => {
      const random = (...words: string[]) => draw(seed, ...words);
      const checkedTexts: string[] = [];
      const isKnown = async (each: string) => each === text || checkedTexts.push(each) <= takenCount;
      const invented = await inventReference(text, random, isKnown);
      expect(checkedTexts.slice(0, takenCount)).not.toContain(invented);
      expect(invented).not.toBe(text);
      const isHex = /[0-9A-F]{16}|[0-9a-f]{16}/.test(text);
      expect(formOf(invented, isHex)).toBe(formOf(isHex || /\d/.test(text) ? text : `${text}0`, isHex));
      const takenTexts = new Set(checkedTexts.slice(0, takenCount));
      expect(await inventReference(text, random, async (each) => each === text || takenTexts.has(each))).toBe(invented);
    }),
    { numRuns: cases(200) },
  );
});

it.each([
  ['0789B2A2EABD208F251A5E0BF7E3575E.sandbox-node-1', /^[0-9A-F]{32}\.sandbox-node-1$/],
  ['ORDER-1', /^ORDER-[1-9]\d{8}$/],
  ['2026/0001', /^[1-9]\d{3}\/\d{5}$/],
  ['1234567890', /^[1-9]\d{9}$/],
  ['tea', /^tea\d{9}$/],
])('an invented reference resembles %s', async (text, form) => {
  const invented = await inventReference(
    text,
    (...words) => draw('seed', ...words),
    async () => false,
  );
  expect(invented).toMatch(form);
});
