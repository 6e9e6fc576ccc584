import { afterMilliseconds } from '../base/timers.ts';
import type { ControlConnection } from './connection.ts';
import { collectDiagnostics } from './diagnostics.ts';
import type { DeliveryAnswer, ShownEvent } from './shown.ts';
import type { WaitOptions } from './wait-options.ts';
import { WaitTimeoutError } from './wait-timeout-error.ts';

/** Less than the time limit of tests in common runners, because otherwise the wait's error would not be shown. */
const USUAL_TIMEOUT = 3000;
/** The longest that a timer can be set to: 24 days. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Collections of the records that deliveries are about, by the first word of the type. */
const LISTS: Readonly<Record<string, string>> = { payment: 'payments', payout: 'payouts' };
/** The members by which a merchant may name a payment. */
const REFERENCES = ['payerReference', 'paymentId', 'paymentCode'] as const;

/** Events after which the session counts its event ids from the beginning. */
const BEGINNINGS: ReadonlySet<string> = new Set(['session.reset', 'session.restored']);

/** The part of ControlConnection that waits use. */
type Control = Pick<ControlConnection, 'call' | 'events'>;

/** The most events that a session stores. */
const MAX_EVENTS = 2000;

/** Events that the waits of one client have returned, so that each is returned once. */
class Returned {
  #events: ShownEvent[] = [];
  #generation: unknown;

  get events(): readonly ShownEvent[] {
    return this.#events;
  }

  /** Forgets earlier events when the session was reset or restored. */
  see({ type, data }: ShownEvent): void {
    if (BEGINNINGS.has(type) && data['generation'] !== this.#generation) {
      this.#generation = data['generation'];
      this.#events = [];
    }
  }

  has({ id }: ShownEvent): boolean {
    return this.#events.some((event) => event.id === id);
  }

  /** Keeps only as many events as the session does, because older ones cannot be returned again. */
  add(event: ShownEvent): void {
    this.#events.push(event);
    this.#events.splice(0, this.#events.length - MAX_EVENTS);
  }
}

/** The event that a wait is for. */
interface Wanted<Found> {
  /** In the words of its errors. */
  words: string;
  isAboutDeliveries: boolean;
  /** The payment or payout, by id or reference. */
  subject?: string | undefined;
  returned: Returned;
  /** What an event leads to; undefined where it is not the one. */
  find(event: ShownEvent, signal: AbortSignal): Promise<Found | undefined>;
}

/** Waits on a session's event stream, by no clock but for their time limit; they never ask again and again. */
export class Waits {
  readonly #control: Control;
  readonly #session: string;
  readonly #returned = { events: new Returned(), deliveries: new Returned() };

  constructor(control: Control, session: string) {
    this.#control = control;
    this.#session = session;
  }

  forEvent(type: string, options: WaitOptions = {}): Promise<ShownEvent> {
    return this.#next(
      {
        words: `event ${type}`,
        isAboutDeliveries: type.startsWith('delivery.'),
        returned: this.#returned.events,
        find: async (event) => (event.type === type ? event : undefined),
      },
      options,
    );
  }

  forDelivery(subject: string | undefined, options: WaitOptions = {}): Promise<DeliveryAnswer> {
    return this.#next(
      {
        words: subject === undefined ? 'delivery' : `delivery about ${subject}`,
        isAboutDeliveries: true,
        subject,
        returned: this.#returned.deliveries,
        find: async (event, signal) =>
          event.type === 'delivery.succeeded' &&
          (subject === undefined || (await this.#isAbout(event, subject, signal)))
            ? this.#control.call('GET', `/webhooks/deliveries/${event.subjectId}`, undefined, signal)
            : undefined,
      },
      options,
    );
  }

  /** Whether a delivery's payment or payout has that id or reference. */
  async #isAbout({ data }: ShownEvent, subject: string, signal: AbortSignal): Promise<boolean> {
    const { subject: id, event } = data as { subject: string; event: string };
    const [thing = ''] = event.split('.');
    if (id === subject || !Object.hasOwn(LISTS, thing)) {
      return id === subject;
    }
    const path = `/${LISTS[thing]}/${encodeURIComponent(id)}`;
    const record = await this.#control.call<Record<string, unknown>>('GET', path, undefined, signal);
    return REFERENCES.some((name) => record[name] === subject);
  }

  async #next<Found>(
    { words, find, returned, ...about }: Wanted<Found>,
    { since, timeout = USUAL_TIMEOUT }: WaitOptions,
  ): Promise<Found> {
    checkTimeout(timeout);
    const limit = new AbortController();
    const cancel = afterMilliseconds(timeout, () => limit.abort());
    const events: ShownEvent[] = [];
    try {
      for await (const event of this.#control.events({ since: since ?? 0, signal: limit.signal })) {
        returned.see(event);
        events.push(event);
        const isOver = since === undefined && returned.has(event);
        const found = isOver ? undefined : await find(event, limit.signal);
        // Another wait may have taken it in between.
        if (found !== undefined && (since !== undefined || !returned.has(event))) {
          returned.add(event);
          return found;
        }
      }
    } catch (error) {
      if (limit.signal.aborted) {
        const seen = { events, returned: returned.events, ...(await collectDiagnostics(this.#control, about)) };
        throw new WaitTimeoutError(`no ${words} within ${timeout} ms in session ${this.#session}`, seen);
      }
      throw error;
    } finally {
      cancel();
    }
    throw new Error(`the sandbox closed, or deleted session ${this.#session}, before there was any ${words}`);
  }
}

function checkTimeout(timeout: unknown): void {
  if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= LONGEST_TIMEOUT)) {
    throw new TypeError(`timeout must be milliseconds from 0 to ${LONGEST_TIMEOUT}, not ${String(timeout)}`);
  }
}
