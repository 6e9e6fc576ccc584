import { createHash } from 'node:crypto';
import type { Delivery } from '../../base/schema/records.ts';
import { addDuration, formatUtc, type Instant } from '../../base/time.ts';
import { SeededIds } from '../../sessions/ids.ts';
import type { JobFailure } from '../../sessions/job.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import type { Sent } from './send.ts';

/** A retry comes up to so much of its delay earlier or later. */
const JITTER_FACTOR = 0.1;

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
  const { failure: _, ...kept } = delivery;
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
export function recordAttempt(
  transaction: Transaction,
  delivery: Delivery,
  tried: Delivery,
  sent: Sent,
  claimedAt: Instant,
): void {
  const attempts = [...delivery.attempts, { at: claimedAt, ...sent }];
  const { id } = delivery;
  const facts = {
    status: sent.status,
    error: sent.error,
    subject: delivery.subjectId,
    event: delivery.type,
    attempt: attempts.length,
    url: delivery.url,
  };
  const isReplayDue = delivery.replays !== tried.replays;
  const delay = delivery.isTest ? undefined : transaction.fixtures.times.webhookRetries[failuresIn(attempts) - 1];
  if (sent.error === null) {
    transaction.put('deliveries', {
      ...delivery,
      attempts,
      ...(isReplayDue ? {} : { state: 'delivered', dueAt: null }),
    });
    transaction.emit('delivery.succeeded', 'deliveries', id, facts);
  } else if (isReplayDue) {
    transaction.put('deliveries', { ...delivery, attempts });
    const nextAttemptAt = delivery.dueAt === null ? null : formatUtc(delivery.dueAt);
    transaction.emit('delivery.failed', 'deliveries', id, { ...facts, nextAttemptAt });
  } else if (delay === undefined) {
    transaction.put('deliveries', { ...delivery, attempts, state: 'failed', dueAt: null });
    transaction.emit('delivery.given-up', 'deliveries', id, facts);
  } else {
    const dueAt = transaction.now + Math.round(addDuration(0, delay) * jitterOf(transaction.seed, id, attempts.length));
    transaction.put('deliveries', { ...delivery, attempts, dueAt });
    transaction.emit('delivery.failed', 'deliveries', id, { ...facts, nextAttemptAt: formatUtc(dueAt) });
  }
}

/** Keeps that an attempt was cut off by a stop. The receiver may have it all the same, and gets it again after the start. */
export function recordCutOff(transaction: Transaction, delivery: Delivery, sent: Sent, claimedAt: Instant): void {
  const error = 'cut off by a stop of the sandbox; the receiver may have it';
  transaction.put('deliveries', { ...delivery, attempts: [...delivery.attempts, { at: claimedAt, ...sent, error }] });
}

/** The sandbox itself could not make the attempt. */
export function failDelivery(transaction: Transaction, delivery: Delivery, failure: JobFailure): void {
  transaction.put('deliveries', { ...delivery, state: 'failed', dueAt: null, failure });
}

/** Drawn from seed, delivery and attempt alone: the order in which receivers answer must not change when a retry is due. */
function jitterOf(seed: string, id: string, attempt: number): number {
  return 1 + JITTER_FACTOR * (2 * new SeededIds(`${seed} ${id} ${attempt}`, 0).chance() - 1);
}

function failuresIn(attempts: Delivery['attempts']): number {
  return attempts.filter(({ error }) => error !== null).length;
}
