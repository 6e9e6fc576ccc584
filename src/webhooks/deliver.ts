import type { Session } from '../session/session.ts';
import type { Unit } from '../session/unit.ts';
import type { Delivery } from '../shapes/records.ts';
import { addDuration, formatUtc, type Instant } from '../time.ts';
import { afterMilliseconds } from '../turn.ts';
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
  async attempt(session: Session, id: string, due: Instant): Promise<void> {
    const delivery = await session.get('deliveries', id);
    if (delivery?.state !== 'pending' || delivery.due !== due) {
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
      await session.transact((unit) => keepAttempt(unit, delivery.id, sent));
    });
  }

  /** The webhook tester's: one attempt, at once. Resolves with headers that tell what became of it. */
  async sendSample(session: Session, url: string, body: string): Promise<Record<string, string>> {
    this.check(url);
    const delivery = await session.transact(async (unit) =>
      newDelivery(unit, {
        webhookId: newWebhookId(unit),
        endpointId: null,
        url,
        secret: secretFor(unit.seed, url),
        type: 'webhook.test',
        subjectId: 'webhook-test',
        merchantId: null,
        body,
        mode: 'test',
        pause: 0,
        due: null,
      }),
    );
    const sent = await this.#sender.send(delivery, async () => undefined);
    await session.transact((unit) => keepAttempt(unit, delivery.id, sent));
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
export function replay(unit: Unit, delivery: Delivery): Delivery {
  const again: Delivery = {
    ...delivery,
    state: 'pending',
    due: unit.now,
    mode: delivery.mode === 'slow' ? 'normal' : delivery.mode,
  };
  unit.put('deliveries', again);
  return again;
}

async function keepAttempt(unit: Unit, id: string, sent: Sent): Promise<void> {
  const delivery = await unit.get('deliveries', id);
  if (!delivery) {
    return;
  }
  const attempts = [...delivery.attempts, { at: unit.now, ...sent }];
  const { webhookRetries } = unit.fixtures.times;
  const delay = delivery.mode === 'test' ? undefined : webhookRetries[failuresIn(attempts) - 1];
  const facts = {
    status: sent.status,
    error: sent.error,
    subject: delivery.subjectId,
    event: delivery.type,
    attempt: attempts.length,
  };
  if (sent.error === null) {
    unit.put('deliveries', { ...delivery, attempts, state: 'delivered', due: null });
    unit.emit('delivery.succeeded', 'deliveries', id, facts);
  } else if (delay === undefined) {
    unit.put('deliveries', { ...delivery, attempts, state: 'failed', due: null });
    unit.emit('delivery.given-up', 'deliveries', id, facts);
  } else {
    const jitter = 1 + JITTER * (2 * unit.ids.chance() - 1);
    const due = unit.now + Math.round(addDuration(0, delay) * jitter);
    unit.put('deliveries', { ...delivery, attempts, due });
    unit.emit('delivery.failed', 'deliveries', id, { ...facts, nextAttemptAt: formatUtc(due) });
  }
}

function failuresIn(attempts: Delivery['attempts']): number {
  return attempts.filter(({ error }) => error !== null).length;
}
