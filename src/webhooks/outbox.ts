import type { SessionEvent } from '../session/events.ts';
import type { Unit } from '../session/unit.ts';
import type { Delivery } from '../shapes/records.ts';
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
 * Delivery records for events, put into the unit that the events belong to: a settlement and its notifications are kept
 * together or not at all.
 */
export async function keepDeliveries(
  unit: Unit,
  events: readonly SessionEvent[],
  webhookUrl: string | undefined,
): Promise<void> {
  for (const { type, collection, subjectId } of [...events]) {
    const [thing, what = ''] = type.split('.');
    if (!SETTLEMENTS.has(what) || subjectId === null || (thing !== 'payment' && thing !== 'payout')) {
      continue;
    }
    const notice =
      collection === 'payouts' ? await payoutNotice(unit, subjectId) : await paymentNotice(unit, subjectId);
    for (const endpoint of notice ? await endpointsOf(unit, unit.seed, webhookUrl) : []) {
      if (notice && wants(endpoint, type, notice.merchantId)) {
        planDeliveries(unit, endpoint, { type, subjectId, ...notice });
      }
    }
  }
}

/** A delivery of its own: the tester's sample, or a replay. */
export function newDelivery(
  unit: Unit,
  facts: Omit<Delivery, 'id' | 'createdAt' | 'state' | 'attempts'> & Partial<Delivery>,
): Delivery {
  const delivery: Delivery = {
    id: `delivery-${unit.next('delivery')}`,
    createdAt: unit.now,
    state: 'pending',
    attempts: [],
    ...facts,
  };
  unit.put('deliveries', delivery);
  return delivery;
}

export function newWebhookId(unit: Unit): string {
  return `msg_${unit.ids.text(24)}`;
}

function wants({ types, merchantId }: KnownEndpoint, type: string, merchant: string): boolean {
  return (types === null || types.includes(type)) && (merchantId === null || merchantId === merchant);
}

async function paymentNotice(unit: Unit, id: string): Promise<Notice | undefined> {
  const payment = await unit.get('payments', id);
  return (
    payment && {
      merchantId: payment.merchantId,
      body: JSON.stringify(paymentNotification(payment, unit.fixtures)),
      plan: payment.notify as Plan,
    }
  );
}

async function payoutNotice(unit: Unit, id: string): Promise<Notice | undefined> {
  const payout = await unit.get('payouts', id);
  return (
    payout && {
      merchantId: payout.merchantId,
      body: JSON.stringify(payoutNotification(payout, unit.fixtures)),
      plan: payout.notify as Plan,
    }
  );
}

function planDeliveries(
  unit: Unit,
  endpoint: KnownEndpoint,
  notice: Notice & { type: string; subjectId: string },
): void {
  const { plan, merchantId, body, type, subjectId } = notice;
  const { mode = 'normal', delay, count } = plan;
  const make = (facts: Partial<Delivery> = {}) =>
    newDelivery(unit, {
      webhookId: newWebhookId(unit),
      endpointId: endpoint.id,
      url: endpoint.url,
      secret: endpoint.secret,
      type,
      subjectId,
      merchantId,
      body,
      mode: 'normal',
      pause: 0,
      due: unit.now,
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
      make({ due: addDuration(unit.now, delay ?? USUAL_DELAY.delayed) });
      return;
    case 'reordered': {
      const span = addDuration(0, delay ?? USUAL_DELAY.reordered);
      make({ due: unit.now + Math.floor(unit.ids.chance() * span) });
      return;
    }
    case 'dropped':
      make({ state: 'dropped', due: null });
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
