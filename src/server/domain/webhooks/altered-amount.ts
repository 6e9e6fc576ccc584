import Big from 'big.js';

/** One unit less, because a payment of too little must not pay for an order; one more if nothing would be left. In decimals: 1.57 - 1 is 0.5700000000000001. */
export function alteredAmount(amount: string | number): number {
  const decimal = new Big(amount);
  return (decimal.gt(1) ? decimal.minus(1) : decimal.plus(1)).toNumber();
}
