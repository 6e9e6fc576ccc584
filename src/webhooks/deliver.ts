import type { Delivery } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { addDuration, formatUtc, type Instant } from '../time.ts';
import { afterMilliseconds } from '../timers.ts';
import { secretFor } from './endpoints.ts';
import type { GuardRules } from './guard.ts';
import { newDelivery, newWebhookId } from './outbox.ts';
import { Sender, type Sent } from './send.ts';

/** Attempts at one endpoint at a time: a slow one keeps nobody else waiting. */
const AT_ONCE = 10;
/** Whoever waits for an answer goes first: under load an attempt lets so many milliseconds of real time pass. */
const GIVE_WAY = 20;
/** Retries come up to so much of their delay earlier or later, drawn from the seed. */
const JITTER = 0.1;

/** THE WAY OUT: attempts deliveries when they are due. */
export class Deliverer {
  readonly #sender: Sender;
  readonly #isBusy: () => boolean;
  #isClosed = false;
  readonly #lanes = new Map<string, { active: number; waiting: Set<() => void> }>();

  constructor(rules: GuardRules, isBusy: () => boolean) {
    this.#sender = new Sender(rules);
    this.#isBusy = isBusy;
  }

  /** Refuses an address that must not be called. */
  check(url: string): void {
    this.#sender.check(url);
  }

  /** One attempt at a delivery that is due. A payment settles once, so its notifications need no order among themselves. */
  async attempt(session: Session, id: string, dueAt: Instant): Promise<void> {
    const delivery = await session.get('deliveries', id);
    if (delivery?.state !== 'pending' || delivery.dueAt !== dueAt) {
      return;
    }
    await this.#inLane(delivery.url, async () => {
      if (this.#isClosed) {
        return;
      }
      if (this.#isBusy()) {
        await new Promise<void>((resume) => afterMilliseconds(GIVE_WAY, resume));
      }
      const sent = await this.#sender.send(delivery, () => session.agenda.wait(delivery.pause));
      if (this.#isClosed && sent.error !== null) {
        return;
      }
      await session.transact((transaction) => keepAttempt(transaction, delivery.id, sent));
    });
  }

  /** The webhook tester's: one attempt, at once. Resolves with headers that tell what became of it. */
  async sendSample(session: Session, url: string, body: string): Promise<Record<string, string>> {
    this.check(url);
    const delivery = await session.transact(async (transaction) =>
      newDelivery(transaction, {
        webhookId: newWebhookId(transaction),
        endpointId: null,
        url,
        secret: secretFor(transaction.seed, url),
        type: 'webhook.test',
        subjectId: 'webhook-test',
        merchantId: null,
        body,
        mode: 'test',
        pause: 0,
        dueAt: null,
      }),
    );
    const sent = await this.#sender.send(delivery, async () => undefined);
    await session.transact((transaction) => keepAttempt(transaction, delivery.id, sent));
    const outcome =
      sent.error === null ? `delivered: ${sent.status} in ${sent.ms} ms` : `failed in ${sent.ms} ms: ${sent.error}`;
    return { 'X-Sandbox-Delivery': delivery.id, 'X-Sandbox-Delivery-Outcome': outcome.replace(/[^\x20-\x7e]/g, '?') };
  }

  /** Breaks off what is under way; it stays pending, and is sent after the next start under the same webhook-id. */
  close(): void {
    this.#isClosed = true;
    this.#sender.close();
  }

  async #inLane(url: string, work: () => Promise<void>): Promise<void> {
    const lane = this.#lanes.get(url) ?? { active: 0, waiting: new Set<() => void>() };
    this.#lanes.set(url, lane);
    if (lane.active >= AT_ONCE) {
      await new Promise<void>((resume) => lane.waiting.add(resume));
    } else {
      lane.active += 1;
    }
    try {
      await work();
    } finally {
      const [next] = lane.waiting;
      if (next) {
        lane.waiting.delete(next);
        next();
      } else {
        lane.active -= 1;
        if (lane.active === 0) {
          this.#lanes.delete(url);
        }
      }
    }
  }
}

/** A delivery once more, now, under the same webhook-id. */
export function replay(transaction: Transaction, delivery: Delivery): Delivery {
  const again: Delivery = {
    ...delivery,
    state: 'pending',
    dueAt: transaction.now,
    mode: delivery.mode === 'slow' ? 'normal' : delivery.mode,
  };
  transaction.put('deliveries', again);
  return again;
}

async function keepAttempt(transaction: Transaction, id: string, sent: Sent): Promise<void> {
  const delivery = await transaction.get('deliveries', id);
  if (!delivery) {
    return;
  }
  const attempts = [...delivery.attempts, { at: transaction.now, ...sent }];
  const { webhookRetries } = transaction.fixtures.times;
  const delay = delivery.mode === 'test' ? undefined : webhookRetries[failuresIn(attempts) - 1];
  const facts = {
    status: sent.status,
    error: sent.error,
    subject: delivery.subjectId,
    event: delivery.type,
    attempt: attempts.length,
  };
  if (sent.error === null) {
    transaction.put('deliveries', { ...delivery, attempts, state: 'delivered', dueAt: null });
    transaction.emit('delivery.succeeded', 'deliveries', id, facts);
  } else if (delay === undefined) {
    transaction.put('deliveries', { ...delivery, attempts, state: 'failed', dueAt: null });
    transaction.emit('delivery.given-up', 'deliveries', id, facts);
  } else {
    const jitter = 1 + JITTER * (2 * transaction.ids.chance() - 1);
    const dueAt = transaction.now + Math.round(addDuration(0, delay) * jitter);
    transaction.put('deliveries', { ...delivery, attempts, dueAt });
    transaction.emit('delivery.failed', 'deliveries', id, { ...facts, nextAttemptAt: formatUtc(dueAt) });
  }
}

function failuresIn(attempts: Delivery['attempts']): number {
  return attempts.filter(({ error }) => error !== null).length;
}
