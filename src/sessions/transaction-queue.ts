import { OutcomeUnknown } from '../base/refusal.ts';
import type { SessionState } from '../base/schema/records.ts';
import type { Instant } from '../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Change, Store } from '../store/store.ts';
import type { Addresses } from './addresses.ts';
import { attempt } from './attempt.ts';
import { type Clock, instantOf } from './clock.ts';
import type { SessionEvent } from './event-log.ts';
import { type EndReason, Generation } from './generation.ts';
import { idsOf, type SeededIds } from './ids.ts';
import { Transaction } from './transaction.ts';

export interface TransactOptions {
  /** The instant that the work belongs to; left out, it is now. */
  at?: Instant | undefined;
  /** The generation that the work belongs to; left out, the present one. */
  generation?: Generation;
  /** The call of the merchant API that the work belongs to; left out, none. */
  cause?: Cause;
}

/** A call of the merchant API, as what it makes happen knows it. */
export interface Cause {
  readonly id: string;
  /** Called once what a transaction of the call changed is durable, unless its generation has ended by then. */
  committed(transaction: Transaction): void;
}

/** What all work of one call of the merchant API belongs to. */
export interface CallContext {
  generation: Generation;
  cause: Cause;
}

interface CommitOptions {
  /** Forget everything that was kept before. */
  wipe?: boolean;
  events?: readonly SessionEvent[];
  /** Called before the followers. */
  whenKept?(): void;
}

/** What the queue needs of its session. */
export interface QueueParts {
  name: string;
  store: Store;
  clock: Clock;
  fixtures: () => Fixtures;
  addresses: () => Addresses;
  /** Records that follow from events, put into the same transaction. */
  onEvents(transaction: Transaction, events: readonly SessionEvent[]): Promise<void>;
  /** What follows from a commit, once it is durable, unless its generation has ended by then. */
  followers: readonly ((changes: readonly Change[], events: readonly SessionEvent[]) => void)[];
  /** Called with what goes wrong there. */
  onError(error: unknown): void;
  /** Called when the store could not keep commits, and the session stands as it did before them. */
  onRollback(state: SessionState): void;
}

/** Runs a session's transactions one after another, and keeps what they commit: the only one that writes to the store. */
export class TransactionQueue {
  readonly #parts: QueueParts;
  #generation: Generation;
  #state: SessionState;
  #ids: SeededIds;
  /** The work that runs, or ran last; the next waits for it. */
  #tail: Promise<unknown> = Promise.resolve();
  /** Settles when the last commit is durable, and with it all before it, and what follows from them was begun. */
  #durable: Promise<void> = Promise.resolve();
  #latest: Promise<unknown> = Promise.resolve();
  /** How many commits the state has behind it. */
  #commits = 0;
  #kept = 0;
  /** How often commits were rolled back because the store could not keep them, and why it was last. */
  #rolledBack: { times: number; reason: unknown } = { times: 0, reason: undefined };

  constructor(state: SessionState, parts: QueueParts) {
    this.#parts = parts;
    this.#state = state;
    this.#generation = new Generation(parts.name, state.generation);
    this.#ids = idsOf(parts.name, state);
  }

  get state(): SessionState {
    return this.#state;
  }

  get generation(): Generation {
    return this.#generation;
  }

  /** How many commits were kept, or may have been. */
  get kept(): number {
    return this.#kept;
  }

  /** Resolves when every commit so far is durable; rejects, where one may not be, with what those are told who did not make it. */
  async durable(): Promise<void> {
    try {
      await this.#durable;
    } catch (error) {
      throw toOthers(error);
    }
  }

  /**
   * Resolves when all that can be seen is durable and nobody else can have changed it. Whoever changed nothing is told no result before,
   * nor why it was refused. Throws StaleGeneration where the generation is over; left out, where the session is.
   */
  async confirm(generation?: Generation): Promise<void> {
    await this.durable();
    (generation ?? this.#generation).expectCurrent();
    this.#parts.store.expectHeld(this.#parts.name);
  }

  /** Runs work while nothing changes, and all that it can see is durable. */
  atRest<T>(work: () => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await this.#durable.catch(ignore);
      return work();
    });
  }

  /** Resolves when all transactions that were begun before are over. */
  async settled(): Promise<void> {
    await this.#latest.catch(ignore);
  }

  /**
   * Runs one transaction alone, commits what it changed (with the outbox's records) and resolves with its result when
   * that, and all it saw, is durable. The next one starts as soon as this one's changes are seen, not when they are on
   * disk, so that many answers share one write. Throws StaleGeneration where its generation is over; nothing is kept then.
   * Only OutcomeUnknown leaves open whether it was kept.
   */
  transact<T>(work: (transaction: Transaction) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    const call = this.#transact(work, options);
    this.#latest = call;
    return call;
  }

  /** Keeps the session's state with what the clock says now. */
  async keepState(): Promise<void> {
    const { kept } = await this.#alone(async () => {
      this.#generation.expectCurrent();
      return { kept: this.#commit({ ...this.#state, clock: this.#parts.clock.state }, []) };
    });
    await kept;
  }

  /**
   * Ends the present generation and begins the next with other records, in one commit that nobody sees the inside of.
   * `whenBegun` is called in that same moment, `whenKept` once the commit is durable: until then it may be rolled back.
   */
  async beginGeneration(
    reason: EndReason,
    next: (state: SessionState) => { state: SessionState; changes: readonly Change[] },
    { whenBegun, whenKept }: { whenBegun(): void; whenKept(): void },
  ): Promise<void> {
    const { kept } = await this.#alone(async () => {
      this.#generation.expectCurrent();
      const { state, changes } = next(this.#state);
      const number = this.#generation.number + 1;
      this.#generation.end(reason);
      this.#generation = new Generation(this.#parts.name, number);
      this.#ids = idsOf(this.#parts.name, { ...state, generation: number });
      const event = firstEvent(`session.${reason}`, state, number);
      const counters = { ...state.counters, event: event.id };
      const kept = this.#commit({ ...state, counters, generation: number }, changes, {
        wipe: true,
        events: [event],
        whenKept,
      });
      whenBegun();
      return { kept };
    });
    await kept;
  }

  /** Resolves when no transaction is under way. */
  async close(): Promise<void> {
    await this.#tail;
  }

  async #transact<T>(work: (transaction: Transaction) => Promise<T>, options: TransactOptions): Promise<T> {
    const { at, generation = this.#generation, cause } = options;
    let performed: { result: T; kept: Promise<void> | undefined };
    try {
      performed = await this.#alone(() => this.#perform(work, generation, at, cause));
    } catch (error) {
      await this.confirm(generation);
      throw error;
    }
    // What is kept is so, and stands on what was, whoever has the session by now; what only looked must look at the present.
    await (performed.kept ?? this.confirm());
    return performed.result;
  }

  async #perform<T>(
    work: (transaction: Transaction) => Promise<T>,
    generation: Generation,
    at: Instant | undefined,
    cause: Cause | undefined,
  ): Promise<{ result: T; kept: Promise<void> | undefined }> {
    generation.expectCurrent();
    const { name, store, fixtures, addresses, clock, onEvents } = this.#parts;
    const { times } = this.#rolledBack;
    const { rngPosition } = this.#ids;
    const transaction = new Transaction({
      name,
      store,
      fixtures: fixtures(),
      addresses: addresses(),
      ids: this.#ids,
      state: this.#state,
      now: at ?? clock.now(),
      requestId: cause?.id ?? null,
    });
    try {
      const result = await work(transaction);
      if (transaction.events.length > 0) {
        await onEvents(transaction, transaction.events);
      }
      generation.expectCurrent();
      if (times !== this.#rolledBack.times) {
        // It saw changes that there are no more.
        throw this.#rolledBack.reason;
      }
      return { result, kept: this.#commitTransaction(transaction, cause) };
    } catch (error) {
      if (times !== this.#rolledBack.times) {
        this.#ids.rewind(this.#state.rngPosition);
        throw this.#rolledBack.reason;
      }
      this.#ids.rewind(rngPosition);
      throw error;
    }
  }

  /** Undefined where it has changed nothing. */
  #commitTransaction(transaction: Transaction, cause: Cause | undefined): Promise<void> | undefined {
    const { changes, events, counters = this.#state.counters, scenario } = transaction;
    const { rngPosition } = this.#ids;
    const before = this.#state;
    const isChanged =
      changes.length > 0 ||
      counters !== before.counters ||
      scenario !== before.scenario ||
      rngPosition !== before.rngPosition;
    if (!isChanged) {
      return undefined;
    }
    const state = { ...before, clock: this.#parts.clock.state, rngPosition, counters, scenario };
    return this.#commit(state, changes, { events, whenKept: () => cause?.committed(transaction) });
  }

  #commit(state: SessionState, changes: readonly Change[], options: CommitOptions = {}): Promise<void> {
    const { wipe = false, events = [], whenKept = () => undefined } = options;
    const generation = this.#generation;
    const before = { state: this.#state, durable: this.#durable };
    this.#state = state;
    this.#commits += 1;
    const number = this.#commits;
    // Not before it is kept: what is due at once, a notification too, must neither outlive its commit nor overtake the answer.
    const kept = this.#parts.store.commit({ session: this.#parts.name, wipe, state, changes }).then(() => {
      this.#kept += 1;
      if (!generation.ended) {
        this.#follow([whenKept, ...this.#parts.followers.map((follower) => () => follower(changes, events))]);
      }
    });
    this.#durable = kept;
    // Those who depend on it hear of a failure by waiting for it.
    kept.catch((reason) => {
      this.#kept += reason instanceof OutcomeUnknown ? 1 : 0;
      this.#rollBack(number, before, reason);
    });
    return kept;
  }

  /** A commit stays kept whatever goes wrong with what follows from it: that is told to nobody who waits for it. */
  #follow(steps: readonly (() => void)[]): void {
    for (const step of steps) {
      attempt(step, this.#parts.onError);
    }
  }

  /** The store kept neither this commit nor later ones: what comes next goes on from the one before. */
  #rollBack(number: number, before: { state: SessionState; durable: Promise<void> }, reason: unknown): void {
    if (number <= this.#commits) {
      this.#commits = number - 1;
      this.#state = { ...before.state, generation: this.#generation.number };
      this.#durable = before.durable;
      this.#ids = idsOf(this.#parts.name, this.#state);
      this.#rolledBack = { times: this.#rolledBack.times + 1, reason: toOthers(reason) };
      this.#parts.onRollback(this.#state);
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(work);
    this.#tail = run.catch(ignore);
    return run;
  }
}

/** Whoever follows the events hears that all it knew is over. */
function firstEvent(type: string, { clock, counters }: SessionState, generation: number): SessionEvent {
  const id = (counters['event'] ?? 0) + 1;
  return { id, at: instantOf(clock), type, collection: null, subjectId: null, requestId: null, data: { generation } };
}

function toOthers(error: unknown): unknown {
  return error instanceof OutcomeUnknown ? error.toOthers : error;
}

function ignore(): void {
  // Whoever called hears of the failure.
}
