import { chargesOn, checkWithinLimits, feeRow } from '../../domain/payments/fees.ts';
import { channelByWalletName } from '../../domain/payments/initiate.ts';
import { toDecimalNumber, toMinorUnits } from '../../money.ts';
import { Refusal } from '../../refusal.ts';
import type { FeesCalculationRequest } from '../../schema/requests.ts';
import type { FeesResponse } from '../../schema/responses.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Call, Outcome } from '../operation.ts';

/** The five intervals of INTERFACE.md, "Payment interval". */
export async function listPaymentIntervals(_call: Call, reader: Reader): Promise<Outcome> {
  return { answer: reader.fixtures.paymentIntervals.paymentIntervals };
}

export async function listCurrencies(_call: Call, reader: Reader): Promise<Outcome> {
  return { answer: reader.fixtures.currencies.currencies };
}

export async function listBanks(_call: Call, reader: Reader): Promise<Outcome> {
  return { answer: reader.fixtures.banks.banks };
}

/** What a payment of an amount costs on a channel: the fee table's row and the total. Source: reference, section 5. */
export async function calculateFees(call: Call<FeesCalculationRequest>, reader: Reader): Promise<Outcome> {
  const { paymentMethod, paymentAmount, paymentCurrency } = call.body;
  const { currencies } = reader.fixtures.currencies;
  if (!currencies.some(({ id }) => id === paymentCurrency)) {
    const known = currencies.map(({ id, currencyCode }) => `${id} ${currencyCode}`).join(', ');
    throw new Refusal('business-rule', `there is no currency with id ${paymentCurrency}; there are ${known}`);
  }
  const { channel, ...row } = feeRow(reader.fixtures, channelByWalletName(reader, paymentMethod, '$.paymentMethod').id);
  const amount = toMinorUnits(paymentAmount);
  checkWithinLimits({ channel, ...row }, amount);
  const answer: FeesResponse = {
    ...row,
    feeTotalToBePaid: toDecimalNumber(amount + chargesOn({ channel, ...row }, amount)),
  };
  return { answer };
}
