import Big from 'big.js';
import { Refusal } from './refusal.ts';

/** An amount of money as an integer number of minor units (cents). */
export type MinorUnits = number;

/** The number of decimals of an amount. Source: INTERFACE.md, amounts "with two places". */
const DECIMALS = 2;
const MINOR_UNITS_PER_UNIT = 10 ** DECIMALS;

/** Currencies whose minor unit is not a hundredth, so that the interface has no form for their amounts; by number of decimals. Source: ISO 4217. */
const OTHER_DECIMALS: Readonly<Record<number, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
};

/** The number of decimals of a currency that the interface has no form for; undefined for other currencies. */
export function unsupportedDecimals(currency: string): string | undefined {
  return Object.entries(OTHER_DECIMALS).find(([, codes]) => codes.includes(currency))?.[0];
}

/** An amount as the interface writes it, with fixed decimals; a number that needs more is rounded. */
export function withDecimals(amount: number): string {
  return amount.toFixed(DECIMALS);
}

/** Maximum of a payment, payout or fee: the sum of a hundred thousand of them is a safe integer. */
export const MAX_AMOUNT: MinorUnits = Math.floor(Number.MAX_SAFE_INTEGER / 100_000);

/** The form of amounts in the interface; their digits are the minor units. */
const FIXED_DECIMALS = /^(\d{1,12})\.(\d\d)$/;

const TYPED_AMOUNT = new RegExp(`^(0|[1-9]\\d{0,11})(\\.\\d{1,${DECIMALS}})?$`);

/** "10.00" or 10 → 1000. Refuses a number with more than two decimals, or beyond safe integers. */
export function toMinorUnits(decimal: string | number): MinorUnits {
  const digits = typeof decimal === 'string' && FIXED_DECIMALS.exec(decimal);
  if (digits) {
    return Number(`${digits[1]}${digits[2]}`);
  }
  const minor = exactMinorUnits(decimal);
  const units = Number(minor.toFixed(0));
  if (!minor.eq(units) || !Number.isSafeInteger(units)) {
    throw new Refusal('business-rule', `${decimal} is not an amount with at most two decimals`);
  }
  return units;
}

/** Whether a number has at most two decimals. Compared with its text, because binary fractions are not exact. */
export function isAmount(value: number): boolean {
  return Number.isSafeInteger(Math.round(value * MINOR_UNITS_PER_UNIT)) && Number(withDecimals(value)) === value;
}

/** Whether a text that a person typed is an amount: 10, 10.5 or 10.50. */
export function isTypedAmount(text: string): boolean {
  return TYPED_AMOUNT.test(text);
}

/** The number of minor units without rounding. It may have decimals, for example for a flat fee. */
export function exactMinorUnits(decimal: string | number | Big): Big {
  return new Big(decimal).times(MINOR_UNITS_PER_UNIT);
}

/** 1000 → "10.00". */
export function toDecimalText(amount: MinorUnits): string {
  const digits = String(Math.abs(amount)).padStart(DECIMALS + 1, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** 1240 → 12.4, as the interface's number members show money. */
export function toDecimalNumber(amount: MinorUnits): number {
  return amount / MINOR_UNITS_PER_UNIT;
}

/** Shares of an amount by percentages that add up to 100, as `apportion` divides it. */
export function splitByPercentage(amount: MinorUnits, percentages: readonly number[]): MinorUnits[] {
  const exact = percentages.map((percentage) => new Big(percentage));
  const scale = new Big(10).pow(Math.max(0, ...exact.map((each) => each.c.length - 1 - each.e)));
  return apportion(
    amount,
    exact.map((percentage) => BigInt(percentage.times(scale).toFixed(0))),
  );
}

/**
 * Divides a non-negative amount by weights: each part is rounded down, and the remaining cents go to the largest remainders
 * (of equal ones, to the earlier). The sum of the parts is exactly the amount, but 0 if all weights are 0.
 */
export function apportion(amount: MinorUnits, weights: readonly bigint[]): MinorUnits[] {
  const sum = weights.reduce((added, weight) => added + weight, 0n);
  if (sum === 0n) {
    return weights.map(() => 0);
  }
  const exact = weights.map((weight) => BigInt(amount) * weight);
  const parts = exact.map((part) => Number(part / sum));
  const missing = amount - parts.reduce((added, part) => added + part, 0);
  if (missing > 0) {
    const byRemainder = exact
      .map((part, index) => ({ index, remainder: part % sum }))
      .sort((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : 0));
    for (const { index } of byRemainder.slice(0, missing)) {
      parts[index] = (parts[index] ?? 0) + 1;
    }
  }
  return parts;
}

/** The sum of percentages as text, rounded to twelve decimals, so that three times 100 / 3 is 100. */
export function sumOfPercentages(percentages: readonly number[]): string {
  const sum = percentages.reduce((added, percentage) => added.plus(percentage), new Big(0));
  return new Big(sum.toFixed(12)).toFixed();
}
