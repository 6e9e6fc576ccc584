import Big from 'big.js';
import type { Fixtures } from '../../config/fixtures.ts';
import { type MinorUnits, toDecimalText, toMinorUnits } from '../../money.ts';
import { Refusal } from '../../refusal.ts';

export type FeeRow = Fixtures['fees']['fees'][number];

/** The fee table's row of a channel (or of `payout`). */
export function feeRow(fixtures: Fixtures, channel: string): FeeRow {
  const row = fixtures.fees.fees.find((fee) => fee.channel === channel);
  if (!row) {
    throw new Refusal('business-rule', `fixtures/fees.json has no row for the channel ${channel}`);
  }
  return row;
}

/**
 * What a payment of an amount costs: the flat fee plus both percentages, in minor units, rounded half up.
 * Source: reference, section 5 (10.00 with three fees of 2 costs 2.40).
 */
export function chargesOn(row: FeeRow, amount: MinorUnits): MinorUnits {
  const percentage = new Big(row.feesMarkUp).plus(row.feesGatewayFee);
  const flat = new Big(row.feesServiceProviderFee).times(100);
  return Number(new Big(amount).times(percentage).div(100).plus(flat).toFixed(0, Big.roundHalfUp));
}

/** Refuses an amount outside the row's limits as a business rule. */
export function checkWithinLimits(row: FeeRow, amount: MinorUnits): void {
  const [minimum, maximum] = [toMinorUnits(row.feesMinAmount), toMinorUnits(row.feesMaxAmount)];
  if (amount < minimum || amount > maximum) {
    const range = `${toDecimalText(minimum)} to ${toDecimalText(maximum)}`;
    throw new Refusal(
      'business-rule',
      `an amount of ${toDecimalText(amount)} is outside ${range}, the limits of ${row.channel}`,
    );
  }
}
