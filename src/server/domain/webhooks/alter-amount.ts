import Big from 'big.js';

/**
 * Cuts the cents, because a receiver that compares only whole units does not notice. Without cents or whole units, changes the amount by one.
 */
export function alterAmount(amount: string | number): number {
  const decimal = new Big(amount); // In binary, 0.57 + 1 is 1.5699999999999998.
  const whole = decimal.round(0, Big.roundDown);
  const hasCents = !whole.eq(0) && !whole.eq(decimal);
  return (hasCents ? whole : decimal.gt(1) ? decimal.minus(1) : decimal.plus(1)).toNumber();
}
