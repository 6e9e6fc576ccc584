import { toDecimalNumber, toMinorUnits } from '../../money.ts';
import { Refusal } from '../../refusal.ts';
import type { Unit } from '../../session/unit.ts';
import type { FeesCalculationRequest } from '../../shapes/requests.ts';
import type { FeesResponse } from '../../shapes/responses.ts';
import { chargesOn, checkWithinLimits, feeRow } from '../../world/payments/fees.ts';
import { channelByWalletName } from '../../world/payments/initiate.ts';
import type { Call, Outcome } from '../operation.ts';

/** The five intervals of INTERFACE.md, "Payment interval". */
export async function listPaymentIntervals(_call: Call, unit: Unit): Promise<Outcome> {
  return { answer: unit.fixtures.paymentIntervals.paymentIntervals };
}

export async function listCurrencies(_call: Call, unit: Unit): Promise<Outcome> {
  return { answer: unit.fixtures.currencies.currencies };
}

export async function listBanks(_call: Call, unit: Unit): Promise<Outcome> {
  return { answer: unit.fixtures.banks.banks };
}

/** What a payment of an amount costs on a channel: the fee table's row and the total. Source: reference, section 5. */
export async function calculateFees(call: Call<FeesCalculationRequest>, unit: Unit): Promise<Outcome> {
  const { paymentMethod, paymentAmount, paymentCurrency } = call.body;
  const { currencies } = unit.fixtures.currencies;
  if (!currencies.some(({ id }) => id === paymentCurrency)) {
    const known = currencies.map(({ id, currencyCode }) => `${id} ${currencyCode}`).join(', ');
    throw new Refusal('business-rule', `there is no currency with id ${paymentCurrency}; there are ${known}`);
  }
  const { channel, ...row } = feeRow(unit.fixtures, channelByWalletName(unit, paymentMethod, '$.paymentMethod').id);
  const amount = toMinorUnits(paymentAmount);
  checkWithinLimits({ channel, ...row }, amount);
  const answer: FeesResponse = {
    ...row,
    feeTotalToBePaid: toDecimalNumber(amount + chargesOn({ channel, ...row }, amount)),
  };
  return { answer };
}
