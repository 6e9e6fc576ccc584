import type { Delivery } from '../schema/records.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { addDuration } from '../time.ts';
import { paymentNotification, payoutNotification } from '../wire/notification.ts';
import { endpointsOf, type KnownEndpoint } from './endpoints.ts';

/** Events that a merchant is notified of: every settlement. Source: INTERFACE.md, "Events". */
const SETTLEMENTS = new Set(['paid', 'failed', 'cancelled', 'expired']);

/** How a scenario wants a notification delivered. Source: the scenario's `webhook`. */
interface Plan {
  mode?: 'normal' | 'duplicate' | 'delayed' | 'reordered' | 'dropped' | 'tampered' | 'slow' | 'burst';
  delay?: string;
  count?: number;
}

/** What modes take when the scenario does not say. */
const USUAL_DELAY = { delayed: 'PT5M', reordered: 'PT10S', slow: 'PT5S' } as const;
const USUAL_BURST = 1000;

interface Notice {
  merchantId: string;
  body: string;
  plan: Plan;
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
  for (const { type, collection, subjectId } of [...events]) {
    const [thing, what = ''] = type.split('.');
    if (!SETTLEMENTS.has(what) || subjectId === null || (thing !== 'payment' && thing !== 'payout')) {
      continue;
    }
    const notice =
      collection === 'payouts'
        ? await payoutNotice(transaction, subjectId)
        : await paymentNotice(transaction, subjectId);
    for (const endpoint of notice ? await endpointsOf(transaction, transaction.seed, webhookUrl) : []) {
      if (notice && wants(endpoint, type, notice.merchantId)) {
        planDeliveries(transaction, endpoint, { type, subjectId, ...notice });
      }
    }
  }
}

/** A delivery of its own: the tester's sample, or a replay. */
export function newDelivery(
  transaction: Transaction,
  facts: Omit<Delivery, 'id' | 'createdAt' | 'state' | 'attempts'> & Partial<Delivery>,
): Delivery {
  const delivery: Delivery = {
    id: `delivery-${transaction.next('delivery')}`,
    createdAt: transaction.now,
    state: 'pending',
    attempts: [],
    ...facts,
  };
  transaction.put('deliveries', delivery);
  return delivery;
}

export function newWebhookId(transaction: Transaction): string {
  return `msg_${transaction.ids.text(24)}`;
}

function wants({ types, merchantId }: KnownEndpoint, type: string, merchant: string): boolean {
  return (types === null || types.includes(type)) && (merchantId === null || merchantId === merchant);
}

async function paymentNotice(transaction: Transaction, id: string): Promise<Notice | undefined> {
  const payment = await transaction.get('payments', id);
  return (
    payment && {
      merchantId: payment.merchantId,
      body: JSON.stringify(paymentNotification(payment, transaction.fixtures)),
      plan: payment.webhookBehaviour as Plan,
    }
  );
}

async function payoutNotice(transaction: Transaction, id: string): Promise<Notice | undefined> {
  const payout = await transaction.get('payouts', id);
  return (
    payout && {
      merchantId: payout.merchantId,
      body: JSON.stringify(payoutNotification(payout, transaction.fixtures)),
      plan: payout.webhookBehaviour as Plan,
    }
  );
}

function planDeliveries(
  transaction: Transaction,
  endpoint: KnownEndpoint,
  notice: Notice & { type: string; subjectId: string },
): void {
  const { plan, merchantId, body, type, subjectId } = notice;
  const { mode = 'normal', delay, count } = plan;
  const make = (facts: Partial<Delivery> = {}) =>
    newDelivery(transaction, {
      webhookId: newWebhookId(transaction),
      endpointId: endpoint.id,
      url: endpoint.url,
      secret: endpoint.secret,
      type,
      subjectId,
      merchantId,
      body,
      mode: 'normal',
      pause: 0,
      dueAt: transaction.now,
      ...facts,
    });
  switch (mode) {
    case 'normal':
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
    case 'tampered':
      make({ mode: 'tampered' });
      return;
    case 'slow':
      make({ mode: 'slow', pause: addDuration(0, delay ?? USUAL_DELAY.slow) });
      return;
    case 'burst':
      for (let index = 0; index < (count ?? USUAL_BURST); index += 1) {
        make();
      }
  }
}
