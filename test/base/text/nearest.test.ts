import fc from 'fast-check';
import { didYouMean, editDistance, nearestWord } from '../../../src/base/text/nearest.ts';
import { cases } from '../../cases.ts';

it.each([
  ['amuont', 'amount', 1],
  ['amout', 'amount', 1],
  ['Amount', 'amount', 0],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
])('the distance between %j and %j is %d', (misspelled, meant, typos) => {
  expect(editDistance(misspelled, meant)).toBe(typos);
});

it('the nearest word is found after any single typo, and not for a different word', () => {
  const words = ['payments', 'scenario', 'deliveries'];
  fc.assert(
    fc.property(fc.constantFrom(...words), fc.nat(), fc.constantFrom('', 'x', 'é'), (word, at, letter) => {
      const place = at % word.length;
      expect(nearestWord(`${word.slice(0, place)}${letter}${word.slice(place + 1)}`, words)).toBe(word);
    }),
    { numRuns: cases(100) },
  );
  expect(nearestWord('refunds', words)).toBeUndefined();
  expect([didYouMean('paymets', words), didYouMean('refunds', words)]).toEqual([', did you mean payments?', '']);
});

it('a text of a million characters has no nearest word', () => {
  expect(nearestWord('x'.repeat(1_000_000), ['payments'])).toBeUndefined();
});
