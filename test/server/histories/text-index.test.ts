import fc from 'fast-check';
import { TextIndex } from '../../../src/server/histories/text-index.ts';

const text = (minLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength, maxLength: 12 });

describe('an index of texts', () => {
  it('finds the first text in another one, the longest where several begin there', () => {
    fc.assert(
      fc.property(fc.array(text(4), { maxLength: 8 }), text(0), (texts, within) => {
        const index = new TextIndex();
        for (const each of texts) {
          index.add(each);
        }
        const places = Array.from({ length: within.length }, (_, at) => at);
        const at = places.find((place) => texts.some((each) => within.startsWith(each, place)));
        const [longest] = texts
          .filter((each) => at !== undefined && within.startsWith(each, at))
          .toSorted((one, other) => other.length - one.length);
        expect(index.next(within, 0)).toEqual(at === undefined ? undefined : { found: longest, index: at });
      }),
    );
  });

  it('leaves out texts that are too short to be looked up', () => {
    const index = new TextIndex();
    index.add('abc');
    expect(index.next('xabcx', 0)).toBeUndefined();
  });
});
