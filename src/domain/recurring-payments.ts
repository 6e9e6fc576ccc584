import type { MinorUnits } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Merchant, Payment, RecurringPayment } from '../schema/records.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { addDays, endOfDay, type Instant, startOfDay } from '../time.ts';
import type { Channel } from './channels/channels.ts';
import { checkActivated, findMerchant, profileOf } from './merchants.ts';
import { checkCurrency, initiatePayment, type SettlementPlan } from './payments/initiate.ts';

export interface RecurringOrder {
  environment: RecurringPayment['environment'];
  merchant: Merchant;
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

/** Keeps an order to charge a payment token; its first charge falls on the start date (at once, where that has passed). */
export async function addRecurringPayment(transaction: Transaction, order: RecurringOrder): Promise<RecurringPayment> {
  const { merchant, ...facts } = order;
  checkActivated(merchant);
  checkCurrency(transaction, order.currency);
  profileOf(merchant, order.profileId);
  const interval = intervalOf(transaction, order);
  await ownToken(transaction, merchant, order.paymentToken);
  const { localOffset } = transaction.fixtures.times;
  if (order.expiryDate < order.startDate) {
    throw new Refusal(
      'business-rule',
      `the expiry date ${order.expiryDate} is before the start date ${order.startDate}`,
    );
  }
  if (endOfDay(order.expiryDate, localOffset) <= transaction.now) {
    throw new Refusal('business-rule', `the expiry date ${order.expiryDate} has passed already by the session clock`);
  }
  const recurring: RecurringPayment = {
    id: String(transaction.next('recurringPayment')),
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    intervalDays: interval.paymentIntervalDuration,
    state: 'Active',
    cancelledAt: null,
    failure: null,
    charges: 0,
    dueAt: Math.max(transaction.now, startOfDay(order.startDate, localOffset)),
  };
  transaction.put('recurringPayments', recurring);
  transaction.emit('recurring.added', 'recurringPayments', recurring.id);
  return recurring;
}

/** Stops further charges. Throws `unknown-record`, or `conflict` where it is no longer active. */
export async function cancelRecurringPayment(
  transaction: Transaction,
  merchant: Merchant,
  id: string,
): Promise<RecurringPayment> {
  const recurring = await transaction.get('recurringPayments', id);
  if (recurring?.merchantId !== merchant.id) {
    throw new Refusal('unknown-record', `merchant ${merchant.id} has no recurring payment ${id}`);
  }
  if (recurring.state !== 'Active') {
    throw new Refusal('conflict', `recurring payment ${id} is ${recurring.state} already`);
  }
  const cancelled: RecurringPayment = { ...recurring, state: 'Cancelled', cancelledAt: transaction.now, dueAt: null };
  transaction.put('recurringPayments', cancelled);
  transaction.emit('recurring.cancelled', 'recurringPayments', id);
  return cancelled;
}

/** The channel that charges of a recurring payment go by: that of its token, else the fixture's default for tokens. */
export async function channelOfRecurring(transaction: Transaction, recurring: RecurringPayment): Promise<Channel> {
  const [token] = await transaction.find('paymentTokens', 'token', recurring.paymentToken);
  const channel = transaction.fixtures.channel(token?.channel ?? transaction.fixtures.channels.tokenChannel);
  if (!channel) {
    throw new Refusal('business-rule', 'fixtures/channels.json has no channel to charge payment tokens on');
  }
  return channel;
}

/**
 * A recurring payment that is due: one charge, a payment of its own, and the next due date. The payer
 * is not asked, so a charge is paid at once unless a scenario's settlementPlan says otherwise.
 */
export async function chargeRecurringPayment(
  transaction: Transaction,
  recurring: RecurringPayment,
  channel: Channel,
  settlementPlan: SettlementPlan,
): Promise<Payment | undefined> {
  const merchant = await findMerchant(transaction, recurring.merchantId);
  if (!merchant || recurring.dueAt === null) {
    return undefined;
  }
  const charges = recurring.charges + 1;
  const next = nextDue(recurring, recurring.dueAt, transaction.fixtures.times.localOffset);
  transaction.put('recurringPayments', {
    ...recurring,
    charges,
    dueAt: next,
    state: next === null ? 'Completed' : 'Active',
  });
  transaction.emit('recurring.charged', 'recurringPayments', recurring.id, { charge: charges });
  if (next === null) {
    transaction.emit('recurring.completed', 'recurringPayments', recurring.id);
  }
  return initiatePayment(transaction, {
    environment: recurring.environment,
    merchant,
    origin: 'recurring',
    originId: recurring.id,
    channel,
    walletName: channel.names[0] ?? channel.id,
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
    settlementPlan: { settle: { outcome: 'Paid', after: 'PT0S' }, ...settlementPlan },
  });
}

/** A charge could not be made: nothing more is charged, and the record, an event and the log say why. */
export function failRecurringPayment(transaction: Transaction, recurring: RecurringPayment, reason: string): void {
  const failure = { at: transaction.now, reason };
  transaction.put('recurringPayments', { ...recurring, state: 'Failed', failure, dueAt: null });
  transaction.emit('recurring.failed', 'recurringPayments', recurring.id, { reason });
}

/** Due dates count from the start date, so that a late first charge does not shift the later ones. */
function nextDue(recurring: RecurringPayment, dueAt: Instant, localOffset: string): Instant | null {
  const start = startOfDay(recurring.startDate, localOffset);
  const passed = Math.floor((dueAt - start) / addDays(0, recurring.intervalDays));
  const next = addDays(start, (passed + 1) * recurring.intervalDays);
  return next < endOfDay(recurring.expiryDate, localOffset) ? next : null;
}

function intervalOf(transaction: Transaction, order: RecurringOrder) {
  const { paymentIntervals } = transaction.fixtures.paymentIntervals;
  const interval = paymentIntervals.find(({ id }) => id === order.intervalId);
  if (!interval || interval.paymentIntervalName.toLowerCase() !== order.intervalName.toLowerCase()) {
    const known = paymentIntervals.map(({ id, paymentIntervalName }) => `${id} ${paymentIntervalName}`).join(', ');
    throw new Refusal(
      'business-rule',
      `there is no interval ${order.intervalId} ${order.intervalName}; there are ${known}`,
    );
  }
  return interval;
}

async function ownToken(transaction: Transaction, merchant: Merchant, token: string): Promise<void> {
  const [record] = await transaction.find('paymentTokens', 'token', token);
  if (record?.merchantId !== merchant.id) {
    throw new Refusal(
      'business-rule',
      `merchant ${merchant.id} has no such payment token; get one with POST /api/requestPaymentToken`,
    );
  }
  if (record.expiresAt <= transaction.now) {
    throw new Refusal('business-rule', 'the payment token has expired by the session clock');
  }
}
