import type { SessionState } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { CollectionName } from '../store/store.ts';
import { attempt } from './attempt.ts';
import { instantOf } from './clock.ts';
import { Tail } from './tail.ts';

/** Something that happened in a session, numbered from 1 within it. */
export interface SessionEvent {
  id: number;
  at: Instant;
  /** `<thing>.<what happened>`, e.g. payment.paid. */
  type: string;
  /** The record that it happened to. */
  collection: CollectionName | null;
  subjectId: string | null;
  /** The call of the merchant API that made it happen; null where none did, as where the clock or a payer did. */
  requestId: string | null;
  /** Further facts, in the control API's words. */
  data: Readonly<Record<string, unknown>>;
}

type Listener = (event: SessionEvent) => void;

/** The last events of a session, a thousand at least, and who listens for the next. */
export class EventLog extends Tail<SessionEvent> {
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<Listener, () => void>();

  /** `onError` is called with what goes wrong with a listener, which is kept from the others and from who publishes. */
  constructor(onError: (error: unknown) => void, capacity = 1000) {
    super(capacity);
    this.#onError = onError;
  }

  publish(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.add(event);
      for (const listener of this.#listeners.keys()) {
        attempt(() => listener(event), this.#onError);
      }
    }
  }

  /** What is still in the log after an event id. */
  since(id: number): SessionEvent[] {
    return this.items.filter((event) => event.id > id);
  }

  /** What is still in the log about some records, oldest first. */
  about(ids: ReadonlySet<string>): SessionEvent[] {
    return this.items.filter(({ subjectId }) => subjectId !== null && ids.has(subjectId));
  }

  /** Where a reader goes on who has read up to an event id. */
  placeAfter(id: number): number {
    return this.placeOfLast((event) => event.id > id);
  }

  /** Calls back with every event, and once when there will be no more. Returns how to stop listening. */
  listen(listener: Listener, onEnd: () => void = () => undefined): () => void {
    this.#listeners.set(listener, onEnd);
    return () => this.#listeners.delete(listener);
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** There will be no more events: whoever listens is told. */
  end(): void {
    for (const onEnd of this.#listeners.values()) {
      onEnd();
    }
    this.#listeners.clear();
  }
}

/** Whoever follows the events hears that all it knew is over. */
export function firstEvent(type: string, { clock, counters }: SessionState, generation: number): SessionEvent {
  const id = (counters['event'] ?? 0) + 1;
  return { id, at: instantOf(clock), type, collection: null, subjectId: null, requestId: null, data: { generation } };
}
