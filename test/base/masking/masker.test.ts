import { Masker } from '../../../src/base/masking/masker.ts';
import { SECRET_NAMES } from '../../../src/base/masking/secret-names.ts';

const LENGTH = 200_000;

function masker(): Masker {
  return new Masker({
    names: SECRET_NAMES,
    keepsShape: true,
    standIn: '***',
    replaceNumber: (value) => value,
  });
}

/** The number of times that other work can run while a text is masked. */
function stepsOf(text: string): number {
  return [...masker().maskText(text, { isStructured: true })].length;
}

describe('a masker', () => {
  it.each([
    'pin=1&',
    '"token":"a",',
    '<a b="c"/>',
    '<a><![CDATA[<pin>1</pin>]]></a>',
    '4111 1111 1111 1112 ',
    '1%20',
    'Bearer abcdef1 ',
    'key:',
  ])('reads a long text that repeats %j in a number of steps proportional to its length', (piece) => {
    const steps = stepsOf(piece.repeat(LENGTH / piece.length));
    expect(steps).toBeGreaterThanOrEqual(LENGTH / 100_000);
    expect(stepsOf(piece.repeat((4 * LENGTH) / piece.length))).toBeLessThanOrEqual(5 * steps);
  });
});
