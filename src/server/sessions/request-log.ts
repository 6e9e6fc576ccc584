import type { Finding } from '../../base/refusal.ts';
import type { CallNotice, RequestView } from '../../base/schema/generated/control.ts';
import type { Instant } from '../../base/time.ts';
import type { CollectionName } from '../store/store.ts';
import type { SessionEvent } from './event-log.ts';
import { RingBuffer } from './ring-buffer.ts';
import type { SharedMemory } from './shared-memory.ts';

/** The members of RequestView that have the same form in the log. */
type LoggedFields = Omit<
  RequestView,
  'at' | 'query' | 'headers' | 'body' | 'findings' | 'events' | 'records' | 'answer'
>;

/** One call with its request and answer, secrets masked. */
export interface LoggedRequest extends Readonly<LoggedFields> {
  readonly at: Instant;
  readonly query: Readonly<Record<string, string>>;
  /** The query as it was sent, with its question mark; empty without a query. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** All parts of a form that repeats a name, because `body` has only one for each name. Only HTTP archives and bundles contain them. */
  readonly parts?: readonly (readonly [name: string, value: unknown])[];
  /** Also the warnings of lenient validation. */
  readonly findings: readonly Finding[];
  readonly events: readonly SessionEvent[];
  readonly records: readonly { collection: CollectionName; id: string }[];
  /** null if no answer was sent, for example because of a reset or timeout fault. */
  readonly answer: { status: number; headers: Readonly<Record<string, string>>; body: string } | null;
}

/** A call, as it is shown in lists. */
export type CallSummary = Omit<CallNotice, 'at'> & Pick<LoggedRequest, 'at'>;

/** A record that calls are about. */
export interface CallSubject {
  /** `<collection> <id>`, as in Transaction.changedKeys. */
  key: string;
  merchantId: string;
  /** The merchant's references to it. */
  names: readonly string[];
}

/** A call that has ended. It is described only on demand, because most calls are never shown. */
export interface LoggedCall extends Pick<LoggedRequest, 'id' | 'operation' | 'environment' | 'fault' | 'lastEvent'> {
  /** null if no answer was sent. */
  readonly status: number | null;
  /** Whether it was refused, or has warnings. */
  readonly hasProblem: boolean;
  /** Bytes of memory, estimated. */
  readonly bytes: number;
  /** Whether it created, changed or named a record. Must be fast, because it is called for all calls. */
  isAbout(subject: CallSubject): boolean;
  /** Returns the same data each time, secrets masked. */
  describe(): LoggedRequest;
  /** The fields for lists; cheaper than `describe`. */
  summarize(): CallSummary;
}

/** The last calls of a session, in memory that all sessions share. */
export class RequestLog extends RingBuffer<LoggedCall> {
  readonly #capacity: number;
  readonly #memory: SharedMemory;
  /** Number of calls, including dropped ones, because the next call is numbered after them. */
  count = 0;
  readonly #listeners = new Map<(call: LoggedCall) => void, () => void>();

  constructor(memory: SharedMemory, capacity = 1000) {
    super(capacity);
    this.#memory = memory;
    this.#capacity = capacity;
  }

  nextId(): string {
    this.count += 1;
    return `request-${this.count}`;
  }

  override add(call: LoggedCall): readonly LoggedCall[] {
    const dropped = super.add(call);
    if (dropped.length > 0) {
      this.#memory.free(
        this,
        dropped.reduce((sum, { bytes }) => sum + bytes, 0),
      );
    }
    this.#memory.allocate(this, call.bytes);
    for (const listener of this.#listeners.keys()) {
      listener(call);
    }
    return dropped;
  }

  shrink(bytes: number): void {
    let freedBytes = 0;
    for (let first = this.removeFirst(); first; first = freedBytes < bytes ? this.removeFirst() : undefined) {
      freedBytes += first.bytes;
    }
    this.#memory.free(this, freedBytes);
  }

  /** Oldest first. */
  get calls(): readonly LoggedCall[] {
    return this.items.slice(-this.#capacity);
  }

  /** The calls about a record, oldest first. */
  about(subject: CallSubject): LoggedCall[] {
    return this.calls.filter((call) => call.isAbout(subject));
  }

  /** Calls `listener` with every ended call, and `onForgotten` after each `forget`. Returns a function that removes both. */
  listen(listener: (call: LoggedCall) => void, onForgotten: () => void = () => undefined): () => void {
    this.#listeners.set(listener, onForgotten);
    return () => this.#listeners.delete(listener);
  }

  find(id: string): LoggedRequest | undefined {
    return this.items.find((call) => call.id === id)?.describe();
  }

  /** `count` continues, because events name calls by number. */
  forget(): void {
    this.#memory.free(this);
    this.clear();
    for (const onForgotten of this.#listeners.values()) {
      onForgotten();
    }
  }
}
