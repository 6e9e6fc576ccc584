import { addsUpToHundred, type MinorUnits, splitByPercentage } from '../../money.ts';
import { Refusal, refuseFindings } from '../../refusal.ts';
import type { Merchant, Payment } from '../../schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { addDuration } from '../../time.ts';
import { type Channel, flowOf } from '../channels/channels.ts';
import { checkActivated, findMerchant, profileOf } from '../merchants.ts';
import { chargesOn, checkWithinLimits, feeRow } from './fees.ts';
import { dueOfPayment } from './payment.ts';
import { begin, type Outcome } from './transitions.ts';

/** The same for most payments, so that keeping many of them keeps it once. */
const NORMAL: Payment['webhookBehaviour'] = Object.freeze({ mode: 'normal' });
const UNDIVIDED: Payment['shares'] = [];

/** What a scenario wants to become of a payment; {} leaves it to the payer. */
export interface SettlementPlan {
  settle?: { outcome: Outcome; after: string; code?: string | undefined; description?: string | undefined } | undefined;
  /** How the notification is to be delivered. Source: the scenario's `webhook`. */
  webhookBehaviour?: Payment['webhookBehaviour'] | undefined;
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
  settlementPlan: SettlementPlan;
}

/**
 * The channel that a walletName means; upper and lower case are the same. Throws `invalid-field` naming the known names.
 * Source: reference, section 2.
 */
export function channelByWalletName(reader: Reader, walletName: string, path = '$.walletName'): Channel {
  const channel = reader.fixtures.channelByName(walletName);
  if (!channel) {
    const names = reader.fixtures.channels.channels.flatMap(({ names: [first] }) => first ?? []);
    const expected = `one of ${names.join(', ')} (fixtures/channels.json has them all)`;
    throw refuseFindings([{ path, expected, received: JSON.stringify(walletName.slice(0, 60)), severity: 'error' }]);
  }
  return channel;
}

/** Checks the business rules and keeps a payment in its first state. Refuses with `business-rule` or `merchant-not-activated`. */
export async function initiatePayment(transaction: Transaction, order: PaymentOrder): Promise<Payment> {
  const { merchant, channel } = order;
  checkActivated(merchant);
  checkCurrency(transaction, order.currency);
  const profile = order.profileId === null ? undefined : profileOf(merchant, order.profileId);
  const fees = feeRow(transaction.fixtures, channel.id);
  checkWithinLimits(fees, order.amount);
  const shares = await divide(transaction, order);
  const expiresAt = addDuration(transaction.now, channel.lifetime);
  const references = await flowOf(channel).references(transaction, {
    merchantId: merchant.id,
    payerReference: order.payerReference,
    expiresAt,
    nodeSuffix: channel.nodeSuffix ?? '',
  });
  const settlementPlan =
    profile?.mode === 'test' ? { ...testModePlan(channel), ...order.settlementPlan } : order.settlementPlan;
  const settlement = planSettlement(transaction, settlementPlan);
  const payment: Payment = {
    id: `payment-${transaction.next('payment')}`,
    createdAt: transaction.now,
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
    dueAt: dueOfPayment({ settlement, expiresAt }),
    webhookBehaviour: settlementPlan.webhookBehaviour ?? NORMAL,
    history: begin(transaction.now, order.origin === 'link' ? 'payer' : 'merchant'),
    answer: null,
  };
  transaction.put('payments', payment);
  transaction.emit('payment.created', 'payments', payment.id);
  return payment;
}

/** A scenario's settlement, as an instant of the session's clock. */
export function planSettlement(transaction: Transaction, settlementPlan: SettlementPlan): Payment['settlement'] {
  const { settle } = settlementPlan;
  if (!settle) {
    return null;
  }
  const { outcome, after, code = null, description = null } = settle;
  return { outcome, at: addDuration(transaction.now, after), code, description };
}

/** Refuses a currency that the fixture does not have. */
export function checkCurrency(transaction: Transaction, code: string): void {
  const known = transaction.fixtures.currencies.currencies.map(({ currencyCode }) => currencyCode);
  if (!known.includes(code)) {
    throw new Refusal('business-rule', `the currency ${code} is not known; known are ${known.join(', ')}`);
  }
}

/** Nobody can open a page for a card in test mode: it is processed at once, as the fixture says. */
function testModePlan(channel: Channel): SettlementPlan {
  return channel.testMode ? { settle: channel.testMode.settle } : {};
}

async function divide(transaction: Transaction, order: PaymentOrder): Promise<Payment['shares']> {
  const { split, amount } = order;
  if (split.length === 0) {
    return UNDIVIDED;
  }
  const percentages = split.map(({ percentage }) => percentage);
  if (!addsUpToHundred(percentages)) {
    throw new Refusal('business-rule', `the percentages ${percentages.join(' + ')} do not add up to 100`);
  }
  for (const { merchantId } of split) {
    const receiver = await findMerchant(transaction, merchantId);
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
