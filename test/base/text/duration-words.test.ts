import { durationInWords } from '../../../src/base/text/duration-words.ts';

it.each([
  ['PT0S', '0 s'],
  ['PT3S', '3 s'],
  ['90s', '1 min 30 s'],
  ['PT0.25S', '250 ms'],
  ['1500ms', '1500 ms'],
  ['P1DT2H3M4S', '1 d 2 h 3 min 4 s'],
  ['P1W', '7 d'],
  ['P1M', 'P1M'],
  ['P1Y', 'P1Y'],
])('the duration %s is %s in words', (duration, words) => {
  expect(durationInWords(duration)).toBe(words);
});
