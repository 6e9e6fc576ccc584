import { afterMilliseconds } from '../base/timers.ts';
import type { ControlConnection } from './connection.ts';
import { collectDiagnostics } from './diagnostics.ts';
import type { DeliveryAnswer, ShownEvent } from './shown.ts';
import type { WaitOptions } from './wait-options.ts';
import { WaitTimeoutError } from './wait-timeout-error.ts';

/** Less than the time limit of tests in common runners, because otherwise the wait's error would not be shown. */
const DEFAULT_TIMEOUT_MS = 3000;
/** The maximum of a timer: 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Collections of the records that deliveries are about, by the first word of the event type. */
const COLLECTIONS: Readonly<Record<string, string>> = { payment: 'payments', payout: 'payouts' };
/** Members of records by which a merchant may name a record. */
const REFERENCES = ['payerReference', 'paymentId', 'paymentCode'] as const;

/** The first events after a reset or restore. Event ids then start again from 1. */
const RESTARTS: ReadonlySet<string> = new Set(['session.reset', 'session.restored']);

/** The part of ControlConnection that waits use. */
type Control = Pick<ControlConnection, 'call' | 'events'>;

/** The most events that a session stores. */
const MAX_EVENTS = 2000;

/** Events that one client's waits of one kind have returned, so that each is returned once. */
class ReturnedEvents {
  #events: ShownEvent[] = [];
  #generation: unknown;

  get events(): readonly ShownEvent[] {
    return this.#events;
  }

  /** Forgets earlier events after a reset or restore. Generations are compared, because each wait reads the same events from the start. */
  forgetBefore({ type, data }: ShownEvent): void {
    if (RESTARTS.has(type) && data['generation'] !== this.#generation) {
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

/** The event or delivery with which a wait ends. */
interface WaitTarget<Found> {
  /** Its name in errors. */
  words: string;
  isAboutDeliveries: boolean;
  /** The payment or payout, by id or reference. */
  subject?: string | undefined;
  returned: ReturnedEvents;
  /** Resolves with the result of the wait; undefined if the event does not match. */
  find(event: ShownEvent, signal: AbortSignal): Promise<Found | undefined>;
}

/** Waits for events and deliveries of a session. Reads its event stream instead of polling. */
export class Waits {
  readonly #control: Control;
  readonly #session: string;
  readonly #returned = { events: new ReturnedEvents(), deliveries: new ReturnedEvents() };

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
    const [kind = ''] = event.split('.');
    if (id === subject || !Object.hasOwn(COLLECTIONS, kind)) {
      return id === subject;
    }
    const path = `/${COLLECTIONS[kind]}/${encodeURIComponent(id)}`;
    const record = await this.#control.call<Record<string, unknown>>('GET', path, undefined, signal);
    return REFERENCES.some((name) => record[name] === subject);
  }

  async #next<Found>(
    { words, find, returned, ...about }: WaitTarget<Found>,
    { since, timeout = DEFAULT_TIMEOUT_MS }: WaitOptions,
  ): Promise<Found> {
    checkTimeout(timeout);
    const limit = new AbortController();
    const cancel = afterMilliseconds(timeout, () => limit.abort());
    const events: ShownEvent[] = [];
    try {
      for await (const event of this.#control.events({ since: since ?? 0, signal: limit.signal })) {
        returned.forgetBefore(event);
        events.push(event);
        const isReturned = () => since === undefined && returned.has(event);
        const match = isReturned() ? undefined : await find(event, limit.signal);
        // Another wait may have returned the event while `find` was running.
        if (match !== undefined && !isReturned()) {
          returned.add(event);
          return match;
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
  if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= MAX_TIMEOUT_MS)) {
    throw new TypeError(`timeout must be milliseconds from 0 to ${MAX_TIMEOUT_MS}, not ${String(timeout)}`);
  }
}
