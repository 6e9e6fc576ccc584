import { addsUpToHundred, type MinorUnits, splitByPercentage } from '../../money.ts';
import { Refusal, refuseFindings } from '../../refusal.ts';
import type { Unit } from '../../session/unit.ts';
import type { Merchant, Payment } from '../../shapes/records.ts';
import { addDuration } from '../../time.ts';
import { type Channel, flowOf } from '../channels/channels.ts';
import { checkActivated, findMerchant, profileOf } from '../merchants.ts';
import { chargesOn, checkWithinLimits, feeRow } from './fees.ts';
import { dueOfPayment } from './payment.ts';
import { begin, type Outcome } from './transitions.ts';

/** The same for most payments, so that keeping many of them keeps it once. */
const NORMAL: Payment['notify'] = Object.freeze({});
const UNDIVIDED: Payment['shares'] = [];

/** What a scenario wants to become of a payment; {} leaves it to the payer. */
export interface Course {
  settle?: { outcome: Outcome; after: string; code?: string | undefined; description?: string | undefined } | undefined;
  /** How the notification is to be delivered. Source: the scenario's `webhook`. */
  notify?: Payment['notify'] | undefined;
}

/** What somebody wants to be paid, whichever door it came in by. */
export interface PaymentOrder {
  environment: Payment['environment'];
  merchant: Merchant;
  origin: Payment['origin'];
  originId: string | null;
  channel: Channel;
  walletName: string;
  amount: MinorUnits;
  currency: string;
  description: string;
  payerName: string;
  payerReference: string;
  payerAccountId: number | null;
  profileId: number | null;
  payerMobile: string | null;
  /** Receivers by percentage; empty for a single payment. */
  split: readonly { merchantId: string; percentage: number }[];
  /** Fills the payment's token instead of the flow's own. */
  paymentToken?: string;
  course: Course;
}

/**
 * The channel that a walletName means; upper and lower case are the same. Throws `invalid-field` naming the known names.
 * Source: reference, section 2.
 */
export function channelByWalletName(unit: Unit, walletName: string, path = '$.walletName'): Channel {
  const channel = unit.fixtures.channelByName(walletName);
  if (!channel) {
    const names = unit.fixtures.channels.channels.flatMap(({ names: [first] }) => first ?? []);
    const expected = `one of ${names.join(', ')} (fixtures/channels.json has them all)`;
    throw refuseFindings([{ path, expected, received: JSON.stringify(walletName.slice(0, 60)), severity: 'error' }]);
  }
  return channel;
}

/** Checks the business rules and keeps a payment in its first state. Refuses with `business-rule` or `merchant-not-activated`. */
export async function initiatePayment(unit: Unit, order: PaymentOrder): Promise<Payment> {
  const { merchant, channel } = order;
  checkActivated(merchant);
  checkCurrency(unit, order.currency);
  const profile = order.profileId === null ? undefined : profileOf(merchant, order.profileId);
  const fees = feeRow(unit.fixtures, channel.id);
  checkWithinLimits(fees, order.amount);
  const shares = await divide(unit, order);
  const expiresAt = addDuration(unit.now, channel.lifetime);
  const references = await flowOf(channel).references(unit, {
    merchantId: merchant.id,
    payerReference: order.payerReference,
    expiresAt,
    nodeSuffix: channel.nodeSuffix ?? '',
  });
  const course = profile?.mode === 'test' ? { ...testModeCourse(channel), ...order.course } : order.course;
  const settlement = planSettlement(unit, course);
  const payment: Payment = {
    id: `payment-${unit.next('payment')}`,
    createdAt: unit.now,
    environment: order.environment,
    merchantId: merchant.id,
    origin: order.origin,
    originId: order.originId,
    channel: channel.id,
    walletName: order.walletName,
    amount: order.amount,
    charges: chargesOn(fees, order.amount),
    currency: order.currency,
    description: order.description,
    payerName: order.payerName,
    payerReference: order.payerReference,
    payerAccountId: order.payerAccountId,
    profileId: order.profileId,
    payerMobile: order.payerMobile,
    shares,
    ...references,
    paymentToken: order.paymentToken ?? references.paymentToken,
    state: 'Processing',
    expiresAt,
    failedTries: 0,
    settlement,
    due: dueOfPayment({ settlement, expiresAt }),
    notify: course.notify ?? NORMAL,
    history: begin(unit.now, order.origin === 'link' ? 'payer' : 'merchant'),
    answer: null,
  };
  unit.put('payments', payment);
  unit.emit('payment.created', 'payments', payment.id);
  return payment;
}

/** A scenario's settlement, as an instant of the session's clock. */
export function planSettlement(unit: Unit, course: Course): Payment['settlement'] {
  const { settle } = course;
  if (!settle) {
    return null;
  }
  const { outcome, after, code = null, description = null } = settle;
  return { outcome, at: addDuration(unit.now, after), code, description };
}

/** Refuses a currency that the fixture does not have. */
export function checkCurrency(unit: Unit, code: string): void {
  const known = unit.fixtures.currencies.currencies.map(({ currencyCode }) => currencyCode);
  if (!known.includes(code)) {
    throw new Refusal('business-rule', `the currency ${code} is not known; known are ${known.join(', ')}`);
  }
}

/** Nobody can open a page for a card in test mode: it is processed at once, as the fixture says. */
function testModeCourse(channel: Channel): Course {
  return channel.testMode ? { settle: channel.testMode.settle } : {};
}

async function divide(unit: Unit, order: PaymentOrder): Promise<Payment['shares']> {
  const { split, amount } = order;
  if (split.length === 0) {
    return UNDIVIDED;
  }
  const percentages = split.map(({ percentage }) => percentage);
  if (!addsUpToHundred(percentages)) {
    throw new Refusal('business-rule', `the percentages ${percentages.join(' + ')} do not add up to 100`);
  }
  for (const { merchantId } of split) {
    const receiver = await findMerchant(unit, merchantId);
    if (!receiver?.approved) {
      const why = receiver ? 'is not approved' : 'is not known';
      throw new Refusal(
        'business-rule',
        `merchant ${merchantId} ${why} and cannot receive a share (merchants.json says who can)`,
      );
    }
  }
  const amounts = splitByPercentage(amount, percentages);
  return split.map(({ merchantId, percentage }, index) => ({ merchantId, percentage, amount: amounts[index] ?? 0 }));
}
