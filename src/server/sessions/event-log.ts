import type { EventType } from '../../base/schema/generated/control.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { CollectionName } from '../store/store.ts';
import { attempt } from './attempt.ts';
import { instantOf } from './clock.ts';
import { RingBuffer } from './ring-buffer.ts';

/** An event of a session, numbered from 1; after a reset again from 1. */
export interface SessionEvent {
  id: number;
  at: Instant;
  /** `<subject>.<change>`, e.g. payment.paid. */
  type: EventType;
  collection: CollectionName | null;
  subjectId: string | null;
  /** The call of the merchant API that caused it; null if none did, for example when the clock or a payer did. */
  requestId: string | null;
  /** Further facts, in the control API's words. */
  data: Readonly<Record<string, unknown>>;
}

type Listener = (event: SessionEvent) => void;

/** At least the last thousand events since the start or a reset, and listeners for further ones. */
export class EventLog extends RingBuffer<SessionEvent> {
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<Listener, () => void>();

  /** `onError` gets the errors of listeners, which must not reach other listeners or the publisher. */
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

  since(id: number): SessionEvent[] {
    return this.items.filter((event) => event.id > id);
  }

  /** The events in the log about some records, oldest first. */
  about(ids: ReadonlySet<string>): SessionEvent[] {
    return this.items.filter(({ subjectId }) => subjectId !== null && ids.has(subjectId));
  }

  /** The position at which a reader that has read all events up to an id continues. */
  positionAfter(id: number): number {
    return this.positionAfterLast((event) => event.id <= id);
  }

  /** Calls `listener` with every event, and `onEnd` once there will be no more. Returns a function that removes both. */
  listen(listener: Listener, onEnd: () => void = () => undefined): () => void {
    this.#listeners.set(listener, onEnd);
    return () => this.#listeners.delete(listener);
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  end(): void {
    for (const onEnd of this.#listeners.values()) {
      onEnd();
    }
    this.#listeners.clear();
  }
}

/** The first event after a reset or restore, which tells listeners that all earlier events are obsolete. */
export function createFirstEvent(type: EventType, { clock, counters }: SessionState, generation: number): SessionEvent {
  const id = (counters['event'] ?? 0) + 1;
  return { id, at: instantOf(clock), type, collection: null, subjectId: null, requestId: null, data: { generation } };
}
