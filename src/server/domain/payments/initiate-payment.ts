import { type MinorUnits, splitByPercentage, sumOfPercentages, toMinorUnits } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Merchant, Payment } from '../../../base/schema/generated/records.ts';
import { addDuration, formatUtc } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import { type BrokenRule, BrokenRules } from '../broken-rules.ts';
import { type Channel, flowOf } from '../channels/channels.ts';
import { checkMayTrade, profileOf, validateProfile, validateReceiver } from '../merchants/merchants.ts';
import { inactiveReason } from '../payment-links/payment-links.ts';
import { type AdjustmentRule, planAdjustments } from './adjustments.ts';
import { computeFees, type FeeRow, findFees } from './fees.ts';
import { type LateOutcomeRule, planLateOutcome } from './late-outcome.ts';
import { dueOfPayment, factsOf } from './payment.ts';
import { beginHistory, type DecidedState } from './transitions.ts';

const PAYER_ORIGINS: ReadonlySet<Payment['origin']> = new Set(['link', 'shop-code']);

/** Objects that most payments share, to save memory. */
const NORMAL_DELIVERY: Payment['webhookBehaviour'] = Object.freeze({ mode: 'normal' });
const NO_SHARES: Payment['shares'] = [];

/** {} plans no outcome: the payer, the origin of the payment or the fixtures decide. */
export interface OutcomePlan {
  /** `after` is an ISO 8601 duration. Default: no planned outcome. Source: the scenario's `settle`. */
  settle?:
    | { outcome: DecidedState; after: string; code?: string | undefined; description?: string | undefined }
    | undefined;
  adjustments?: readonly AdjustmentRule[] | undefined;
  lateOutcome?: LateOutcomeRule | undefined;
  /** The rule or fixture that made this plan. */
  decidedBy?: string | undefined;
  /** The payer's balance, as a decimal. */
  balance?: string | undefined;
  /** The delivery of the notification. Source: the scenario's `webhook`. */
  webhookBehaviour?: Payment['webhookBehaviour'] | undefined;
  /** Default: the session's behaviour. */
  behaviour?: string | undefined;
  /** Whether a payout fails if it exceeds the balance owed to its merchant. Default: as in fixtures/ledger.json. */
  payoutFunds?: Fixtures['ledger']['payoutFunds'] | undefined;
}

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
  /** Details that a payer of a link enters, besides name and mobile number. */
  payerContact?: Payment['payerContact'];
  formId?: string;
  /** Receivers by percentage; empty for a single payment. */
  split: readonly { merchantId: string; percentage: number }[];
  /** The payment's token. Default: the flow creates one. */
  paymentToken?: string | undefined;
  outcomePlan: OutcomePlan;
  /** Changes to the answer to the merchant. */
  respond?: Payment['respond'];
}

/** Throws `business-rule`, `merchant-not-activated` or, if its link cannot be paid, `conflict`. */
export function initiatePayment(transaction: Transaction, order: PaymentOrder): Payment {
  const { merchant, channel } = order;
  checkMayTrade(merchant);
  checkLinkIsOpen(transaction, order);
  const { feeRow, profile } = validateOrder(transaction, order);
  const expiresAt = addDuration(transaction.now, channel.lifetime);
  const references = flowOf(channel).createReferences(transaction, {
    merchantId: merchant.id,
    payerReference: order.payerReference,
    expiresAt,
    nodeSuffix: channel.nodeSuffix ?? '',
  });
  const { outcomePlan } = order;
  // A card payment in test mode has no payer page, so the fixture decides it unless a scenario does.
  const testPlan = profile?.mode === 'test' ? channel.testMode?.settle : undefined;
  const channelPlan = { settle: testPlan, decidedBy: 'testMode in channels.json' };
  const plannedOutcome = planOutcome(transaction, outcomePlan.settle ? outcomePlan : channelPlan);
  const payment: Payment = {
    id: idOf('payments', transaction.next('payment')),
    createdAt: transaction.now,
    environment: order.environment,
    merchantId: merchant.id,
    origin: order.origin,
    originId: order.originId,
    channel: channel.id,
    walletName: order.walletName,
    amount: order.amount,
    fees: computeFees(feeRow, order.amount),
    currency: order.currency,
    description: order.description,
    payerName: order.payerName,
    payerReference: order.payerReference,
    payerAccountId: order.payerAccountId,
    profileId: order.profileId,
    payerMobile: order.payerMobile,
    shares: splitAmount(order),
    paymentId: references.paymentId,
    paymentCode: references.paymentCode,
    paymentToken: order.paymentToken ?? references.paymentToken,
    state: 'Processing',
    expiresAt,
    failedTries: 0,
    plannedOutcome,
    dueAt: dueOfPayment({ plannedOutcome, expiresAt }),
    webhookBehaviour: outcomePlan.webhookBehaviour ?? NORMAL_DELIVERY,
    history: beginHistory(transaction.now, PAYER_ORIGINS.has(order.origin) ? 'payer' : 'merchant'),
    respond: order.respond ?? null,
  };
  Object.assign(payment, optionalMembers(transaction, order, profile?.mode === 'test'));
  transaction.put('payments', payment);
  const { reference, amount, currency } = factsOf(payment);
  transaction.emit('payment.created', 'payments', payment.id, {
    reference,
    amount,
    currency,
    channel: channel.id,
    origin: order.origin,
    plannedOutcome: plannedOutcome && { outcome: plannedOutcome.outcome, at: formatUtc(plannedOutcome.at) },
    expiresAt: formatUtc(expiresAt),
  });
  return payment;
}

/** Assigned to the payment instead of spread into it, because members after a spread are slow to add. */
function optionalMembers(
  { fixtures: { ledger } }: Transaction,
  order: PaymentOrder,
  isTest: boolean,
): Partial<Payment> {
  const { adjustments, lateOutcome, decidedBy, balance, behaviour } = order.outcomePlan;
  return {
    ...(isTest ? { testMode: true } : {}),
    // Stored, so that a later change of the fixture does not change the books.
    ...(ledger.feesBorneBy === 'payer' ? { feesBorneBy: 'payer' } : {}),
    ...(order.split.length > 0 && ledger.splitFees === 'initiator' ? { splitFees: 'initiator' } : {}),
    ...(balance === undefined ? {} : { payerBalance: toMinorUnits(balance) }),
    ...(order.payerContact ? { payerContact: order.payerContact } : {}),
    ...(order.formId === undefined ? {} : { formId: order.formId }),
    ...(adjustments ? { plannedAdjustments: planAdjustments(adjustments) } : {}),
    ...(lateOutcome ? { lateOutcome: planLateOutcome(lateOutcome, decidedBy) } : {}),
    ...(behaviour === undefined ? {} : { behaviour }),
  };
}

function planOutcome(
  transaction: Transaction,
  { settle, decidedBy }: Pick<OutcomePlan, 'settle' | 'decidedBy'>,
): Payment['plannedOutcome'] {
  if (!settle) {
    return null;
  }
  const { outcome, after, code = null, description = null } = settle;
  const decider = decidedBy === undefined ? {} : { decidedBy };
  return { outcome, at: addDuration(transaction.now, after), code, description, ...decider };
}

/** Throws `business-rule` with all the rules that the order breaks. */
function validateOrder(
  transaction: Transaction,
  order: PaymentOrder,
): { feeRow: FeeRow; profile: Merchant['profiles'][number] | undefined } {
  const { merchant, profileId, split } = order;
  const { feeRow, brokenRules } = findFees(transaction.fixtures, {
    channel: order.channel.id,
    merchantId: merchant.id,
    currency: order.currency,
    amount: order.amount,
    amountPath: '$.amount',
    at: transaction.now,
  });
  brokenRules.push(...(profileId === null ? [] : validateProfile(merchant, profileId)));
  brokenRules.push(...validateSplit(transaction, split));
  if (!feeRow || brokenRules.length > 0) {
    throw new BrokenRules(brokenRules);
  }
  return { feeRow, profile: profileId === null ? undefined : profileOf(merchant, profileId) };
}

function validateSplit(transaction: Transaction, split: PaymentOrder['split']): BrokenRule[] {
  if (split.length === 0) {
    return [];
  }
  const brokenRules: BrokenRule[] = [];
  const percentages = split.map(({ percentage }) => percentage);
  const sum = sumOfPercentages(percentages);
  if (sum !== '100') {
    const remark = `whose percentages add up to ${sum}`;
    brokenRules.push({ path: '$.split', expected: 'percentages that add up to 100', value: split, remark });
  }
  for (const [index, { merchantId }] of split.entries()) {
    brokenRules.push(...validateReceiver(transaction, merchantId, `$.split[${index}].merchantId`));
  }
  return brokenRules;
}

/** A link is read again here, because it may have been paid since its page was shown. */
function checkLinkIsOpen(transaction: Transaction, { origin, originId }: PaymentOrder): void {
  const link = origin === 'link' && originId !== null ? transaction.get('links', originId) : undefined;
  const reason = link && inactiveReason(link, transaction.now, transaction.fixtures.times.localOffset);
  if (link && reason) {
    throw new Refusal('conflict', `payment link ${link.id} cannot be paid: ${INACTIVE_REASONS[reason]}`);
  }
}

const INACTIVE_REASONS = {
  paid: 'it has already been paid',
  'not-started': 'its start date is in the future',
  ended: 'its end date has passed',
} as const;

function splitAmount({ split, amount }: PaymentOrder): Payment['shares'] {
  if (split.length === 0) {
    return NO_SHARES;
  }
  const amounts = splitByPercentage(
    amount,
    split.map(({ percentage }) => percentage),
  );
  return split.map((share, index) => ({ ...share, amount: amounts[index] ?? 0 }));
}
