import type { CollectionName } from '../store/store.ts';
import type { Instant } from '../time.ts';

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

/** The last events of a session, and who listens for the next. */
export class EventLog {
  readonly #capacity: number;
  readonly #listeners = new Map<Listener, () => void>();
  #events: SessionEvent[] = [];

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  publish(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      for (const listener of this.#listeners.keys()) {
        listener(event);
      }
    }
    // Cutting at twice the capacity keeps a publish cheap however many events there were.
    if (this.#events.length > this.#capacity * 2) {
      this.#events = this.#events.slice(-this.#capacity);
    }
  }

  /** What is still in the log after an event id. */
  since(id: number): SessionEvent[] {
    return this.#events.filter((event) => event.id > id);
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

  clear(): void {
    this.#events = [];
  }
}
