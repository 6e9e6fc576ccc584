import type { Delivery } from '../../../base/schema/records.ts';
import { SeededIds } from '../../../base/seeded-ids.ts';
import { addDuration, type Instant } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';

/** A retry by webhookRetries comes up to so much of its delay earlier or later; one by a behaviour's intervals comes to the millisecond. */
const JITTER_FACTOR = 0.1;

/** When a delivery whose last attempt failed is tried again; undefined where it is given up. */
export function nextAttemptAt({ now, seed, fixtures }: Transaction, delivery: Delivery): Instant | undefined {
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
  const jitter = jitterOf(seed, id, attempts.length);
  return delay === undefined ? undefined : now + Math.round(addDuration(0, delay) * jitter);
}

function delayAfter(retries: readonly { times: number; after: string }[], failures: number): string | undefined {
  let last = 0;
  for (const { times, after } of retries) {
    last += times;
    if (failures <= last) {
      return after;
    }
  }
  return undefined;
}

/** Drawn from seed, delivery and attempt alone: the order in which receivers answer must not change when a retry is due. */
function jitterOf(seed: string, id: string, attempt: number): number {
  return 1 + JITTER_FACTOR * (2 * new SeededIds(`${seed} ${id} ${attempt}`, 0).chance() - 1);
}
