import Big from 'big.js';
import { Refusal } from './refusal.ts';

/**
 * Money is an integer number of minor units (cents) everywhere inside; decimals exist only on the wire.
 * All currencies of the interface have two decimal places. Source: INTERFACE.md, amounts "with two places".
 */
export type MinorUnits = number;

/** An amount as the interface writes it, which is most of them: its digits are its minor units. */
const WHOLE_CENTS = /^(\d{1,12})\.(\d\d)$/;

/** "10.00" or 10 → 1000. The value must have at most two decimals and stay within safe integers. */
export function toMinorUnits(decimal: string | number): MinorUnits {
  const digits = typeof decimal === 'string' && WHOLE_CENTS.exec(decimal);
  if (digits) {
    return Number(`${digits[1]}${digits[2]}`);
  }
  const minor = new Big(decimal).times(100);
  const units = Number(minor.toFixed(0));
  if (!minor.eq(units) || !Number.isSafeInteger(units)) {
    throw new Refusal('business-rule', `${decimal} is not an amount with at most two decimals`);
  }
  return units;
}

/** 1000 → "10.00". */
export function toDecimalText(amount: MinorUnits): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** 1240 → 12.4, as the interface's number members show money. */
export function toDecimalNumber(amount: MinorUnits): number {
  return amount / 100;
}

/**
 * Shares of an amount by percentages that add up to 100: floors first, then the cents that are left go to the largest
 * remainders, of equal ones to the earlier (sorting is stable). The shares add up to the amount exactly.
 */
export function splitByPercentage(amount: MinorUnits, percentages: readonly number[]): MinorUnits[] {
  const exact = percentages.map((percentage) => new Big(amount).times(percentage).div(100));
  const shares = exact.map((share) => Number(share.toFixed(0, Big.roundDown)));
  const missing = amount - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share.minus(shares[index] ?? 0) }))
    .sort((a, b) => b.remainder.cmp(a.remainder));
  for (const { index } of byRemainder.slice(0, missing)) {
    shares[index] = (shares[index] ?? 0) + 1;
  }
  return shares;
}

/** The sum of percentages as text, without the rounding of binary fractions. */
export function sumOfPercentages(percentages: readonly number[]): string {
  return percentages.reduce((sum, percentage) => sum.plus(percentage), new Big(0)).toFixed();
}
