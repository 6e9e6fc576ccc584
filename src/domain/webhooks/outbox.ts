import type { Delivery, WebhookBehaviour } from '../../base/schema/records.ts';
import { addDuration } from '../../base/time.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { ADJUSTMENT_EVENTS } from '../ledger/entries.ts';
import {
  adjustmentNotification,
  creditNotification,
  paymentNotification,
  payoutNotification,
  settlementNotification,
} from '../wire/notification.ts';
import { newDelivery } from './delivery.ts';
import { endpointsOf, type KnownEndpoint } from './endpoints.ts';

const HAPPENED_ADJUSTMENTS: ReadonlySet<string> = new Set(Object.values(ADJUSTMENT_EVENTS));
/** Events that a merchant is notified of, beside the adjustments of a payment: every settlement. Source: INTERFACE.md, "Events". */
const SETTLEMENTS = new Set([
  'payment.paid',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
  'payout.paid',
  'payout.failed',
  'payout.partly-paid',
]);

/** What becomes of single credits of a payout, which the fixture switches off. */
const CREDIT_SETTLEMENTS = new Set(['payout.credit-paid', 'payout.credit-failed', 'payout.credit-returned']);

/** What becomes of the transfer to a merchant's bank, which the fixture switches on. */
const TRANSFERS = new Set(['settlement.paid', 'settlement.returned']);

/** What modes take when the scenario does not say. */
const USUAL_DELAY = { delayed: 'PT5M', reordered: 'PT10S' } as const;
const USUAL_BURST = 1000;

interface Notice {
  merchantId: string;
  body: string;
  webhookBehaviour: WebhookBehaviour;
}

/**
 * Delivery records for events, put into the transaction that the events belong to: a settlement and its notifications are kept
 * together or not at all.
 */
export async function keepDeliveries(
  transaction: Transaction,
  events: readonly SessionEvent[],
  webhookUrl: string | undefined,
): Promise<void> {
  for (const event of [...events]) {
    const { type, subjectId } = event;
    if (subjectId === null) {
      continue;
    }
    const notice = await noticeOf(transaction, event, subjectId);
    for (const endpoint of notice ? await endpointsOf(transaction, webhookUrl) : []) {
      if (notice && wants(endpoint, type, notice.merchantId)) {
        planDeliveries(transaction, endpoint, { type, subjectId, ...notice });
      }
    }
  }
}

async function noticeOf(
  transaction: Transaction,
  { type, collection, data }: SessionEvent,
  subjectId: string,
): Promise<Notice | undefined> {
  if (CREDIT_SETTLEMENTS.has(type)) {
    const isNotified = transaction.fixtures.payouts.notifyCredits;
    return isNotified ? creditNotice(transaction, subjectId, Number(data['number'])) : undefined;
  }
  if (HAPPENED_ADJUSTMENTS.has(type)) {
    return paymentNotice(transaction, subjectId, adjustmentNotification);
  }
  if (TRANSFERS.has(type)) {
    return transaction.fixtures.settlement.notify ? transferNotice(transaction, subjectId) : undefined;
  }
  if (!SETTLEMENTS.has(type)) {
    return undefined;
  }
  return collection === 'payouts'
    ? payoutNotice(transaction, subjectId)
    : paymentNotice(transaction, subjectId, paymentNotification);
}

function wants({ types, merchantId }: KnownEndpoint, type: string, merchant: string): boolean {
  return (types === null || types.includes(type)) && (merchantId === null || merchantId === merchant);
}

async function paymentNotice(
  transaction: Transaction,
  id: string,
  notification: typeof paymentNotification,
): Promise<Notice | undefined> {
  const payment = await transaction.get('payments', id);
  return (
    payment && {
      merchantId: payment.merchantId,
      body: JSON.stringify(notification(payment, transaction.fixtures)),
      webhookBehaviour: payment.webhookBehaviour,
    }
  );
}

async function transferNotice(transaction: Transaction, id: string): Promise<Notice | undefined> {
  const settlement = await transaction.get('settlements', id);
  return (
    settlement && {
      merchantId: settlement.merchantId,
      body: JSON.stringify(settlementNotification(settlement, transaction.fixtures)),
      webhookBehaviour: { mode: 'normal' },
    }
  );
}

async function payoutNotice(transaction: Transaction, id: string): Promise<Notice | undefined> {
  const payout = await transaction.get('payouts', id);
  return (
    payout && {
      merchantId: payout.merchantId,
      body: JSON.stringify(payoutNotification(payout, transaction.fixtures)),
      webhookBehaviour: payout.webhookBehaviour,
    }
  );
}

async function creditNotice(transaction: Transaction, id: string, number: number): Promise<Notice | undefined> {
  const payout = await transaction.get('payouts', id);
  const body = payout && creditNotification(payout, number, transaction.fixtures);
  return (
    body && {
      merchantId: payout.merchantId,
      body: JSON.stringify(body),
      // A burst is the payout's alone: a thousand credits would make it millions.
      webhookBehaviour: payout.webhookBehaviour.mode === 'burst' ? { mode: 'normal' } : payout.webhookBehaviour,
    }
  );
}

function planDeliveries(
  transaction: Transaction,
  endpoint: KnownEndpoint,
  notice: Notice & { type: string; subjectId: string },
): void {
  const { webhookBehaviour, merchantId, body, type, subjectId } = notice;
  const { mode, delay, count } = webhookBehaviour;
  const make = (facts: Partial<Delivery> = {}) =>
    newDelivery(transaction, {
      endpointId: endpoint.id,
      url: endpoint.url,
      secret: endpoint.secret,
      type,
      subjectId,
      merchantId,
      body,
      webhookBehaviour,
      isTest: false,
      dueAt: transaction.now,
      ...facts,
    });
  switch (mode) {
    case 'normal':
    case 'tampered':
    case 'slow':
      make();
      return;
    case 'duplicate': {
      const { webhookId } = make();
      make({ webhookId });
      return;
    }
    case 'delayed':
      make({ dueAt: addDuration(transaction.now, delay ?? USUAL_DELAY.delayed) });
      return;
    case 'reordered': {
      const span = addDuration(0, delay ?? USUAL_DELAY.reordered);
      make({ dueAt: transaction.now + Math.floor(transaction.ids.chance() * span) });
      return;
    }
    case 'dropped':
      make({ state: 'dropped', dueAt: null });
      return;
    case 'burst':
      for (let index = 0; index < (count ?? USUAL_BURST); index += 1) {
        make();
      }
  }
}
