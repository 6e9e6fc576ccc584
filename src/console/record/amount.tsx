import { type MinorUnits, toDecimalText } from '../../base/money.ts';
import { groupDigits } from '../../base/text/group-digits.ts';

/** An amount without its currency, which is in the heading of the column or table. */
export function Amount({ units }: { units: MinorUnits }) {
  return <span class={units < 0 ? 'money below' : 'money'}>{groupDigits(toDecimalText(units))}</span>;
}
