import Big from 'big.js';

/** A wrong amount that a service could have written: one unit more, computed in decimals because 0.57 + 1 is 1.5699999999999998. */
export function alteredAmount(amount: string | number): number {
  return new Big(amount).plus(1).toNumber();
}
