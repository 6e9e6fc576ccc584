import type { SessionState } from '../base/schema/records.ts';
import { type Instant, moveOn } from '../base/time.ts';
import { endOfTurn, steadyNow } from '../base/timers.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Change, CollectionName, FindBy, ListOptions, Page, Records } from '../store/store.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { STANDARD_BEHAVIOUR } from './behaviour-name.ts';
import { Calls } from './calls.ts';
import { Clock, type ClockState, instantOf } from './clock.ts';
import { EventLog, type SessionEvent } from './event-log.ts';
import type { EndReason, Generation } from './generation.ts';
import { Listeners } from './listeners.ts';
import type { Reader } from './reader.ts';
import { RequestLog } from './request-log.ts';
import { Scheduler } from './scheduler.ts';
import type { SessionParts } from './session-parts.ts';
import type { Transaction } from './transaction.ts';
import { TransactionQueue, type TransactOptions } from './transaction-queue.ts';

/** Events of one move of the clock that are returned at most. */
const MOST_HAPPENED = 10_000;

/** Everything that two tests must not share: records, clock, ids, scenario, endpoints, request log. */
export class Session implements Reader {
  readonly name: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly events: EventLog;
  /** Who listens for changes of records, once they are durable. */
  readonly changes = new Listeners<readonly Change[]>();
  readonly requests: RequestLog;
  readonly calls: Calls;
  readonly #parts: SessionParts;
  readonly #queue: TransactionQueue;
  #addresses: Addresses | undefined;
  #usedAt = steadyNow();

  constructor(name: string, state: SessionState, parts: SessionParts) {
    this.name = name;
    this.#parts = parts;
    this.clock = new Clock(state.clock);
    this.requests = new RequestLog(parts.requestLogSpace);
    const { store, fixtures, hooks } = parts;
    this.events = new EventLog(hooks.onError);
    const queue = new TransactionQueue(state, {
      name,
      store,
      clock: this.clock,
      fixtures,
      addresses: () => this.addresses,
      onEvents: hooks.onEvents,
      followers: [
        (changes) => this.#schedule(changes),
        (changes) => this.changes.tell(changes, hooks.onError),
        (_, events) => this.events.publish(events),
        (_, events) => hooks.onPublished(name, events),
      ],
      onError: hooks.onError,
      onRollback: ({ clock }) => {
        if (!this.clock.isSetTo(clock)) {
          this.clock.set(clock);
        }
      },
    });
    this.#queue = queue;
    this.calls = new Calls(queue);
    const host = {
      clock: this.clock,
      get generation() {
        return queue.generation;
      },
      get: this.get.bind(this),
      transact: queue.transact.bind(queue),
      settled: () => queue.settled(),
      onJobFailed: hooks.onJobFailed,
      onError: hooks.onError,
    };
    this.scheduler = new Scheduler(host, hooks.jobs);
  }

  get state(): SessionState {
    return this.#queue.state;
  }

  get generation(): Generation {
    return this.#queue.generation;
  }

  get timeline(): object {
    return this.#queue.timeline;
  }

  lastCommitted(counter: string): number {
    return this.state.counters[counter] ?? 0;
  }

  get installationKey(): Buffer {
    return this.#parts.installationKey;
  }

  get sessionName(): string {
    return this.name;
  }

  get seed(): string {
    return this.state.seed;
  }

  get scenario(): string {
    return this.state.scenario;
  }

  get behaviour(): string {
    return this.state.behaviour ?? STANDARD_BEHAVIOUR;
  }

  get now(): Instant {
    return this.clock.now();
  }

  get fixtures(): Fixtures {
    return this.#parts.fixtures();
  }

  /** Somebody called. */
  use(): void {
    this.#usedAt = steadyNow();
  }

  /** Real milliseconds since somebody called last. */
  get unusedFor(): number {
    return steadyNow() - this.#usedAt;
  }

  /** Known only once the sandbox listens; the same from then on. */
  get addresses(): Addresses {
    this.#addresses ??= addressesOf(this.#parts.publicUrl(), this.name);
    return this.#addresses;
  }

  async get<C extends CollectionName>(collection: C, id: string): Promise<Records[C] | undefined> {
    this.generation.expectCurrent();
    return this.#parts.store.get(this.name, collection, id);
  }

  async find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Promise<Records[C][]> {
    this.generation.expectCurrent();
    return this.#parts.store.find(this.name, collection, ...by);
  }

  async list<C extends CollectionName>(collection: C, options: ListOptions<Records[C]>): Promise<Page<Records[C]>> {
    this.generation.expectCurrent();
    return this.#parts.store.list(this.name, collection, options);
  }

  async all<C extends CollectionName>(collection: C): Promise<Records[C][]> {
    return (await this.list(collection, { limit: Number.MAX_SAFE_INTEGER })).items;
  }

  /** Runs work that only reads; see TransactionQueue. */
  read<T>(work: (reader: Reader) => Promise<T>, generation?: Generation): Promise<T> {
    return this.#queue.read(() => work(this), generation);
  }

  /** Resolves when all that can be seen of the session is durable. Throws `moved` where it may be another node's by now. */
  confirm(): Promise<void> {
    return this.#queue.confirm();
  }

  /** Runs one transaction; see TransactionQueue. */
  transact<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactOptions): Promise<T> {
    return this.#queue.transact(work, options);
  }

  /** Sets the clock. Where it moves on with that, everything due on the way runs first. Returns what happened. */
  setClock(stateFrom: (now: Instant) => ClockState, signal?: AbortSignal): Promise<SessionEvent[]> {
    let state = this.clock.state;
    return this.#moveClock(
      (now) => {
        state = stateFrom(now);
        return instantOf(state);
      },
      { whenThere: () => this.clock.set(state), signal },
    );
  }

  /**
   * Moves the clock on and runs everything due on the way, in order, deliveries included. Returns what happened. A signal
   * ends it between two jobs.
   */
  advance(duration: string, signal?: AbortSignal): Promise<SessionEvent[]> {
    return this.#moveClock((now) => moveOn(now, duration), { signal });
  }

  /** Moves the clock from one due instant to the next until nothing but routine is due any more that can come, or `limit` events have happened. */
  async runUntilIdle(signal?: AbortSignal, limit = 100_000): Promise<SessionEvent[]> {
    const happened: SessionEvent[][] = [];
    const next = (now: Instant) => Math.max(this.scheduler.nextAwaitedAt ?? now, now);
    for (
      let count = 0;
      !this.scheduler.isIdle && count < limit && !signal?.aborted;
      count += happened.at(-1)?.length ?? 0
    ) {
      happened.push(await this.#moveClock(next, { signal }));
      await endOfTurn();
    }
    return happened.flat();
  }

  /** Keeps a session that nothing has happened in yet. */
  keep(): Promise<void> {
    return this.#queue.keepState();
  }

  /** Back to the start: no records, no ids given out, scenario, behaviour and clock as they were made. */
  reset(): Promise<void> {
    return this.#beginGeneration('reset', ({ start, behaviour: _, ...kept }) => ({
      state: { ...kept, ...start, start, rngPosition: 0, counters: {} },
      changes: [],
    }));
  }

  /** Puts a fetched state back in one commit: the session's facts and all its records, in place of what it has. */
  restore(state: SessionState, changes: readonly Change[]): Promise<void> {
    return this.#beginGeneration('restored', () => ({ state, changes }));
  }

  /** Lets the scheduler know by the records what is due: after a start, and where something may have been missed. */
  resume(): Promise<void> {
    return this.#queue.atRest(async () => {
      for (const collection of this.generation.ended ? [] : this.scheduler.collections) {
        this.scheduler.resume(collection, await this.#parts.store.due(this.name, collection));
      }
    });
  }

  /**
   * Nothing of this session is done, read or kept any more. What is under way is told to stop, and not waited for. `dropped` settles
   * when the store has forgotten it, or has not.
   */
  end(reason: EndReason, dropped: Promise<void> = Promise.resolve()): void {
    this.calls.droppedAt(dropped);
    this.generation.end(reason);
    this.scheduler.endGeneration();
    this.events.end();
    this.requests.clear();
  }

  /** Starts no more jobs and ends the event streams; calls that are under way can still be finished. */
  async stop(): Promise<void> {
    this.events.end();
    await this.scheduler.stop();
    await this.#queue.close();
  }

  async #moveClock(
    targetOf: (now: Instant) => Instant,
    options: { whenThere?: () => void; signal?: AbortSignal | undefined },
  ): Promise<SessionEvent[]> {
    const happened: SessionEvent[] = [];
    const stopListening = this.events.listen((event) => {
      if (happened.length < MOST_HAPPENED) {
        happened.push(event);
      }
    });
    try {
      await this.scheduler.advance(targetOf, options);
      await this.#queue.keepState();
    } finally {
      stopListening();
      this.clock.tellFollowers(this.#parts.hooks.onError);
    }
    return happened;
  }

  #schedule(changes: readonly Change[]): void {
    try {
      this.scheduler.accept(changes);
    } catch (error) {
      // The records say themselves when they are due.
      this.resume().catch(this.#parts.hooks.onError);
      throw error;
    }
  }

  #beginGeneration(
    reason: EndReason,
    next: (state: SessionState) => { state: SessionState; changes: readonly Change[] },
  ): Promise<void> {
    return this.#queue.beginGeneration(reason, next, {
      whenBegun: () => {
        this.clock.set(this.state.clock);
        this.scheduler.endGeneration();
      },
      whenKept: () => {
        this.events.clear();
        this.requests.clear();
      },
    });
  }
}
