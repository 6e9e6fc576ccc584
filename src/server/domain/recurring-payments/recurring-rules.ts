import type { MinorUnits } from '../../../base/money.ts';
import type { Merchant, PaymentToken, RecurringPayment } from '../../../base/schema/generated/records.ts';
import { endOfDay, formatUtc, type Instant } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type BrokenRule, BrokenRules } from '../broken-rules.ts';
import { validateProfile } from '../merchants/merchants.ts';
import { channelOfToken, findToken, isChargeable, paymentOfToken } from '../payment-tokens/payment-tokens.ts';
import { findFees, validateCurrency } from '../payments/fees.ts';

export interface RecurringOrder {
  environment: RecurringPayment['environment'];
  /** Undefined if the merchant in the request is unknown. */
  merchant: Merchant | undefined;
  intervalId: number;
  intervalName: string;
  paymentToken: string;
  reference: string;
  description: string;
  startDate: string;
  expiryDate: string;
  currency: string;
  amount: MinorUnits;
  profileId: number;
  accountId: number;
}

type Interval = Fixtures['paymentIntervals']['paymentIntervals'][number];

/** Throws `business-rule` with all the rules that the order breaks, as far as they can be checked before the first charge. */
export function checkRecurringOrder(
  reader: Reader,
  order: RecurringOrder,
  firstChargeAt: Instant,
): { merchant: Merchant; interval: Interval; token: PaymentToken } {
  const { merchant } = order;
  const { paymentIntervals } = reader.fixtures.paymentIntervals;
  const interval = paymentIntervals.find(({ id }) => id === order.intervalId);
  const token = findToken(reader, order.paymentToken);
  const brokenRules = [
    ...(merchant ? [] : [UNKNOWN_MERCHANT]),
    ...validateInterval(paymentIntervals, interval, order),
    ...validateDates(reader, order),
    ...(merchant ? validateProfile(merchant, order.profileId) : []),
    ...(merchant
      ? validateCharge(reader, { merchant, order, token, firstChargeAt })
      : validateCurrency(reader.fixtures, order.currency)),
  ];
  if (!merchant || !interval || !token || brokenRules.length > 0) {
    throw new BrokenRules(brokenRules);
  }
  return { merchant, interval, token };
}

const UNKNOWN_MERCHANT: BrokenRule = {
  path: '$.merchant',
  expected: 'a merchant that has authenticated before',
  value: undefined,
};

function validateInterval(
  intervals: readonly Interval[],
  interval: Interval | undefined,
  { intervalId, intervalName }: RecurringOrder,
): BrokenRule[] {
  if (!interval) {
    const intervalNames = intervals.map(({ id, paymentIntervalName }) => `${id} (${paymentIntervalName})`).join(', ');
    return [{ path: '$.intervalId', expected: `the id of an interval: ${intervalNames}`, value: intervalId }];
  }
  const name = interval.paymentIntervalName;
  return name.toLowerCase() === intervalName.toLowerCase()
    ? []
    : [
        {
          path: '$.intervalName',
          expected: `${name}, the name of interval ${intervalId}`,
          value: intervalName,
          involves: ['$.intervalId'],
        },
      ];
}

function validateDates({ fixtures, now }: Reader, { startDate, expiryDate }: RecurringOrder): BrokenRule[] {
  const rule = { path: '$.expiryDate', value: expiryDate, involves: ['$.startDate'] };
  if (expiryDate < startDate) {
    return [{ ...rule, expected: `a day not before the start date ${startDate}` }];
  }
  return endOfDay(expiryDate, fixtures.times.localOffset) <= now
    ? [{ ...rule, expected: 'a day in the future', remark: 'which has passed by the session clock' }]
    : [];
}

interface FirstCharge {
  merchant: Merchant;
  order: RecurringOrder;
  /** Undefined if the token in the request is unknown. */
  token: PaymentToken | undefined;
  firstChargeAt: Instant;
}

/** Checks the token, and the fees of its channel on the day of the first charge. */
function validateCharge(reader: Reader, { merchant, order, token, firstChargeAt }: FirstCharge): BrokenRule[] {
  if (token?.merchantId !== merchant.id) {
    const expected = `a payment token of merchant ${merchant.id}, from POST /api/requestPaymentToken`;
    const unknown = { path: '$.paymentToken', expected, value: order.paymentToken, remark: 'which it does not have' };
    return [unknown, ...validateCurrency(reader.fixtures, order.currency)];
  }
  const { brokenRules } = findFees(reader.fixtures, {
    channel: channelOfToken(reader, token).id,
    merchantId: merchant.id,
    currency: order.currency,
    amount: order.amount,
    amountPath: '$.amount',
    at: firstChargeAt,
  });
  return [...validateToken(reader, order, token), ...brokenRules];
}

function validateToken(
  reader: Reader,
  { environment, paymentToken: value }: RecurringOrder,
  token: PaymentToken,
): BrokenRule[] {
  const path = '$.paymentToken';
  const brokenRules: BrokenRule[] = [];
  if (token.environment !== environment) {
    const expected = `a payment token of the ${environment} environment`;
    brokenRules.push({ path, expected, value, remark: `which is a ${token.environment} token` });
  }
  if (token.expiresAt <= reader.now) {
    const remark = `which expired at ${formatUtc(token.expiresAt)}`;
    brokenRules.push({ path, expected: 'a payment token that has not expired', value, remark });
  }
  const tokenPayment = paymentOfToken(reader, token);
  if (tokenPayment && !isChargeable(tokenPayment) && tokenPayment.state !== 'Processing') {
    const remark = `which came with a payment that is ${tokenPayment.state}`;
    brokenRules.push({ path, expected: 'a payment token whose own payment was paid', value, remark });
  }
  return brokenRules;
}
