import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { membersOf } from '../../base/members.ts';
import { Recent } from '../../base/recent.ts';
import { membersIn } from '../body.ts';
import type { Exchange } from '../recording.ts';

const USUAL_STATUS = 200;
/** Notifications whose first attempts are remembered at least, for those that were taken first and refused later. */
const MOST_TAKEN = 10_000;

/** What the merchant's program answered to the attempts at a notification, in order; null where it answered nothing. */
type Statuses = (number | null)[];

/** What the merchant's program answered to notifications. */
export class RecordedAnswers {
  /** How many attempts were recorded. */
  attempts = 0;
  /** By notification, of those that were not all answered as usual: most are, and take no memory. */
  readonly unusual = new Map<string, Statuses>();
  readonly #usual = new Recent<number>(MOST_TAKEN);
  readonly #keys = new NotificationKeys();

  take(exchange: Exchange): void {
    if (exchange.kind !== 'notification') {
      return;
    }
    this.attempts += 1;
    const key = this.#keys.of(membersIn(exchange.body));
    const status = exchange.answer?.status ?? null;
    const before = this.#usual.use(key) ?? 0;
    const known = this.unusual.get(key);
    if (known) {
      known.push(status);
    } else if (status === USUAL_STATUS) {
      this.#usual.set(key, before + 1);
    } else {
      this.unusual.set(key, [...Array<number>(before).fill(USUAL_STATUS), status]);
    }
  }
}

/** Which notification an attempt is at: a payment's first status or a later one, whatever words are used for them. */
class NotificationKeys {
  readonly #statuses = new Recent<string[]>(MOST_TAKEN);

  of({ paymentReference, status }: Record<string, unknown>): string {
    const reference = JSON.stringify(paymentReference ?? null);
    const known = this.#statuses.use(reference) ?? [];
    if (!known.includes(String(status))) {
      known.push(String(status));
      this.#statuses.set(reference, known);
    }
    return `${reference} ${known.indexOf(String(status))}`;
  }
}

/** A receiver of notifications on a port of its own. */
export interface Receiver {
  url: string;
  close(): Promise<void>;
}

/** Starts a receiver that answers the n-th attempt at a notification as the merchant's program answered the n-th one, and 200 later. */
export async function startReceiver({ unusual }: Pick<RecordedAnswers, 'unusual'>): Promise<Receiver> {
  const counts = new Map<string, number>();
  const keys = new NotificationKeys();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = statusFor(keys.of(membersOf(parsed(await text(request)))));
    if (status === null) {
      request.socket.destroy();
      return;
    }
    response.statusCode = status;
    // The next one to be left unanswered would be sent again at once, had it arrived on a kept connection.
    response.setHeader('Connection', 'close');
    response.end();
  }

  function statusFor(key: string): number | null {
    const statuses = unusual.get(key);
    if (!statuses) {
      return USUAL_STATUS;
    }
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const status = statuses[count];
    return status === undefined ? USUAL_STATUS : status;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
