import { groupDigits } from '../../../src/base/text/group-digits.ts';

it.each([
  ['0.05', '0.05'],
  ['999.00', '999.00'],
  ['1249.90', '1,249.90'],
  ['-1249.90', '-1,249.90'],
  ['-100.00', '-100.00'],
  ['999999999999.99', '999,999,999,999.99'],
  ['1234', '1,234'],
])('the number %s is grouped as %s', (decimal, shown) => {
  expect(groupDigits(decimal)).toBe(shown);
});
