import type { Delivery } from '../../base/schema/generated/records.ts';
import { SeededIds } from '../../base/seeded-ids.ts';
import type { Instant } from '../../base/time.ts';
import { headersOf, type JobContext, type Sender, type SendResult } from '../../server/index.ts';

/** The response times of the receiver: the minimum, and the range above it. */
const [MIN_RESPONSE_MS, RESPONSE_RANGE_MS] = [14, 90];
const TIMEOUT_MS = 15_000;
/** The share of attempts that time out while the receiver is down; the others get an error. */
const TIMEOUT_SHARE = 0.3;

/** The time in which the receiver is down. */
export interface Outage {
  from: Instant;
  to: Instant;
}

/** Simulates the receiver during the sample week, in which it is down for one afternoon. After that week, notifications are really sent. */
export class WeekReceiver {
  #outage: Outage | undefined;

  /** A sender that delivers to this receiver during the week, and uses the real sender after it. */
  wrap(sender: Sender): Pick<Sender, 'send'> {
    return { send: (delivery, context) => this.#send(sender, delivery, context) };
  }

  beginWeek(outage: Outage): void {
    this.#outage = outage;
  }

  endWeek(): void {
    this.#outage = undefined;
  }

  async #send(sender: Sender, delivery: Delivery, context: Pick<JobContext, 'signal' | 'sleep'>): Promise<SendResult> {
    const outage = this.#outage;
    if (!outage) {
      return sender.send(delivery, context);
    }
    const { id, dueAt, createdAt, attempts } = delivery;
    const at = dueAt ?? createdAt;
    const chance = new SeededIds(`${id} ${attempts.length}`, 0).chance();
    const headers = headersOf(delivery, Math.floor(at / 1000));
    if (at < outage.from || at >= outage.to) {
      const ms = Math.round(MIN_RESPONSE_MS + chance * RESPONSE_RANGE_MS);
      return { headers, status: 204, ms, error: null, response: '' };
    }
    return chance < TIMEOUT_SHARE
      ? {
          headers,
          status: null,
          ms: TIMEOUT_MS,
          error: `no answer within ${TIMEOUT_MS / 1000} seconds`,
          response: null,
        }
      : {
          headers,
          status: 500,
          ms: Math.round(MIN_RESPONSE_MS + chance * RESPONSE_RANGE_MS),
          error: 'the endpoint answered with 500',
          response: '{"message":"too many connections"}',
        };
  }
}
