import type { Fixtures } from '../config/fixtures.ts';
import type { SessionState } from '../schema/records.ts';
import type { Change, CollectionName, IndexedField, ListOptions, Page, Records, Store } from '../store/store.ts';
import { addDuration, type Instant } from '../time.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { Clock, type ClockState } from './clock.ts';
import { EventLog, type SessionEvent } from './event-log.ts';
import { SeededIds } from './ids.ts';
import { RequestLog } from './request-log.ts';
import { Agenda } from './scheduler.ts';
import { Transaction } from './transaction.ts';

/** What sessions need from the layers above them, filled in once by the composition. */
export interface SessionHooks {
  /** Records that follow from events, kept in the same commit: the outbox. */
  onEvents(transaction: Transaction, events: readonly SessionEvent[]): Promise<void>;
  /** Does what is due for a record. */
  whenDue(session: Session, collection: CollectionName, id: string, dueAt: Instant): Promise<void>;
  onError(error: unknown): void;
}

export interface SessionParts {
  store: Store;
  /** The fixtures as they stand now; they may be reloaded while the sandbox runs. */
  fixtures: () => Fixtures;
  publicUrl: () => string;
  hooks: SessionHooks;
}

/** Everything that two tests must not share: records, clock, ids, scenario, endpoints, request log. */
export class Session {
  readonly name: string;
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly events = new EventLog();
  readonly requests: RequestLog;
  /** How often each scenario rule's fault has struck; starts anew with the process. */
  readonly faultCounts = new Map<string, number>();
  readonly #parts: SessionParts;
  #ids: SeededIds;
  #state: SessionState;
  #addresses: Addresses | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(name: string, state: SessionState, parts: SessionParts) {
    this.name = name;
    this.#parts = parts;
    this.#state = state;
    this.#ids = new SeededIds(state.seed, state.rngPosition);
    this.clock = new Clock(state.clock);
    this.requests = new RequestLog();
    this.agenda = new Agenda(
      this.clock,
      (collection, id, dueAt) => parts.hooks.whenDue(this, collection, id, dueAt),
      (error) => parts.hooks.onError(error),
    );
  }

  get state(): SessionState {
    return this.#state;
  }

  get fixtures(): Fixtures {
    return this.#parts.fixtures();
  }

  /** Known only once the sandbox listens; the same from then on. */
  get addresses(): Addresses {
    this.#addresses ??= addressesOf(this.#parts.publicUrl(), this.name);
    return this.#addresses;
  }

  get<C extends CollectionName>(collection: C, id: string): Promise<Records[C] | undefined> {
    return this.#parts.store.get(this.name, collection, id);
  }

  find<C extends CollectionName>(collection: C, field: IndexedField<C>, value: string): Promise<Records[C][]> {
    return this.#parts.store.find(this.name, collection, field, value);
  }

  list<C extends CollectionName>(collection: C, options: ListOptions<Records[C]>): Promise<Page<Records[C]>> {
    return this.#parts.store.list(this.name, collection, options);
  }

  /**
   * Runs one unit of work alone, commits what it changed (with the outbox's records) and resolves with its result when
   * that is durable. The next transaction starts as soon as this one's changes are seen, not when they are on disk, so that
   * many answers share one write. `at` is the instant the work belongs to; left out, it is now.
   */
  async transact<T>(work: (transaction: Transaction) => Promise<T>, at?: Instant): Promise<T> {
    const { result, transaction, durable } = await this.#alone(() => this.#perform(work, at));
    await durable;
    // Not before: what is due at once, a notification too, must neither outlive its commit nor overtake the answer.
    this.#schedule(transaction.changes);
    if (transaction.events.length > 0) {
      this.events.publish(transaction.events);
    }
    return result;
  }

  /** Changes the session's own facts. */
  async change(facts: Partial<Pick<SessionState, 'scenario' | 'scenarios'>>): Promise<void> {
    await this.#alone(async () => this.#commitState({ ...this.#state, ...facts }));
  }

  /** Sets the clock; what is due by then runs. Returns what happened. */
  async setClock(state: ClockState): Promise<SessionEvent[]> {
    this.clock.set(state);
    await this.#alone(async () => this.#commitState({ ...this.#state, clock: state }));
    return this.#moveOn(this.clock.now());
  }

  /** Moves the clock on and runs everything due on the way, in order, deliveries included. Returns what happened. */
  async advance(duration: string): Promise<SessionEvent[]> {
    return this.#moveOn(addDuration(this.clock.now(), duration));
  }

  /** Moves the clock from one due instant to the next until nothing is due any more, or `limit` events have happened. */
  async runUntilIdle(limit = 100_000): Promise<SessionEvent[]> {
    const happened: SessionEvent[] = [];
    for (let next = this.agenda.nextDue; next !== undefined && happened.length < limit; next = this.agenda.nextDue) {
      happened.push(...(await this.#moveOn(Math.max(next, this.clock.now()))));
    }
    return happened;
  }

  /** Back to the start: no records, no ids given out, scenario and clock as they were made. */
  async restart(): Promise<void> {
    const { seed, start } = this.#state;
    await this.#reset({ ...start, seed, start, rngPosition: 0, counters: {}, scenarios: {} });
  }

  async #reset(state: SessionState): Promise<void> {
    await this.#alone(() => {
      this.agenda.clear();
      this.events.clear();
      this.requests.clear();
      this.faultCounts.clear();
      this.clock.set(state.clock);
      this.#ids = new SeededIds(state.seed, state.rngPosition);
      this.#state = state;
      return this.#parts.store.commit({ session: this.name, wipe: true, state, changes: [] });
    });
  }

  /** Puts a fetched state back: the session's facts and all its records, in place of what it has. */
  async restore(state: SessionState, changes: readonly Change[]): Promise<void> {
    await this.#reset(state);
    await this.#alone(() => this.#parts.store.commit({ session: this.name, state, changes }));
    this.#schedule(changes);
    this.agenda.wake();
  }

  /** Puts the records that were kept back on the agenda, after a start. */
  async resume(): Promise<void> {
    for (const collection of ['payments', 'payouts', 'recurringPayments', 'deliveries'] as const) {
      const { items } = await this.list<CollectionName>(collection, {
        limit: Number.MAX_SAFE_INTEGER,
        where: (record) => dueOf(record) !== null,
      });
      this.#schedule(items.map((record) => ({ collection, id: record.id, record })));
    }
  }

  async close(): Promise<void> {
    this.events.end();
    await this.agenda.close();
    await this.#tail;
  }

  async #moveOn(target: Instant): Promise<SessionEvent[]> {
    const happened: SessionEvent[] = [];
    const stopListening = this.events.listen((event) => happened.push(event));
    try {
      await this.agenda.runUntil(target, true);
      this.clock.moveTo(Math.max(target, this.clock.now()));
      await this.#alone(async () => this.#commitState({ ...this.#state, clock: this.clock.state }));
    } finally {
      stopListening();
    }
    return happened;
  }

  async #perform<T>(work: (transaction: Transaction) => Promise<T>, at: Instant | undefined) {
    const rngPosition = this.#ids.rngPosition;
    const transaction = new Transaction({
      name: this.name,
      store: this.#parts.store,
      fixtures: this.fixtures,
      addresses: this.addresses,
      ids: this.#ids,
      state: this.#state,
      now: at ?? this.clock.now(),
    });
    try {
      const result = await work(transaction);
      if (transaction.events.length > 0) {
        await this.#parts.hooks.onEvents(transaction, transaction.events);
      }
      return { result, transaction, durable: this.#commit(transaction) };
    } catch (error) {
      this.#ids.rewind(rngPosition);
      throw error;
    }
  }

  #commit(transaction: Transaction): Promise<void> | undefined {
    const { changes, counters } = transaction;
    if (changes.length === 0 && !counters && this.#ids.rngPosition === this.#state.rngPosition) {
      return undefined;
    }
    this.#state = {
      ...this.#state,
      clock: this.clock.state,
      rngPosition: this.#ids.rngPosition,
      counters: counters ?? this.#state.counters,
    };
    return this.#parts.store.commit({ session: this.name, state: this.#state, changes });
  }

  async #commitState(state: SessionState): Promise<void> {
    this.#state = state;
    await this.#parts.store.commit({ session: this.name, state, changes: [] });
  }

  #schedule(changes: readonly Change[]): void {
    for (const { collection, id, record } of changes) {
      const dueAt = dueOf(record);
      if (dueAt !== null) {
        this.agenda.add(collection, id, dueAt);
      }
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(work);
    this.#tail = run.catch(() => undefined);
    return run;
  }
}

/** When a record must be looked at next; null when never. */
export function dueOf(record: Change['record']): Instant | null {
  return record && 'dueAt' in record ? record.dueAt : null;
}
