import { Refusal } from '../../base/refusal.ts';
import type { Delivery, NotificationRules, WebhookQueue } from '../../base/schema/records.ts';
import { plural } from '../../base/text/plural.ts';
import { addDuration } from '../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { KnownEndpoint } from './endpoints.ts';

type QueueState = WebhookQueue['state'];

/** How new deliveries to an address begin: whatever their rules, they wait where its queue is halted. */
export async function inQueue(
  transaction: Transaction,
  url: string,
  { haltAfter, switchOffAfter }: NotificationRules = {},
): Promise<Partial<Delivery>> {
  const known = await transaction.get('webhookQueues', url);
  switch (known?.state) {
    case 'halted':
      return { queue: url, state: 'held', dueAt: null };
    case 'off':
      return { state: 'dropped', dueAt: null };
    default:
      return haltAfter === undefined && switchOffAfter === undefined ? {} : { queue: url };
  }
}

/** Counts an attempt, and halts the queue or switches the address off where the delivery's rules say so. Returns how the queue then is. */
export async function countAttempt(
  transaction: Transaction,
  { id, queue, rules = {}, endpointId }: Delivery,
  isDelivered: boolean,
): Promise<QueueState> {
  if (queue === undefined) {
    return 'open';
  }
  const known = await transaction.get('webhookQueues', queue);
  const before: WebhookQueue = known ?? { id: queue, state: 'open', failures: 0, failingSince: null };
  // A replay is sent all the same, and says nothing of whether the queue can go on.
  if (before.state !== 'open') {
    return before.state;
  }
  if (isDelivered) {
    if (before.failures > 0) {
      transaction.put('webhookQueues', { ...before, failures: 0, failingSince: null });
    }
    return before.state;
  }
  const counted = {
    ...before,
    failures: before.failures + 1,
    failingSince: before.failingSince ?? transaction.now,
  };
  const state = stateAfter(counted, rules, transaction.now);
  transaction.put('webhookQueues', { ...counted, state });
  if (state !== 'open') {
    const others = (await transaction.find('deliveries', 'queue', queue)).filter((each) => each.id !== id);
    for (const other of others) {
      transaction.put('deliveries', state === 'halted' ? held(other) : dropped(other));
    }
    const stopped = `${plural(others.length + 1, 'notification')} to ${queue}`;
    const [type, reason] =
      state === 'halted'
        ? [
            'endpoint.halted',
            `${plural(counted.failures, 'failed attempt')} in a row; held until it is resumed: ${stopped}`,
          ]
        : ['endpoint.switched-off', `no success for ${rules.switchOffAfter}; dropped: ${stopped}`];
    transaction.emit(type, 'endpoints', endpointId, { url: queue, failures: counted.failures, reason });
  }
  return state;
}

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

/** Waits until its queue is resumed. */
export function held(delivery: Delivery): Delivery {
  return { ...delivery, state: 'held', dueAt: null };
}

/** Is not sent any more, unless it is replayed. */
export function dropped({ queue: _, ...delivery }: Delivery): Delivery {
  return { ...delivery, state: 'dropped', dueAt: null };
}

/** Sends what waits in an endpoint's queue, in its order, as if nothing had failed. Refuses with `conflict` where it is not halted or off. */
export async function resumeQueue(
  transaction: Transaction,
  { id, url }: Pick<KnownEndpoint, 'id' | 'url'>,
): Promise<void> {
  const known = await transaction.get('webhookQueues', url);
  if (!known || known.state === 'open') {
    throw new Refusal('conflict', `the queue of ${id} is not halted, and the endpoint is not switched off`);
  }
  transaction.put('webhookQueues', { id: url, state: 'open', failures: 0, failingSince: null });
  const waiting = await transaction.find('deliveries', 'queue', url);
  for (const delivery of waiting) {
    const attemptsBefore = delivery.attempts.length;
    transaction.put('deliveries', { ...delivery, state: 'pending', dueAt: transaction.now, attemptsBefore });
  }
  transaction.emit('endpoint.resumed', 'endpoints', id, {
    url,
    reason: `${plural(waiting.length, 'notification')} to ${url}`,
  });
}

/** Forgets queues to addresses that no endpoint has any more; what waited in them is dropped. */
export async function endQueuesBut(
  transaction: Transaction,
  endpoints: readonly Pick<KnownEndpoint, 'url'>[],
): Promise<void> {
  const urls = new Set(endpoints.map(({ url }) => url));
  for (const { id: url } of await transaction.all('webhookQueues')) {
    if (!urls.has(url)) {
      transaction.remove('webhookQueues', url);
      for (const delivery of await transaction.find('deliveries', 'queue', url)) {
        transaction.put('deliveries', delivery.state === 'held' ? dropped(delivery) : delivery);
      }
    }
  }
}
