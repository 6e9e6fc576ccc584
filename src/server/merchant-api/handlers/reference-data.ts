import { toDecimalNumber, toMinorUnits } from '../../../base/money.ts';
import type { FeesCalculationRequest } from '../../../base/schema/generated/requests.ts';
import type { FeesResponse } from '../../../base/schema/generated/responses.ts';
import { sumOfFees } from '../../domain/books/ledger/accounts.ts';
import { BrokenRules, inTermsOf, throwIfBroken } from '../../domain/broken-rules.ts';
import { computeFees, feesInForce, missingFeesRule, validateLimits } from '../../domain/payments/fees.ts';
import type { Reader } from '../../sessions/reader.ts';
import { requireChannel } from '../field-checks.ts';
import type { Call, HandlerResult } from '../operation.ts';

/** The intervals of the fixtures; the shipped ones are the five of INTERFACE.md, "Payment interval". */
export function listPaymentIntervals(_call: Call, reader: Reader): HandlerResult {
  return { answer: reader.fixtures.paymentIntervals.paymentIntervals };
}

export function listCurrencies(_call: Call, reader: Reader): HandlerResult {
  return { answer: reader.fixtures.currencies.currencies };
}

export function listBanks(_call: Call, reader: Reader): HandlerResult {
  return { answer: reader.fixtures.banks.banks };
}

/** The request's name for each member that fees depend on, for refusals. */
const NAMES = { channel: 'paymentMethod', amount: 'paymentAmount', currency: 'paymentCurrency' };

/** The costs of a payment on a channel: the fee table's row and the total. Source: reference, section 5. */
export function calculateFees(call: Call<FeesCalculationRequest>, reader: Reader): HandlerResult {
  return inTermsOf(call.body, NAMES, () => feesFor(call, reader));
}

function feesFor({ body, merchant }: Call<FeesCalculationRequest>, reader: Reader): HandlerResult {
  const { paymentMethod, paymentAmount, paymentCurrency } = body;
  const { fixtures, now } = reader;
  const { currencies } = fixtures.currencies;
  const { id: channel } = requireChannel(reader, paymentMethod, 'paymentMethod');
  const amount = toMinorUnits(paymentAmount);
  if (!currencies.some(({ id }) => id === paymentCurrency)) {
    const known = currencies.map(({ id, currencyCode }) => `${id} (${currencyCode})`).join(', ');
    const expected = `the id of a currency: ${known}`;
    throw new BrokenRules([{ path: '$.currency', expected, value: paymentCurrency }]);
  }
  const fees = feesInForce(fixtures, { channel, currencyId: paymentCurrency, merchantId: merchant?.id, at: now });
  if ('remark' in fees) {
    throw new BrokenRules([missingFeesRule('$.currency', channel, paymentCurrency, fees.remark)]);
  }
  const { channel: _, ...row } = fees.row;
  throwIfBroken(validateLimits(fees.row, amount, '$.amount'));
  const answer: FeesResponse = {
    ...row,
    feeTotalToBePaid: toDecimalNumber(amount + sumOfFees(computeFees(fees.row, amount))),
  };
  return { answer };
}
