import { toDecimalText } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Merchant, Payment, PaymentToken, RecurringPayment } from '../../../base/schema/generated/records.ts';
import { addDays, endOfDay, type Instant, startOfDay } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import type { Channel } from '../channels/channels.ts';
import { checkMayTrade, findMerchant } from '../merchants/merchants.ts';
import {
  channelOfToken,
  findToken,
  isChargeable,
  paymentOfToken,
  requestPaymentToken,
  withMinimumExpiry,
} from '../payment-tokens/payment-tokens.ts';
import { initiatePayment, type OutcomePlan } from '../payments/initiate-payment.ts';
import { checkRecurringOrder, type RecurringOrder } from './recurring-rules.ts';

/**
 * Stores an order to charge a payment token. The first charge is on the start date, or at once if that has begun. Throws
 * `business-rule` with all the rules that the order breaks, or `merchant-not-activated`.
 */
export function addRecurringPayment(transaction: Transaction, requested: RecurringOrder): RecurringPayment {
  if (requested.merchant) {
    checkMayTrade(requested.merchant);
  }
  const order = replaceTestToken(transaction, requested);
  const { merchant: _, ...facts } = order;
  const { localOffset } = transaction.fixtures.times;
  const firstChargeAt = Math.max(transaction.now, startOfDay(order.startDate, localOffset));
  const { merchant, interval, token } = checkRecurringOrder(transaction, order, firstChargeAt);
  const recurring: RecurringPayment = {
    id: idOf('recurringPayments', transaction.next('recurringPayment')),
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    intervalDays: interval.paymentIntervalDuration,
    state: 'Active',
    cancelledAt: null,
    failure: null,
    charges: 0,
    dueAt: firstChargeAt,
  };
  transaction.put('recurringPayments', recurring);
  transaction.put('paymentTokens', withMinimumExpiry(token, endOfDay(order.expiryDate, localOffset)));
  transaction.emit('recurring.added', 'recurringPayments', recurring.id, factsOf(recurring));
  return recurring;
}

/** Replaces the test token by a new token of the merchant, because the test token belongs to no merchant and cannot be charged. */
function replaceTestToken(transaction: Transaction, order: RecurringOrder): RecurringOrder {
  const { merchant, environment, paymentToken, reference } = order;
  if (!merchant || paymentToken !== transaction.fixtures.channels.testToken) {
    return order;
  }
  const token = requestPaymentToken(transaction, merchant, { environment, reference, channel: null, walletName: null });
  return { ...order, paymentToken: token.token };
}

/**
 * Stops further charges. Throws `unknown-record` if the merchant has no such recurring payment in the environment, `conflict` if it is
 * not active.
 */
export function cancelRecurringPayment(
  transaction: Transaction,
  merchant: Merchant,
  environment: RecurringPayment['environment'],
  id: string,
): RecurringPayment {
  const recurring = transaction.get('recurringPayments', id);
  if (recurring?.merchantId !== merchant.id) {
    throw new Refusal('unknown-record', `merchant ${merchant.id} has no recurring payment ${id}`);
  }
  if (recurring.environment !== environment) {
    const description = `is a ${recurring.environment} recurring payment`;
    throw new Refusal(
      'unknown-record',
      `recurring payment ${id} ${description} and cannot be cancelled by a ${environment} route`,
    );
  }
  if (recurring.state !== 'Active') {
    throw new Refusal('conflict', `recurring payment ${id} is already ${recurring.state}`);
  }
  const cancelled: RecurringPayment = { ...recurring, state: 'Cancelled', cancelledAt: transaction.now, dueAt: null };
  transaction.put('recurringPayments', cancelled);
  transaction.emit('recurring.cancelled', 'recurringPayments', id, factsOf(cancelled));
  return cancelled;
}

function factsOf({ reference, amount, currency }: RecurringPayment) {
  return { reference, amount: toDecimalText(amount), currency };
}

export function channelOfRecurring(transaction: Transaction, recurring: RecurringPayment): Channel {
  return channelOfToken(transaction, findToken(transaction, recurring.paymentToken));
}

/**
 * Charges a due recurring payment: creates a payment, and sets the next due date. The payer is not asked, so a charge is paid at once
 * unless the scenario plans another outcome. Throws a Refusal, without changes, if the charge cannot be made.
 */
export function chargeRecurringPayment(
  transaction: Transaction,
  recurring: RecurringPayment,
  channel: Channel,
  outcomePlan: OutcomePlan,
): Payment {
  if (recurring.dueAt === null) {
    throw new Refusal('conflict', `recurring payment ${recurring.id} is already ${recurring.state}`);
  }
  const merchant = findMerchant(transaction, recurring.merchantId);
  if (!merchant) {
    throw new Refusal('business-rule', `merchant ${recurring.merchantId} is no longer known`);
  }
  const token = chargeableToken(transaction, recurring);
  const payment = initiatePayment(transaction, {
    environment: recurring.environment,
    merchant,
    origin: 'recurring',
    originId: recurring.id,
    channel,
    walletName: token.walletName ?? channel.names[0] ?? channel.id,
    amount: recurring.amount,
    currency: recurring.currency,
    description: recurring.description,
    payerName: '',
    payerReference: recurring.reference,
    payerAccountId: recurring.accountId,
    profileId: recurring.profileId,
    payerMobile: null,
    split: [],
    paymentToken: recurring.paymentToken,
    outcomePlan: { ...outcomePlan, settle: outcomePlan.settle ?? { outcome: 'Paid', after: 'PT0S' } },
  });
  const charges = recurring.charges + 1;
  const dueAt = nextDue(recurring, recurring.dueAt, transaction.fixtures.times.localOffset);
  const state = dueAt === null ? 'Completed' : 'Active';
  transaction.put('recurringPayments', { ...recurring, charges, dueAt, state });
  transaction.emit('recurring.charged', 'recurringPayments', recurring.id, {
    ...factsOf(recurring),
    charge: charges,
    payment: payment.id,
  });
  if (dueAt === null) {
    transaction.emit('recurring.completed', 'recurringPayments', recurring.id, factsOf(recurring));
  }
  return payment;
}

/** Ends a recurring payment whose charge could not be made. */
export function failRecurringPayment(transaction: Transaction, recurring: RecurringPayment, reason: string): void {
  const failure = { at: transaction.now, reason };
  transaction.put('recurringPayments', { ...recurring, state: 'Failed', failure, dueAt: null });
  transaction.emit('recurring.failed', 'recurringPayments', recurring.id, { ...factsOf(recurring), reason });
}

/** Due dates count from the start date, so that a late first charge does not shift the later ones. */
function nextDue(recurring: RecurringPayment, dueAt: Instant, localOffset: string): Instant | null {
  const start = startOfDay(recurring.startDate, localOffset);
  const elapsedIntervals = Math.floor((dueAt - start) / addDays(0, recurring.intervalDays));
  const next = addDays(start, (elapsedIntervals + 1) * recurring.intervalDays);
  return next < endOfDay(recurring.expiryDate, localOffset) ? next : null;
}

/** Throws `business-rule` with the reason if the token cannot be charged. */
function chargeableToken(transaction: Transaction, recurring: RecurringPayment): PaymentToken {
  const token = findToken(transaction, recurring.paymentToken);
  if (!token) {
    throw new Refusal('business-rule', 'the payment token is no longer known');
  }
  if (token.expiresAt <= transaction.now) {
    throw new Refusal('business-rule', 'the payment token expired');
  }
  const tokenPayment = paymentOfToken(transaction, token);
  if (tokenPayment && !isChargeable(tokenPayment)) {
    throw new Refusal('business-rule', `the payment made with the payment token is ${tokenPayment.state}, not Paid`);
  }
  return token;
}
