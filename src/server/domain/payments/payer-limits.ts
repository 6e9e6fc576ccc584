import { type MinorUnits, toDecimalNumber, toMinorUnits } from '../../../base/money.ts';
import type { Adjustment, Payment } from '../../../base/schema/generated/records.ts';
import { addDuration, formatWithOffset, type Instant } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { FEE_RETURNING_KINDS } from '../books/ledger/adjustment-amounts.ts';
import { costToPayer } from './fees.ts';

type Limit = Fixtures['payerLimits']['limits'][number];
type Reasons = Fixtures['payerLimits']['reasons'][number];
type PeriodLimit = NonNullable<Limit['perDay']>;

type Reason = Reasons['amount'];

/** A payment that counts for the limits of its payer. */
interface PayerPayment {
  channel: string;
  at: Instant;
  /** The amount less parts that were reversed or failed late. Refunds and chargebacks do not reduce it, because the payer did pay. */
  countedAmount: MinorUnits;
  /** The part of the payer's cost that was not returned. */
  left: MinorUnits;
}

/** The reason of the first limit that the payment would exceed if it were paid now. Source: ours, fixtures/payer-limits.json. */
export function findExceededLimit(transaction: Transaction, payment: Payment): Reason | undefined {
  const limits = limitsOf(transaction.fixtures, payment);
  if (limits.length === 0) {
    return undefined;
  }
  const payerPayments = payerPaymentsOf(transaction, payment);
  for (const limit of limits) {
    const exceededKind = findExceededKind(limit, payment, payerPayments, transaction);
    if (exceededKind) {
      const { code, description } = reasonsOf(transaction.fixtures, payment.channel)[exceededKind];
      return { code: limit.code ?? code, description: limit.description ?? description };
    }
  }
  return undefined;
}

/** Adds the payer's key if limits can apply; a payment without the key does not count for the limits of its payer. */
export function withPayerKey({ fixtures }: Transaction, payment: Payment): Payment {
  const payerKey = isLimited(fixtures, payment) ? payerKeyOfPayment(payment) : undefined;
  return payerKey === undefined ? payment : { ...payment, payerKey };
}

function isLimited({ payerLimits }: Fixtures, { testMode, payerBalance }: Payment): boolean {
  return !testMode && (payerLimits.limits.length > 0 || payerBalance !== undefined);
}

function payerKeyOfPayment({ payerMobile, testCard, payerAccountId }: Payment): string | undefined {
  if (payerMobile !== null) {
    return `mobile:${payerMobile}`;
  }
  if (testCard !== undefined) {
    return `card:${testCard}`;
  }
  return payerAccountId === null ? undefined : `account:${payerAccountId}`;
}

function limitsOf(fixtures: Fixtures, payment: Payment): Limit[] {
  if (!isLimited(fixtures, payment)) {
    return [];
  }
  const { payerBalance } = payment;
  const balanceLimit: Limit[] = payerBalance === undefined ? [] : [{ balance: toDecimalNumber(payerBalance) }];
  return [...fixtures.payerLimits.limits.filter((limit) => limitApplies(limit, payment)), ...balanceLimit];
}

function limitApplies({ channels, currency, payer }: Limit, payment: Payment): boolean {
  return (
    (channels?.includes(payment.channel) ?? true) &&
    (currency === undefined || currency === payment.currency) &&
    (payer === undefined || payerKeyOfLimit(payer) === payerKeyOfPayment(payment))
  );
}

function payerKeyOfLimit({ mobile, accountId, testCard }: NonNullable<Limit['payer']>): string {
  if (mobile !== undefined) {
    return `mobile:${mobile}`;
  }
  return accountId === undefined ? `card:${testCard}` : `account:${accountId}`;
}

function payerPaymentsOf(transaction: Transaction, payment: Payment): PayerPayment[] {
  const key = payerKeyOfPayment(payment);
  const samePayer = key === undefined ? [] : transaction.find('payments', 'payerKey', key);
  return samePayer
    .filter(({ environment, currency }) => environment === payment.environment && currency === payment.currency)
    .map(toPayerPayment);
}

function toPayerPayment(payment: Payment): PayerPayment {
  const { channel, amount, adjustments = [], feesBorneBy, history, createdAt } = payment;
  const returnedBy = (...kinds: string[]) =>
    adjustments.reduce((sum, each) => sum + (kinds.includes(each.kind) ? each.amount : 0), 0);
  const returnedFees = feesBorneBy === 'payer' ? adjustments.reduce((sum, each) => sum + returnedFeeOf(each), 0) : 0;
  return {
    channel,
    at: history.find(({ to }) => to === 'Paid')?.at ?? createdAt,
    countedAmount: amount - returnedBy('reversal', 'late-failure'),
    left:
      costToPayer(payment) -
      returnedBy('reversal', 'late-failure', 'refund', 'chargeback') -
      returnedFees +
      returnedBy('chargeback-reversed'),
  };
}

function returnedFeeOf({ kind, fee }: Adjustment): MinorUnits {
  return FEE_RETURNING_KINDS.has(kind) ? fee : 0;
}

function findExceededKind(
  limit: Limit,
  payment: Payment,
  all: readonly PayerPayment[],
  transaction: Transaction,
): 'amount' | 'count' | 'balance' | undefined {
  const payerPayments = all.filter(({ channel }) => limit.channels?.includes(channel) ?? true);
  const { amount } = payment;
  const countedPayments = payerPayments.filter(({ countedAmount }) => countedAmount > 0);
  if (exceeds(amount, limit.maxPayment) || (countedPayments.length === 0 && exceeds(amount, limit.maxFirst))) {
    return 'amount';
  }
  for (const { maxAmount, maxCount, isWithin } of periodsOf(limit, transaction)) {
    const inPeriod = countedPayments.filter(({ at }) => isWithin(at));
    if (exceeds(amount + sumOf(inPeriod, 'countedAmount'), maxAmount)) {
      return 'amount';
    }
    if (maxCount !== undefined && inPeriod.length >= maxCount) {
      return 'count';
    }
  }
  return exceeds(costToPayer(payment) + sumOf(payerPayments, 'left'), limit.balance) ? 'balance' : undefined;
}

type Period = PeriodLimit & { isWithin(at: Instant): boolean };

/** Days and months are those of the local offset. */
function periodsOf({ perDay, perMonth, rolling }: Limit, { now, fixtures }: Transaction): Period[] {
  const dayOf = (at: Instant) => formatWithOffset(at, fixtures.times.localOffset).slice(0, '2026-03-01'.length);
  const monthOf = (at: Instant) => dayOf(at).slice(0, '2026-03'.length);
  return [
    ...(perDay ? [{ ...perDay, isWithin: (at: Instant) => dayOf(at) === dayOf(now) }] : []),
    ...(perMonth ? [{ ...perMonth, isWithin: (at: Instant) => monthOf(at) === monthOf(now) }] : []),
    ...(rolling ? [{ ...rolling, isWithin: (at: Instant) => at <= now && now < addDuration(at, rolling.period) }] : []),
  ];
}

function sumOf(payerPayments: readonly PayerPayment[], part: 'countedAmount' | 'left'): MinorUnits {
  return payerPayments.reduce((sum, each) => sum + each[part], 0);
}

function exceeds(amount: MinorUnits, limit: number | undefined): boolean {
  return limit !== undefined && amount > toMinorUnits(limit);
}

/** The check of the fixtures ensures that each channel has reasons. */
export function reasonsOf({ payerLimits: { reasons } }: Fixtures, channel: string): Reasons {
  const reasonsOfChannel = reasons.find(({ channels }) => channels?.includes(channel) ?? true);
  if (!reasonsOfChannel) {
    throw new Error(`fixtures/payer-limits.json has no reasons for ${channel}`);
  }
  return reasonsOfChannel;
}
