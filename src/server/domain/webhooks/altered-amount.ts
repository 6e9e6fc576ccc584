import Big from 'big.js';

/** Without its cents, which whole units do not show; one unit less without any, or one more for 1 or less. In decimals: 1.57 - 1 is 0.5700000000000001. */
export function alteredAmount(amount: string | number): number {
  const decimal = new Big(amount);
  const whole = decimal.round(0, Big.roundDown);
  const hasCents = !whole.eq(0) && !whole.eq(decimal);
  return (hasCents ? whole : decimal.gt(1) ? decimal.minus(1) : decimal.plus(1)).toNumber();
}
