import { createHash } from 'node:crypto';
import type { Delivery, Endpoint, WebhookQueue } from '../../../base/schema/records.ts';
import { formatUtc, type Instant } from '../../../base/time.ts';
import type { JobFailure } from '../../sessions/job.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import { endpointOf } from './endpoints.ts';
import { countAttempt, dropped, endQueuesBut, held } from './queue.ts';
import { nextAttemptAt } from './retries.ts';
import type { Sent } from './send.ts';

/** Keeps a new delivery, attempted once it is due. */
export function newDelivery(
  transaction: Transaction,
  facts: Omit<Delivery, 'id' | 'webhookId' | 'createdAt' | 'state' | 'attempts' | 'replays'> & Partial<Delivery>,
): Delivery {
  const number = transaction.next('delivery');
  const delivery: Delivery = {
    id: idOf('deliveries', number),
    webhookId: webhookIdOf(transaction, number),
    createdAt: transaction.now,
    state: 'pending',
    attempts: [],
    replays: 0,
    ...facts,
  };
  transaction.put('deliveries', delivery);
  return delivery;
}

/**
 * Receivers drop what they have seen: of another session, or of the same one after a reset, a notification has another id. In
 * two runs that do the same it is the same.
 */
function webhookIdOf({ seed, sessionName, generation }: Transaction, number: number): string {
  const drawn = createHash('sha256').update(JSON.stringify([seed, sessionName, generation, number]));
  return `msg_${drawn.digest('hex').slice(0, 24)}`;
}

/** A delivery once more, now, under the same webhook-id. One that is under way is sent again when that is over. */
export function replay(transaction: Transaction, delivery: Delivery): Delivery {
  const { failure: _, pausedDueAt: __, ...kept } = delivery;
  const again: Delivery = {
    ...kept,
    state: 'pending',
    dueAt: transaction.now,
    replays: delivery.replays + 1,
    webhookBehaviour: delivery.webhookBehaviour.mode === 'slow' ? { mode: 'normal' } : delivery.webhookBehaviour,
  };
  transaction.put('deliveries', again);
  return again;
}

/** Keeps what became of an attempt, and when the next is due. A replay that was asked for meanwhile stays due. */
export async function recordAttempt(
  transaction: Transaction,
  delivery: Delivery,
  tried: Delivery,
  sent: Sent,
  claimedAt: Instant,
): Promise<void> {
  const attempted = { ...delivery, attempts: [...delivery.attempts, { at: claimedAt, ...sent }] };
  const queue = await countAttempt(transaction, delivery, sent.error === null);
  const isReplayDue = delivery.replays !== tried.replays;
  const next = isReplayDue ? attempted : afterAttempt(transaction, attempted, queue);
  transaction.put('deliveries', next);
  const nextAttemptAt = next.dueAt === null ? null : formatUtc(next.dueAt);
  const facts = factsOf(next, sent);
  if (sent.error === null) {
    transaction.emit('delivery.succeeded', 'deliveries', delivery.id, facts);
  } else if (next.state === 'pending' || next.state === 'held') {
    transaction.emit('delivery.failed', 'deliveries', delivery.id, { ...facts, nextAttemptAt });
  } else {
    transaction.emit('delivery.given-up', 'deliveries', delivery.id, facts);
  }
}

function afterAttempt(transaction: Transaction, delivery: Delivery, queue: WebhookQueue['state']): Delivery {
  const { queue: _, ...over } = delivery;
  if (delivery.attempts.at(-1)?.error === null) {
    const { failure: _, ...delivered } = over;
    return { ...delivered, state: 'delivered', dueAt: null };
  }
  // Its queue may have been stopped or forgotten while it was under way.
  if (queue === 'off' || delivery.state === 'dropped') {
    return dropped(delivery);
  }
  if (queue === 'halted' || queue === 'paused') {
    return held(delivery);
  }
  const dueAt = nextAttemptAt(transaction, delivery);
  return dueAt === undefined ? { ...over, state: 'failed', dueAt: null } : { ...delivery, dueAt };
}

const ENDPOINT_REMOVED = 'its endpoint was removed';

/** Ends a delivery whose endpoint was removed. */
export function endOrphan(transaction: Transaction, delivery: Delivery): void {
  const { id, subjectId: subject, type: event, attempts, url } = delivery;
  const failure = { at: transaction.now, reason: ENDPOINT_REMOVED };
  transaction.put('deliveries', { ...dropped(delivery), failure });
  const facts = { status: null, error: ENDPOINT_REMOVED, subject, event, attempt: attempts.length, url };
  transaction.emit('delivery.given-up', 'deliveries', id, facts);
}

/** Ends what is under way to endpoints that are no more. */
export async function endOrphans(transaction: Transaction, endpoints: readonly Endpoint[]): Promise<void> {
  await endQueuesBut(transaction, endpoints);
  for (const delivery of await transaction.all('deliveries')) {
    const isOpen = delivery.state === 'pending' || delivery.state === 'held';
    if (isOpen && delivery.endpointId !== null && !endpointOf(delivery, endpoints)) {
      endOrphan(transaction, delivery);
    }
  }
}

function factsOf({ attempts, subjectId, type, url, forgery }: Delivery, { status, error }: Sent) {
  return {
    ...{ status, error, subject: subjectId, event: type, attempt: attempts.length, url },
    ...(forgery === undefined ? {} : { forgery }),
  };
}

/** Keeps that an attempt was cut off by a stop. The receiver may have it all the same, and gets it again after the start. */
export function recordCutOff(transaction: Transaction, delivery: Delivery, sent: Sent, claimedAt: Instant): void {
  const error = 'interrupted because the sandbox stopped; the receiver may have got it';
  transaction.put('deliveries', { ...delivery, attempts: [...delivery.attempts, { at: claimedAt, ...sent, error }] });
}

/** The sandbox itself could not make the attempt. */
export function failDelivery(transaction: Transaction, { queue: _, ...delivery }: Delivery, failure: JobFailure): void {
  transaction.put('deliveries', { ...delivery, state: 'failed', dueAt: null, failure });
}
