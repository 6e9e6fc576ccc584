import { isCaught } from '../../../base/catch.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { EventType } from '../../../base/schema/generated/control.ts';
import type { Delivery, NotificationRules, WebhookQueue } from '../../../base/schema/generated/records.ts';
import { plural } from '../../../base/text/plural.ts';
import { addDuration, type Instant } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import type { KnownEndpoint } from './endpoints.ts';

type QueueState = WebhookQueue['state'];

/** A queue that is not open holds or drops a new delivery, whatever the delivery's rules. */
export function queueMembers(
  transaction: Transaction,
  url: string,
  { haltAfter, switchOffAfter }: NotificationRules = {},
): Partial<Delivery> {
  const webhookQueue = transaction.get('webhookQueues', url);
  switch (webhookQueue?.state) {
    case 'halted':
      return { queue: url, state: 'held', dueAt: null };
    case 'paused':
      return { queue: url, state: 'held' };
    case 'off':
      return { state: 'dropped', dueAt: null };
    default:
      return haltAfter === undefined && switchOffAfter === undefined ? {} : { queue: url };
  }
}

/** Only a paused queue holds a forgery, because the provider, which halts queues, does not send it. */
export function queueMembersOfForgery(transaction: Transaction, url: string): Partial<Delivery> {
  const webhookQueue = transaction.get('webhookQueues', url);
  return webhookQueue?.state === 'paused' ? { queue: url, state: 'held' } : {};
}

/** Counts an attempt if its queue is open, and halts or switches off the queue by the delivery's rules. Returns the queue's new state. */
export function countAttempt(
  transaction: Transaction,
  { id, queue, rules = {}, endpointId }: Delivery,
  isDelivered: boolean,
): QueueState {
  if (queue === undefined) {
    return 'open';
  }
  const webhookQueue = transaction.get('webhookQueues', queue);
  const previous: WebhookQueue = webhookQueue ?? { id: queue, state: 'open', failures: 0, failingSince: null };
  // A replay is sent even while the queue is not open, but its result does not open the queue.
  if (previous.state !== 'open') {
    return previous.state;
  }
  if (isDelivered) {
    if (previous.failures > 0) {
      transaction.put('webhookQueues', { ...previous, failures: 0, failingSince: null });
    }
    return previous.state;
  }
  const updated = {
    ...previous,
    failures: previous.failures + 1,
    failingSince: previous.failingSince ?? transaction.now,
  };
  const state = stateAfter(updated, rules, transaction.now);
  transaction.put('webhookQueues', { ...updated, state });
  if (state !== 'open') {
    const otherDeliveries = transaction.find('deliveries', 'queue', queue).filter((each) => each.id !== id);
    for (const other of otherDeliveries) {
      transaction.put('deliveries', state === 'halted' ? holdDelivery(other) : dropDelivery(other));
    }
    const stoppedText = `${plural(otherDeliveries.length + 1, 'notification')} to ${queue}`;
    const [type, reason]: [EventType, string] =
      state === 'halted'
        ? [
            'endpoint.halted',
            `${plural(updated.failures, 'failed attempt')} in a row; held until it is resumed: ${stoppedText}`,
          ]
        : ['endpoint.switched-off', `no success for ${rules.switchOffAfter}; dropped: ${stoppedText}`];
    transaction.emit(type, 'endpoints', endpointId, { url: queue, failures: updated.failures, reason });
  }
  return state;
}

/** A halted queue holds its deliveries until it is resumed; a queue that is off, because its endpoint is switched off, drops them. */
function stateAfter(
  { failures, failingSince }: WebhookQueue,
  { haltAfter, switchOffAfter }: NotificationRules,
  now: number,
): QueueState {
  if (switchOffAfter !== undefined && failingSince !== null && now >= addDuration(failingSince, switchOffAfter)) {
    return 'off';
  }
  return haltAfter !== undefined && failures >= haltAfter ? 'halted' : 'open';
}

export function holdDelivery(delivery: Delivery): Delivery {
  return { ...delivery, state: 'held', dueAt: null };
}

/** Once the endpoint is resumed, the delivery is due at its previous time, or at once if it had none. */
export function pauseDelivery(delivery: Delivery): Delivery {
  const { dueAt, url } = delivery;
  return { ...delivery, state: 'held', queue: url, dueAt: null, ...(dueAt === null ? {} : { pausedDueAt: dueAt }) };
}

/** A dropped delivery can still be replayed. */
export function dropDelivery({ queue: _, pausedDueAt: __, ...delivery }: Delivery): Delivery {
  return { ...delivery, state: 'dropped', dueAt: null };
}

/**
 * Pauses the endpoints, because a copy of a session must not send to the receivers of the original. Pending deliveries without an
 * endpoint are dropped. Caught ones stay pending, because they never leave the sandbox.
 */
export function pauseDeliveries(snapshot: SessionSnapshot, endpoints: readonly KnownEndpoint[]): SessionSnapshot {
  const { deliveries = [], webhookQueues = [] } = snapshot;
  const urls = new Set(endpoints.filter((endpoint) => !isCaught(endpoint)).map(({ url }) => url));
  const queueByUrl = new Map(webhookQueues.map((queue) => [queue.id, queue]));
  const pausedQueues = [...urls].map((url) => ({
    ...(queueByUrl.get(url) ?? { id: url, failures: 0, failingSince: null }),
    state: 'paused' as const,
  }));
  return {
    ...snapshot,
    webhookQueues: [...webhookQueues.filter(({ id }) => !urls.has(id)), ...pausedQueues],
    deliveries: deliveries.map((delivery) => {
      if (delivery.state !== 'pending' || isCaught(delivery)) {
        return delivery;
      }
      return urls.has(delivery.url) ? pauseDelivery(delivery) : dropDelivery(delivery);
    }),
  };
}

/**
 * Opens an endpoint's queue, and makes its held notifications due: after a pause, at their previous times, and the queue keeps its
 * failures; otherwise they are due now, and failures are counted from 0. Throws `conflict` if the queue is open.
 */
export function resumeQueue(transaction: Transaction, { id, url }: Pick<KnownEndpoint, 'id' | 'url'>): void {
  const webhookQueue = transaction.get('webhookQueues', url);
  if (!webhookQueue || webhookQueue.state === 'open') {
    throw new Refusal('conflict', `the queue of ${id} is not halted or paused, and the endpoint is not switched off`);
  }
  const heldDeliveries = transaction.find('deliveries', 'queue', url);
  if (webhookQueue.state !== 'paused') {
    transaction.put('webhookQueues', { id: url, state: 'open', failures: 0, failingSince: null });
  } else if (webhookQueue.failures === 0) {
    transaction.remove('webhookQueues', url);
  } else {
    transaction.put('webhookQueues', { ...webhookQueue, state: 'open' });
  }
  for (const delivery of heldDeliveries) {
    transaction.put(
      'deliveries',
      webhookQueue.state === 'paused' ? unpause(delivery, transaction.now) : makeDue(delivery, transaction.now),
    );
  }
  transaction.emit('endpoint.resumed', 'endpoints', id, {
    url,
    reason: `${plural(heldDeliveries.length, 'notification')} to ${url}`,
  });
}

function makeDue(delivery: Delivery, now: Instant): Delivery {
  return { ...delivery, state: 'pending', dueAt: now, attemptsBefore: delivery.attempts.length };
}

/** A delivery whose rules need no queue leaves it, because it was put there only to be held. */
function unpause({ queue, pausedDueAt, ...delivery }: Delivery, now: Instant): Delivery {
  const { haltAfter, switchOffAfter } = delivery.rules ?? {};
  const queueMember = haltAfter === undefined && switchOffAfter === undefined ? {} : { queue };
  return { ...delivery, ...queueMember, state: 'pending', dueAt: pausedDueAt ?? now } as Delivery;
}

export async function removeOtherQueues(
  transaction: Transaction,
  endpoints: readonly Pick<KnownEndpoint, 'url'>[],
): Promise<void> {
  const urls = new Set(endpoints.map(({ url }) => url));
  for (const { id: url } of await transaction.all('webhookQueues')) {
    if (!urls.has(url)) {
      transaction.remove('webhookQueues', url);
    }
  }
}
