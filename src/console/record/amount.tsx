import { type MinorUnits, toDecimalText } from '../../base/money.ts';
import { groupDigits } from '../../base/text/group-digits.ts';

/** A figure in a column, whose head or table says the currency. */
export function Amount({ units }: { units: MinorUnits }) {
  return <span class={units < 0 ? 'money below' : 'money'}>{groupDigits(toDecimalText(units))}</span>;
}
