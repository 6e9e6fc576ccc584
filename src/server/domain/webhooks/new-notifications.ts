import type { Delivery, Settlement, WebhookBehaviour } from '../../../base/schema/generated/records.ts';
import type { NotificationResponse } from '../../../base/schema/generated/responses.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { ADJUSTMENT_EVENTS } from '../books/ledger/payment-movements.ts';
import { CREDIT_EVENTS } from '../books/ledger/record-movements.ts';
import { reportAddress } from '../books/merchant-reports/report-address.ts';
import { issuesOf, latestVersion } from '../books/settlements/report-issues.ts';
import {
  adjustmentNotification,
  creditNotification,
  paymentNotification,
  payoutNotification,
  settlementNotification,
} from '../wire/notification.ts';
import { alterAmount } from './alter-amount.ts';

/** Outcomes of payments and payouts, late ones included. Source: ours, because INTERFACE.md does not list notified events. */
const OUTCOMES = new Set([
  'payment.paid',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
  'payout.paid',
  'payout.failed',
  'payout.partly-paid',
]);

/** Adjustments of a paid payment. A late failure is also among the outcomes, and is notified as one. */
const ADJUSTMENTS: ReadonlySet<string> = new Set(Object.values(ADJUSTMENT_EVENTS));

/** Outcomes of single credits of a payout; the fixture can disable their notifications. */
const CREDIT_OUTCOMES: ReadonlySet<string> = new Set(Object.values(CREDIT_EVENTS));

/** Outcomes of the transfer to a merchant's bank. The scenario at the close or, by default, the fixture enables their notifications. */
const TRANSFERS: ReadonlyMap<string, 'Paid' | 'Returned'> = new Map([
  ['settlement.paid', 'Paid'],
  ['settlement.returned', 'Returned'],
]);
/** Each later issue of a paid settlement's report is announced like the first one, by repeating the notification `settlement.paid`. */
const REPORT_ISSUED = 'settlement.report-issued';

/** The types of notifications that the fixtures enable. A scenario can also announce settlements. */
export function notifiedTypes({ payouts, settlement }: Fixtures): string[] {
  const types = [...OUTCOMES, ...ADJUSTMENTS, ...(payouts.notifyCredits ? CREDIT_OUTCOMES : [])];
  return [...new Set([...types, ...(settlement.notify ? TRANSFERS.keys() : [])])];
}

/** The event that a forged notification claims, by the earlier event at which it is sent. */
const FORGED_TYPES: ReadonlyMap<string, string> = new Map([
  ['payment.created', 'payment.paid'],
  ['payout.created', 'payout.paid'],
]);

const FORGERIES = [
  'wrong-signature',
  'unsigned',
  'old-timestamp',
  'wrong-amount',
  'wrong-currency',
  'unknown-reference',
] as const;

export interface NewNotification {
  /** The event that it reports or, if it is forged, claims. */
  type: string;
  subjectId: string;
  merchantId: string;
  body: string;
  webhookBehaviour: WebhookBehaviour;
  /** The provider's behaviour that the scenario sets. Default: the session's. */
  behaviour?: string | undefined;
  forgery?: NonNullable<Delivery['forgery']>;
}

type Facts = Omit<NewNotification, 'type' | 'subjectId'>;

export function newNotificationsOf(transaction: Transaction, event: SessionEvent): NewNotification[] {
  const { type, subjectId } = event;
  if (subjectId === null) {
    return [];
  }
  const claimedType = FORGED_TYPES.get(type);
  if (claimedType !== undefined) {
    const forgeries = forgedFacts(transaction, event, subjectId);
    return forgeries.map((facts) => ({ type: claimedType, subjectId, ...facts }));
  }
  if (type === REPORT_ISSUED) {
    const facts = reportFacts(transaction, subjectId);
    return facts ? [{ type: 'settlement.paid', subjectId, ...facts }] : [];
  }
  const facts = factsOf(transaction, event, subjectId);
  return facts ? [{ type, subjectId, ...facts }] : [];
}

function factsOf(
  transaction: Transaction,
  { type, collection, data }: SessionEvent,
  subjectId: string,
): Facts | undefined {
  if (CREDIT_OUTCOMES.has(type)) {
    const isNotified = transaction.fixtures.payouts.notifyCredits;
    return isNotified ? creditFacts(transaction, subjectId, Number(data['number'])) : undefined;
  }
  const transfer = TRANSFERS.get(type);
  if (transfer !== undefined) {
    return transferFacts(transaction, subjectId, transfer);
  }
  if (OUTCOMES.has(type)) {
    return collection === 'payouts'
      ? payoutFacts(transaction, subjectId)
      : paymentFacts(transaction, subjectId, paymentNotification);
  }
  return ADJUSTMENTS.has(type) ? paymentFacts(transaction, subjectId, adjustmentNotification) : undefined;
}

function paymentFacts(
  transaction: Transaction,
  id: string,
  toNotification: typeof paymentNotification,
): Facts | undefined {
  const payment = transaction.get('payments', id);
  return (
    payment && {
      merchantId: payment.merchantId,
      body: JSON.stringify(toNotification(payment, transaction.fixtures)),
      webhookBehaviour: payment.webhookBehaviour,
      behaviour: payment.behaviour,
    }
  );
}

function transferFacts(transaction: Transaction, id: string, state: 'Paid' | 'Returned'): Facts | undefined {
  const settlement = transaction.get('settlements', id);
  if (!settlement || !isAnnounced(transaction, settlement)) {
    return undefined;
  }
  const version = latestVersion(settlement);
  const report = reportAddress(transaction.addresses, 'settlement-file', { id, version });
  return {
    merchantId: settlement.merchantId,
    body: JSON.stringify(settlementNotification(settlement, transaction.fixtures, { report, state })),
    webhookBehaviour: { mode: 'normal' },
  };
}

/** For paid settlements only, because others were never announced. */
function reportFacts(transaction: Transaction, id: string): Facts | undefined {
  const settlement = transaction.get('settlements', id);
  const isRepeated = settlement !== undefined && issuesOf(settlement).length > 1;
  const isPaid = settlement?.history.some(({ to }) => to === 'Paid');
  return isRepeated && isPaid ? transferFacts(transaction, id, 'Paid') : undefined;
}

function isAnnounced({ fixtures }: Transaction, { reports }: Settlement): boolean {
  return reports?.announced ?? fixtures.settlement.notify;
}

function payoutFacts(transaction: Transaction, id: string): Facts | undefined {
  const payout = transaction.get('payouts', id);
  return (
    payout && {
      merchantId: payout.merchantId,
      body: JSON.stringify(payoutNotification(payout, transaction.fixtures)),
      webhookBehaviour: payout.webhookBehaviour,
      behaviour: payout.behaviour,
    }
  );
}

function creditFacts(transaction: Transaction, id: string, number: number): Facts | undefined {
  const payout = transaction.get('payouts', id);
  const body = payout && creditNotification(payout, number, transaction.fixtures);
  return (
    body && {
      merchantId: payout.merchantId,
      body: JSON.stringify(body),
      // A burst only repeats the payout's notification, because with a thousand credits it would send a million.
      webhookBehaviour: payout.webhookBehaviour.mode === 'burst' ? { mode: 'normal' } : payout.webhookBehaviour,
      behaviour: payout.behaviour,
    }
  );
}

/** Each notification claims Paid before the outcome, and is also wrong in one way. */
function forgedFacts(transaction: Transaction, { collection }: SessionEvent, subjectId: string): Facts[] {
  const { fixtures } = transaction;
  const payment = collection === 'payments' ? transaction.get('payments', subjectId) : undefined;
  const payout = collection === 'payouts' ? transaction.get('payouts', subjectId) : undefined;
  const subject = payment ?? payout;
  if (subject?.webhookBehaviour.mode !== 'forged') {
    return [];
  }
  const { merchantId, webhookBehaviour, behaviour } = subject;
  const trueBody = payment ? paymentNotification(payment, fixtures) : payout && payoutNotification(payout, fixtures);
  return (webhookBehaviour.forgeries ?? FORGERIES).map((forgery) => ({
    merchantId,
    body: JSON.stringify({ ...trueBody, ...paidWords(fixtures), ...(trueBody && wrongMembers(trueBody, forgery)) }),
    webhookBehaviour,
    behaviour,
    forgery,
  }));
}

function paidWords({ paymentStates }: Fixtures) {
  const { word: status, description } = paymentStates.Paid;
  return { status, description };
}

/** The members of the body that a forgery changes. Signature and timestamp are forged when it is sent. */
function wrongMembers(
  { paymentAmount, paymentCurrency, paymentReference }: NotificationResponse,
  forgery: (typeof FORGERIES)[number],
): Partial<NotificationResponse> {
  switch (forgery) {
    case 'wrong-amount':
      return { paymentAmount: alterAmount(paymentAmount) };
    case 'wrong-currency':
      return { paymentCurrency: paymentCurrency === 'EUR' ? 'USD' : 'EUR' };
    case 'unknown-reference':
      return { paymentReference: `${paymentReference}-UNKNOWN` };
    default:
      return {};
  }
}
