import type { MinorUnits } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Unit } from '../session/unit.ts';
import type { Merchant, Payment, RecurringPayment } from '../shapes/records.ts';
import { addDays, endOfDay, type Instant, startOfDay } from '../time.ts';
import type { Channel } from './channels/channels.ts';
import { checkActivated, findMerchant, profileOf } from './merchants.ts';
import { type Course, checkCurrency, initiatePayment } from './payments/initiate.ts';

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
export async function addRecurringPayment(unit: Unit, order: RecurringOrder): Promise<RecurringPayment> {
  const { merchant, ...facts } = order;
  checkActivated(merchant);
  checkCurrency(unit, order.currency);
  profileOf(merchant, order.profileId);
  const interval = intervalOf(unit, order);
  await ownToken(unit, merchant, order.paymentToken);
  const { localOffset } = unit.fixtures.times;
  if (order.expiryDate < order.startDate) {
    throw new Refusal(
      'business-rule',
      `the expiry date ${order.expiryDate} is before the start date ${order.startDate}`,
    );
  }
  if (endOfDay(order.expiryDate, localOffset) <= unit.now) {
    throw new Refusal('business-rule', `the expiry date ${order.expiryDate} has passed already by the session clock`);
  }
  const recurring: RecurringPayment = {
    id: String(unit.next('recurringPayment')),
    createdAt: unit.now,
    merchantId: merchant.id,
    ...facts,
    intervalDays: interval.paymentIntervalDuration,
    state: 'Active',
    cancelledAt: null,
    charges: 0,
    due: Math.max(unit.now, startOfDay(order.startDate, localOffset)),
  };
  unit.put('recurringPayments', recurring);
  unit.emit('recurring.added', 'recurringPayments', recurring.id);
  return recurring;
}

/** Stops further charges. Throws `unknown-record`, or `conflict` where it is no longer active. */
export async function cancelRecurringPayment(unit: Unit, merchant: Merchant, id: string): Promise<RecurringPayment> {
  const recurring = await unit.get('recurringPayments', id);
  if (recurring?.merchantId !== merchant.id) {
    throw new Refusal('unknown-record', `merchant ${merchant.id} has no recurring payment ${id}`);
  }
  if (recurring.state !== 'Active') {
    throw new Refusal('conflict', `recurring payment ${id} is ${recurring.state} already`);
  }
  const cancelled: RecurringPayment = { ...recurring, state: 'Cancelled', cancelledAt: unit.now, due: null };
  unit.put('recurringPayments', cancelled);
  unit.emit('recurring.cancelled', 'recurringPayments', id);
  return cancelled;
}

/** The channel that charges of a recurring payment go by: that of its token, else the fixture's default for tokens. */
export async function channelOfRecurring(unit: Unit, recurring: RecurringPayment): Promise<Channel> {
  const [token] = await unit.find('paymentTokens', 'token', recurring.paymentToken);
  const channel = unit.fixtures.channel(token?.channel ?? unit.fixtures.channels.tokenChannel);
  if (!channel) {
    throw new Refusal('business-rule', 'fixtures/channels.json has no channel to charge payment tokens on');
  }
  return channel;
}

/**
 * What the agenda does when a recurring payment is due: one charge, a payment of its own, and the next due date. The payer
 * is not asked, so a charge is paid at once unless a scenario's course says otherwise.
 */
export async function chargeRecurringPayment(
  unit: Unit,
  recurring: RecurringPayment,
  channel: Channel,
  course: Course,
): Promise<Payment | undefined> {
  const merchant = await findMerchant(unit, recurring.merchantId);
  if (!merchant || recurring.due === null) {
    return undefined;
  }
  const charges = recurring.charges + 1;
  const next = nextDue(recurring, recurring.due, unit.fixtures.times.localOffset);
  unit.put('recurringPayments', { ...recurring, charges, due: next, state: next === null ? 'Completed' : 'Active' });
  unit.emit('recurring.charged', 'recurringPayments', recurring.id, { charge: charges });
  if (next === null) {
    unit.emit('recurring.completed', 'recurringPayments', recurring.id);
  }
  return initiatePayment(unit, {
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
    course: { settle: { outcome: 'Paid', after: 'PT0S' }, ...course },
  });
}

/** Due dates count from the start date, so that a late first charge does not shift the later ones. */
function nextDue(recurring: RecurringPayment, due: Instant, localOffset: string): Instant | null {
  const start = startOfDay(recurring.startDate, localOffset);
  const passed = Math.floor((due - start) / addDays(0, recurring.intervalDays));
  const next = addDays(start, (passed + 1) * recurring.intervalDays);
  return next < endOfDay(recurring.expiryDate, localOffset) ? next : null;
}

function intervalOf(unit: Unit, order: RecurringOrder) {
  const { paymentIntervals } = unit.fixtures.paymentIntervals;
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

async function ownToken(unit: Unit, merchant: Merchant, token: string): Promise<void> {
  const [record] = await unit.find('paymentTokens', 'token', token);
  if (record?.merchantId !== merchant.id) {
    throw new Refusal(
      'business-rule',
      `merchant ${merchant.id} has no such payment token; get one with POST /api/requestPaymentToken`,
    );
  }
  if (record.expiresAt <= unit.now) {
    throw new Refusal('business-rule', 'the payment token has expired by the session clock');
  }
}
