import type { Delivery, Endpoint, JobFailure, WebhookQueue } from '../../../base/schema/generated/records.ts';
import { SeededIds } from '../../../base/seeded-ids.ts';
import { addDuration, formatUtc, type Instant } from '../../../base/time.ts';
import { afterMilliseconds } from '../../../base/timers.ts';
import { type JobContext, networkJob } from '../../sessions/job.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { endpointOf, endpointsOf } from './endpoints.ts';
import { countAttempt, dropDelivery, holdDelivery, removeOtherQueues } from './queue.ts';
import type { Sender, SendResult } from './sender.ts';
import type { SignedDelivery } from './signature.ts';

/** Real time by which an attempt is delayed while calls wait for answers, because calls have priority. None with a frozen clock. */
const BUSY_DELAY_MS = 20;

/** Maximum number of simultaneous attempts at an address (1 in a queue), because a slow receiver could otherwise take all connections. */
const LANE_WIDTH = 10;

const ENDPOINT_REMOVED = 'its endpoint was removed';
const NOT_SENT: SendResult = {
  headers: {},
  status: null,
  ms: 0,
  response: null,
  error: `not sent: ${ENDPOINT_REMOVED}`,
};

/** Without a queue, notifications are not kept in order: they are sent at the same time, and a retry may follow a later notification. */
export function deliveryJob(sender: Pick<Sender, 'send'>, isBusy: () => boolean, webhookUrl?: string) {
  return networkJob<'deliveries', SendResult>({
    kind: 'attempt-delivery',
    collection: 'deliveries',
    lane: ({ url, queue }) =>
      queue === undefined ? { name: url, width: LANE_WIDTH } : { name: `${queue} in order`, width: 1 },
    async send(delivery: Delivery, context: JobContext) {
      if (!context.isFrozen && isBusy()) {
        await new Promise<void>((resolve) => afterMilliseconds(BUSY_DELAY_MS, resolve));
      }
      const current = await withCurrentSecrets(delivery, context.reader, webhookUrl);
      return current ? sender.send(current, context) : NOT_SENT;
    },
    recordOutcome: (transaction, delivery, sentDelivery, result, claimedAt) =>
      result.error === NOT_SENT.error
        ? giveUpOrphan(transaction, delivery)
        : recordAttempt(transaction, delivery, sentDelivery, result, claimedAt),
    recordAbort,
    fail: failDelivery,
  });
}

/** Undefined if the endpoint was removed. A sample has no endpoint. */
async function withCurrentSecrets(
  delivery: Delivery,
  reader: Reader,
  webhookUrl: string | undefined,
): Promise<SignedDelivery | undefined> {
  if (delivery.endpointId === null) {
    return delivery;
  }
  const endpoint = endpointOf(delivery, await endpointsOf(reader, webhookUrl));
  if (!endpoint) {
    return undefined;
  }
  const { secret, previousSecrets = [] } = endpoint;
  const validSecrets = previousSecrets.filter(({ until }) => until > reader.now);
  return { ...delivery, secret, previousSecrets: validSecrets.map((each) => each.secret) };
}

/** A replay that was requested during the attempt stays due. */
function recordAttempt(
  transaction: Transaction,
  delivery: Delivery,
  sentDelivery: Delivery,
  result: SendResult,
  claimedAt: Instant,
): void {
  const withAttempt = { ...delivery, attempts: [...delivery.attempts, { at: claimedAt, ...result }] };
  const queue = countAttempt(transaction, delivery, result.error === null);
  const isReplayDue = delivery.replays !== sentDelivery.replays;
  const updated = isReplayDue ? withAttempt : retryOrGiveUp(transaction, withAttempt, queue);
  transaction.put('deliveries', updated);
  const { attempts, subjectId: subject, type: event, url, forgery, state, dueAt } = updated;
  const { status, error } = result;
  const forgeryMember = forgery === undefined ? {} : { forgery };
  const facts = { status, error, subject, event, attempt: attempts.length, url, ...forgeryMember };
  if (error === null) {
    transaction.emit('delivery.succeeded', 'deliveries', delivery.id, facts);
  } else if (state === 'pending' || state === 'held') {
    const nextAttempt = { nextAttemptAt: dueAt === null ? null : formatUtc(dueAt) };
    transaction.emit('delivery.failed', 'deliveries', delivery.id, { ...facts, ...nextAttempt });
  } else {
    transaction.emit('delivery.given-up', 'deliveries', delivery.id, facts);
  }
}

function retryOrGiveUp(transaction: Transaction, delivery: Delivery, queue: WebhookQueue['state']): Delivery {
  const { queue: _, ...outOfQueue } = delivery;
  if (delivery.attempts.at(-1)?.error === null) {
    const { failure: _, ...delivered } = outOfQueue;
    return { ...delivered, state: 'delivered', dueAt: null };
  }
  // The failure may have switched the endpoint off, or the delivery may have been dropped during the attempt.
  if (queue === 'off' || delivery.state === 'dropped') {
    return dropDelivery(delivery);
  }
  if (queue === 'halted' || queue === 'paused') {
    return holdDelivery(delivery);
  }
  const dueAt = nextAttemptAt(transaction, delivery);
  return dueAt === undefined ? { ...outOfQueue, state: 'failed', dueAt: null } : { ...delivery, dueAt };
}

/** A retry by webhookRetries is early or late by up to this share of its delay; one by a behaviour is exact. */
const JITTER_FACTOR = 0.1;

/** Undefined if the delivery is given up. */
function nextAttemptAt({ now, seed, fixtures }: Transaction, delivery: Delivery): Instant | undefined {
  const { id, attempts, attemptsBefore = 0, rules, isTest, forgery } = delivery;
  if (isTest || forgery !== undefined) {
    return undefined;
  }
  const failures = attempts.slice(attemptsBefore).filter(({ error }) => error !== null).length;
  if (rules?.retries) {
    const delay = delayAfter(rules.retries, failures);
    return delay === undefined ? undefined : addDuration(now, delay);
  }
  const delay = fixtures.times.webhookRetries[failures - 1];
  // Drawn only from seed, delivery and attempt, so that the order in which receivers answer does not change when a retry is due.
  const jitter = 1 + JITTER_FACTOR * (2 * new SeededIds(`${seed} ${id} ${attempts.length}`, 0).chance() - 1);
  return delay === undefined ? undefined : now + Math.round(addDuration(0, delay) * jitter);
}

function delayAfter(retries: readonly { times: number; after: string }[], failures: number): string | undefined {
  let lastFailure = 0;
  for (const { times, after } of retries) {
    lastFailure += times;
    if (failures <= lastFailure) {
      return after;
    }
  }
  return undefined;
}

/** The attempt is repeated after the next start, because it may not have arrived. */
function recordAbort(transaction: Transaction, delivery: Delivery, result: SendResult, claimedAt: Instant): void {
  const error = 'interrupted because the sandbox stopped; the endpoint may have got it';
  transaction.put('deliveries', { ...delivery, attempts: [...delivery.attempts, { at: claimedAt, ...result, error }] });
}

function failDelivery(transaction: Transaction, { queue: _, ...delivery }: Delivery, failure: JobFailure): void {
  transaction.put('deliveries', { ...delivery, state: 'failed', dueAt: null, failure });
}

function giveUpOrphan(transaction: Transaction, delivery: Delivery): void {
  const { id, subjectId: subject, type: event, attempts, url } = delivery;
  const failure = { at: transaction.now, reason: ENDPOINT_REMOVED };
  transaction.put('deliveries', { ...dropDelivery(delivery), failure });
  const facts = { status: null, error: ENDPOINT_REMOVED, subject, event, attempt: attempts.length, url };
  transaction.emit('delivery.given-up', 'deliveries', id, facts);
}

/** Gives up open deliveries to endpoints that are not among these, and removes the queues of other addresses. */
export async function giveUpOrphans(transaction: Transaction, endpoints: readonly Endpoint[]): Promise<void> {
  await removeOtherQueues(transaction, endpoints);
  for (const delivery of await transaction.all('deliveries')) {
    const isOpen = delivery.state === 'pending' || delivery.state === 'held';
    if (isOpen && delivery.endpointId !== null && !endpointOf(delivery, endpoints)) {
      giveUpOrphan(transaction, delivery);
    }
  }
}

/** Makes a delivery due again now, with the same webhook-id. If an attempt is under way, the delivery is sent again after it. */
export function replay(transaction: Transaction, delivery: Delivery): Delivery {
  const { failure: _, pausedDueAt: __, ...otherMembers } = delivery;
  const replayed: Delivery = {
    ...otherMembers,
    state: 'pending',
    dueAt: transaction.now,
    replays: delivery.replays + 1,
    webhookBehaviour: delivery.webhookBehaviour.mode === 'slow' ? { mode: 'normal' } : delivery.webhookBehaviour,
  };
  transaction.put('deliveries', replayed);
  return replayed;
}
