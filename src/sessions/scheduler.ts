import TinyQueue from 'tinyqueue';
import type { CollectionName } from '../store/store.ts';
import type { Instant } from '../time.ts';
import { afterThisTurn } from '../timers.ts';
import type { Clock } from './clock.ts';

/** When something is due: for a record that is kept, or for a caller that waits. */
type Entry =
  | { dueAt: Instant; order: number; collection: CollectionName; id: string }
  | { dueAt: Instant; order: number; resume: () => void };

/** Does what is due for one record at that instant. What it returns is awaited before time moves on. */
export type WhenDue = (collection: CollectionName, id: string, dueAt: Instant) => Promise<void>;

/** Collections whose work goes out over the network: it must not hold up what else is due at the same instant. */
const IN_BACKGROUND: ReadonlySet<CollectionName> = new Set(['deliveries']);

/**
 * What a session still has to do, in order of time, then of arrival. Records say themselves when they are due
 * (`due`), so the agenda is only an index over them and is rebuilt from them at start.
 */
export class Agenda {
  readonly #clock: Clock;
  readonly #whenDue: WhenDue;
  readonly #onError: (error: unknown) => void;
  #queue = emptyQueue();
  readonly #background = new Set<Promise<void>>();
  #order = 0;
  #onPush: () => void = () => undefined;
  #running: Promise<void> | undefined;
  #wakePlanned = false;
  #closed = false;

  constructor(clock: Clock, whenDue: WhenDue, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#whenDue = whenDue;
    this.#onError = onError;
  }

  add(collection: CollectionName, id: string, dueAt: Instant): void {
    this.#push({ dueAt, order: this.#nextOrder(), collection, id });
  }

  /** Resolves when the session's clock has moved on by so many milliseconds. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resume) => {
      this.#push({ dueAt: this.#clock.now() + milliseconds, order: this.#nextOrder(), resume });
    });
  }

  /** When the next entry is due; undefined when there is none. */
  get nextDue(): Instant | undefined {
    return this.#queue.peek()?.dueAt;
  }

  /** Looks at the clock again, once the answers of this turn have left. */
  wake(): void {
    if (this.#wakePlanned || this.#closed) {
      return;
    }
    this.#wakePlanned = true;
    afterThisTurn(() => {
      this.#wakePlanned = false;
      this.runUntil(this.#clock.now()).catch(this.#onError);
    });
  }

  /** Runs everything due up to an instant, in order; deliveries included when `andSettle` is set. */
  async runUntil(until: Instant, andSettle = false): Promise<void> {
    while (this.#running) {
      await this.#running;
    }
    this.#running = this.#run(until, andSettle);
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
      this.#plan();
    }
  }

  /** Forget everything that is due. Callers that wait go on at once. */
  clear(): void {
    const { data } = this.#queue;
    this.#queue = emptyQueue();
    for (const entry of data) {
      if ('resume' in entry) {
        entry.resume();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#clock.cancelWake();
    this.clear();
    await this.#running;
    await Promise.allSettled(this.#background);
  }

  async #run(until: Instant, andSettle: boolean): Promise<void> {
    for (;;) {
      const entry = this.#queue.peek();
      const isDue = entry !== undefined && entry.dueAt <= until && !this.#closed;
      const isLater = !isDue || entry.dueAt > this.#clock.now();
      const isAwaited = isDue && 'resume' in entry;
      if (andSettle && this.#background.size > 0 && isLater && !isAwaited) {
        // Time stands still until the deliveries of this instant are over: what they bring about may be due earlier. But one
        // that waits for time to go on itself must not wait for its own end.
        await Promise.race([Promise.allSettled(this.#background), this.#nextPush()]);
        continue;
      }
      if (!isDue) {
        return;
      }
      this.#queue.pop();
      if (andSettle && entry.dueAt > this.#clock.now()) {
        this.#clock.moveTo(entry.dueAt);
      }
      await this.#do(entry);
    }
  }

  async #do(entry: Entry): Promise<void> {
    if ('resume' in entry) {
      entry.resume();
      return;
    }
    const work = this.#whenDue(entry.collection, entry.id, entry.dueAt).catch(this.#onError);
    if (!IN_BACKGROUND.has(entry.collection)) {
      await work;
      return;
    }
    this.#background.add(work);
    work.finally(() => this.#background.delete(work));
  }

  #push(entry: Entry): void {
    if (this.#closed) {
      return;
    }
    this.#queue.push(entry);
    this.#onPush();
    if (this.#queue.peek() === entry) {
      this.#plan();
    }
  }

  #nextPush(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPush = resolve;
    });
  }

  #plan(): void {
    const next = this.nextDue;
    if (next !== undefined && !this.#running && !this.#closed) {
      this.#clock.wakeAt(next, () => this.wake());
    }
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }
}

function emptyQueue(): TinyQueue<Entry> {
  return new TinyQueue<Entry>([], (a, b) => a.dueAt - b.dueAt || a.order - b.order);
}
