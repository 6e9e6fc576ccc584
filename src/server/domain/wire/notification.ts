import { ownMember } from '../../../base/members.ts';
import { toDecimalNumber } from '../../../base/money.ts';
import type { Payment, Payout, Settlement } from '../../../base/schema/generated/records.ts';
import type { NotificationResponse } from '../../../base/schema/generated/responses.ts';
import { formatWithOffset, type Instant } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { fillTemplate } from '../../config/template.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';
import { paymentStatus } from '../payments/payment-status.ts';

/** The notification body of INTERFACE.md, "Events". */
type Notification = NotificationResponse;

/** Also part of the answer of a status query. paymentMethod is the wallet name that the merchant used. */
export function paymentNotification(payment: Payment, fixtures: Fixtures): Notification {
  // Without spreads, which are slow, because it is made for every status query.
  const { status, description } = paymentStatus(payment, fixtures);
  const { paymentCurrency, paymentAmount, paymentCharges } = sumsOf(payment);
  return {
    status,
    description,
    paymentCurrency,
    paymentAmount,
    paymentCharges,
    paymentReference: payment.payerReference,
    paymentMethod: payment.walletName,
    paymentDate: dateOf(payment, fixtures),
  };
}

/** With the amount, fee and status word of the last adjustment. */
export function adjustmentNotification(payment: Payment, fixtures: Fixtures): Notification {
  const { amount = 0, fee = 0 } = payment.adjustments?.at(-1) ?? {};
  return {
    ...paymentNotification(payment, fixtures),
    paymentAmount: toDecimalNumber(amount),
    paymentCharges: toDecimalNumber(fee),
  };
}

/** paymentMethod is the bank of the debit account in the order, even if the merchant's balance is debited. */
export function payoutNotification(payout: Payout, fixtures: Fixtures): Notification {
  const { word, description } = fixtures.paymentStates[payout.state];
  return {
    status: word,
    description: payout.history.at(-1)?.description ?? description,
    ...sumsOf({ ...payout, amount: payout.total }),
    paymentReference: payout.payerReference,
    paymentMethod: payout.debit.bankName,
    paymentDate: dateOf(payout, fixtures),
  };
}

/** The names in fixtures/payment-states.json for states of credits; merchants are not notified of credits in Processing. */
const CREDIT_STATUSES = { Paid: 'CreditPaid', Failed: 'CreditFailed', Returned: 'CreditReturned' } as const;

/** The interface has no member for the credit, so the description names it. */
export function creditNotification(payout: Payout, number: number, fixtures: Fixtures): Notification | undefined {
  const credit = payout.credits[number - 1];
  if (!credit || credit.state === 'Processing') {
    return undefined;
  }
  const { code = null, description = null } = credit.history.at(-1) ?? {};
  const texts = fixtures.paymentStates[CREDIT_STATUSES[credit.state]];
  const reason = [code, description ?? texts.reason].filter((word) => word !== null).join(' ');
  const facts = { number: String(number), count: String(payout.credits.length), reason };
  return {
    status: texts.word,
    description: String(fillTemplate(texts.description, facts)),
    paymentCurrency: payout.currency,
    paymentAmount: toDecimalNumber(credit.amount),
    // The charges are on the payout as a whole.
    paymentCharges: 0,
    paymentReference: payout.payerReference,
    paymentMethod: payout.debit.bankName,
    paymentDate: dateOf({ history: credit.history, createdAt: payout.createdAt }, fixtures),
  };
}

/** The names in payment-states.json for a transfer to the merchant's bank account, and for one that was collected from it. */
const TRANSFER_STATUSES = { Paid: 'SettlementPaid', Returned: 'SettlementReturned' } as const;
const COLLECTION_STATUSES = { Paid: 'SettlementCollected', Returned: 'SettlementCollectionReturned' } as const;

/**
 * The interface has no settlements, and no member for an address, so the settlement's id is the reference, and the description names the
 * address of the report. Source: ours.
 */
export function settlementNotification(
  settlement: Settlement,
  fixtures: Fixtures,
  { report, state }: { report: string; state: 'Paid' | 'Returned' },
): Notification {
  const { id, createdAt, businessDate, currency, bank, totals, history } = settlement;
  const step = history.findLast(({ to }) => to === state);
  const isCollected = (totals?.transferred ?? 0) < 0;
  const texts = fixtures.paymentStates[(isCollected ? COLLECTION_STATUSES : TRANSFER_STATUSES)[state]];
  return {
    status: texts.word,
    description: String(
      fillTemplate(texts.description, { businessDate, report, reason: step?.description ?? texts.reason }),
    ),
    paymentCurrency: currency,
    paymentAmount: toDecimalNumber(totals?.transferred ?? 0),
    paymentCharges: toDecimalNumber(0 - (totals?.fee ?? 0)),
    paymentReference: id,
    paymentMethod: bank.bankBICCode,
    paymentDate: formatWithOffset(step?.at ?? createdAt, fixtures.times.notificationOffset),
  };
}

/** The webhook tester's sample for a webHookType; undefined for a type that the fixture does not have. */
export function sampleNotification(type: string, now: Instant, fixtures: Fixtures): Notification | undefined {
  const sample = ownMember(fixtures.webhookSamples.samples, type);
  const variables = { now: formatWithOffset(now, fixtures.times.notificationOffset) };
  return sample && (fillTemplate(sample, variables) as Notification);
}

function sumsOf({ currency, amount, fees }: Pick<Payment, 'currency' | 'amount' | 'fees'>) {
  return {
    paymentCurrency: currency,
    paymentAmount: toDecimalNumber(amount),
    paymentCharges: toDecimalNumber(sumOfFees(fees)),
  };
}

function dateOf(
  { history, createdAt }: { history: readonly { at: Instant }[]; createdAt: Instant },
  fixtures: Fixtures,
): string {
  return formatWithOffset(history.at(-1)?.at ?? createdAt, fixtures.times.notificationOffset);
}
