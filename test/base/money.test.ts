import fc from 'fast-check';
import {
  apportion,
  exactMinorUnits,
  isAmount,
  isTypedAmount,
  MAX_AMOUNT,
  splitByPercentage,
  sumOfPercentages,
  toDecimalNumber,
  toDecimalText,
  toMinorUnits,
  withDecimals,
} from '../../src/base/money.ts';
import { Refusal } from '../../src/base/refusal.ts';
import { cases } from '../cases.ts';

const amounts = fc.integer({ min: 1, max: 99_999_999_999_999 });

/** Percentages with two decimals that add up to exactly 100. */
const percentages = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 20 }).map((parts) => {
  const sum = parts.reduce((added, part) => added + part, 0);
  const cents = parts.map((part) => Math.floor((part / sum) * 10_000));
  const rest = 10_000 - cents.reduce((added, part) => added + part, 0);
  return cents.map((part, index) => (index === 0 ? part + rest : part) / 100);
});

it('every amount can be formatted and parsed without loss', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(toMinorUnits(toDecimalText(amount))).toBe(amount);
    }),
    { numRuns: cases(100) },
  );
  expect([toMinorUnits('10.00'), toMinorUnits(0.07), toMinorUnits(1.1)]).toEqual([1000, 7, 110]);
  expect([toDecimalText(5), toDecimalText(-1205), toDecimalNumber(1240)]).toEqual(['0.05', '-12.05', 12.4]);
  expect([toMinorUnits('0.07'), toMinorUnits('007.10'), toMinorUnits('10.0')]).toEqual([7, 710, 1000]);
});

it('an amount with more than two decimals is refused', () => {
  expect(() => toMinorUnits(0.005)).toThrow(Refusal);
  expect(() => toMinorUnits('0.005')).toThrow(expect.objectContaining({ kind: 'business-rule' }));
});

it.each([
  [0, '0.00'],
  [7, '0.07'],
  [-7, '-0.07'],
  [99, '0.99'],
  [100, '1.00'],
  [-123_456, '-1234.56'],
])('%i minor units are the text %s', (units, text) => {
  expect(toDecimalText(units)).toBe(text);
  expect(exactMinorUnits(text).toNumber()).toBe(units);
});

it.each([
  [0, true],
  [0.07, true],
  [1.1, true],
  [-10.25, true],
  [0.005, false],
  [10.001, false],
  [90_071_992_547_409, true],
  [90_071_992_547_410, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('whether the number %d is an amount: %s', (value, expected) => {
  expect(isAmount(value)).toBe(expected);
});

it.each([
  ['0', true],
  ['10', true],
  ['10.5', true],
  ['999999999999.99', true],
  ['1000000000000', false],
  ['007', false],
  ['10.', false],
  ['10.505', false],
  ['.5', false],
  ['-1', false],
  ['1e3', false],
  ['', false],
])('whether the typed text %j is an amount: %s', (text, expected) => {
  expect(isTypedAmount(text)).toBe(expected);
});

it.each(['90071992547409.92', '1e15', 90_071_992_547_410])('the amount %s is too large', (value) => {
  expect(() => toMinorUnits(value)).toThrow('is not an amount with at most two decimals');
});

it('a hundred thousand of the largest amount add up to a safe integer', () => {
  expect(MAX_AMOUNT).toBe(90_071_992_547);
  expect(Number.isSafeInteger(MAX_AMOUNT * 100_000)).toBe(true);
  expect(Number.isSafeInteger((MAX_AMOUNT + 1) * 100_000)).toBe(false);
});

it('a number is written with two decimals, and rounded if it has more', () => {
  expect([withDecimals(10), withDecimals(0.129), withDecimals(2.5)]).toEqual(['10.00', '0.13', '2.50']);
});

it('the shares of a split add up to the amount to the cent, for any amount', () => {
  fc.assert(
    fc.property(amounts, percentages, (amount, shares) => {
      const split = splitByPercentage(amount, shares);
      expect(split.reduce((sum, share) => sum + BigInt(share), 0n)).toBe(BigInt(amount));
    }),
    { numRuns: cases(100) },
  );
});

it('a share differs from its exact value by at most a cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), percentages, (amount, shares) => {
      splitByPercentage(amount, shares).forEach((share, index) => {
        expect(Math.abs(share - (amount * (shares[index] ?? 0)) / 100)).toBeLessThanOrEqual(1.000_001);
      });
    }),
    { numRuns: cases(100) },
  );
});

it('the remaining cents of a split go to the largest remainders, and of equal remainders to the earlier one', () => {
  expect(splitByPercentage(100, [33.33, 33.33, 33.34])).toEqual([33, 33, 34]);
  expect(splitByPercentage(1, [50, 50])).toEqual([1, 0]);
  // Of two equal remainders the earlier one gets the cent, although the later share is larger.
  expect(splitByPercentage(100, [33.5, 66.5])).toEqual([34, 66]);
  expect(splitByPercentage(10, [25, 25, 25, 25])).toEqual([3, 3, 2, 2]);
  expect(splitByPercentage(1000, [60, 40])).toEqual([600, 400]);
});

it.each([
  [10, [13, 24, 63], [1, 3, 6]],
  [10, [17.9, 18.8, 63.3], [2, 2, 6]],
  [10, [63.3, 18.8, 17.9], [6, 2, 2]],
  [100_000, [0.001, 99.999], [1, 99_999]],
  [7, [10, 20, 70], [1, 1, 5]],
  [0, [50, 50], [0, 0]],
])('%i minor units split by %j percent are %j', (amount, shares, expected) => {
  expect(splitByPercentage(amount, shares)).toEqual(expected);
});

it('a split without weights gives nothing to anybody', () => {
  expect([apportion(10, [0n, 0n]), apportion(10, []), splitByPercentage(10, [])]).toEqual([[0, 0], [], []]);
});

it('a split by weights loses no cent, and a share without weight gets nothing', () => {
  fc.assert(
    fc.property(amounts, fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { maxLength: 12 }), (amount, weights) => {
      const parts = apportion(amount, weights);
      const isAny = weights.some((weight) => weight > 0n);
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(isAny ? BigInt(amount) : 0n);
      expect(parts.filter((part, index) => part < 0 || (weights[index] === 0n && part > 0))).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
});

it('percentages are added without the errors of binary fractions', () => {
  expect(sumOfPercentages([33.3, 33.3, 33.4])).toBe('100');
  expect(sumOfPercentages([10.1, 20.2, 69.7])).toBe('100');
  expect(sumOfPercentages([50, 49.99])).toBe('99.99');
  expect(sumOfPercentages([33.333, 33.333, 33.333])).toBe('99.999');
});

it('percentages that are computed as doubles from any weights add up to 100, and a split by them loses no cent', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 100 }),
      amounts,
      (weights, amount) => {
        const all = weights.reduce((sum, weight) => sum + weight, 0);
        const percentages = weights.map((weight) => (100 * weight) / all);
        expect(sumOfPercentages(percentages)).toBe('100');
        const parts = splitByPercentage(amount, percentages);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
      },
    ),
    { numRuns: cases(100) },
  );
  expect(splitByPercentage(1000, [100 / 3, 100 / 3, 100 / 3])).toEqual([334, 333, 333]);
});
