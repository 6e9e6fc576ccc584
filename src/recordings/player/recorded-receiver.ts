import { membersOf } from '../../base/members.ts';
import type { RecordedNotification } from '../../base/schema/generated/recordings.ts';
import { headersOf, type Sender, type SendResult } from '../../server/index.ts';
import { membersIn } from '../body.ts';
import type { LocatedExchange } from '../recording.ts';

/** The endpoint of the sandbox while a recording is played. `RecordedReceiver` answers for it, so nothing is sent there. */
export const RECEIVER_URL = 'http://127.0.0.1/notifications';
/** The result for other endpoints, such as those in fixtures. They are not called, because a comparison must not reach real shops. */
const NOT_CALLED: SendResult = { headers: {}, status: 200, ms: 0, error: null, response: null };

/** Replaces the network. Answers each delivery attempt as the merchant's program answered it in the recording, and further ones with 200. */
export class RecordedReceiver implements Pick<Sender, 'send'> {
  /** By notification, in the order of the attempts; null for no answer. */
  readonly #statuses = new Map<string, (number | null)[]>();

  constructor(notifications: readonly LocatedExchange<RecordedNotification>[]) {
    for (const { exchange } of notifications) {
      const key = keyOf(membersIn(exchange.body));
      this.#statuses.set(key, [...(this.#statuses.get(key) ?? []), exchange.answer?.status ?? null]);
    }
  }

  async send(delivery: Parameters<Sender['send']>[0]): Promise<SendResult> {
    if (delivery.url !== RECEIVER_URL) {
      return NOT_CALLED;
    }
    const [status = 200] = this.#statuses.get(keyOf(membersOf(JSON.parse(delivery.body))))?.splice(0, 1) ?? [];
    const headers = headersOf(delivery);
    return { headers, status, ms: 0, error: errorOf(status, delivery.rules?.success), response: null };
  }
}

function keyOf({ paymentReference, status }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([paymentReference, status]);
}

/** The reason why an answer does not count as delivered; null if it does. */
function errorOf(status: number | null, success = 'any-2xx'): string | null {
  if (status === null) {
    return 'the endpoint closed the connection';
  }
  const isDelivered = status === 200 || (success !== 'only-200' && status >= 200 && status < 300);
  return isDelivered ? null : `the endpoint answered with ${status}`;
}
