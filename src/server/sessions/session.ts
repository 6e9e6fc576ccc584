import type { Awaitable } from '../../base/awaitable.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { steadyNow } from '../../base/timers.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { RecordChange, SessionSnapshot } from '../store/store.ts';
import type { TransactOptions } from './call-context.ts';
import { CallOutcomes } from './call-outcomes.ts';
import { Clock } from './clock.ts';
import { ClockMover } from './clock-mover.ts';
import { EventLog } from './event-log.ts';
import type { EndReason, Generation } from './generation.ts';
import { type RecordedHistory, SessionHistory } from './history.ts';
import { type CallCounts, NO_CALLS } from './history-entry.ts';
import { Listeners } from './listeners.ts';
import type { Epoch, Reader } from './reader.ts';
import { RequestLog } from './request-log.ts';
import { Scheduler } from './scheduler.ts';
import { type Addresses, addressesOf } from './session-addresses.ts';
import type { SessionParts } from './session-parts.ts';
import { snapshotOf } from './snapshot.ts';
import type { Transaction } from './transaction.ts';
import { TransactionQueue } from './transaction-queue.ts';

/** Everything that two tests must not share: records, clock, ids, scenario, endpoints, request log. */
export class Session {
  readonly name: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly events: EventLog;
  /** Notified of changed records once the changes are durable. */
  readonly changes = new Listeners<readonly RecordChange[]>();
  readonly requests: RequestLog;
  readonly history: SessionHistory;
  readonly clockMover: ClockMover;
  readonly callOutcomes: CallOutcomes;
  readonly #parts: SessionParts;
  readonly #queue: TransactionQueue;
  #addresses: Addresses | undefined;
  #usedAt = steadyNow();

  constructor(name: string, state: SessionState, parts: SessionParts) {
    this.name = name;
    this.#parts = parts;
    this.clock = new Clock(state.clock);
    this.requests = new RequestLog(parts.requestLogMemory);
    const { hooks } = parts;
    this.history = new SessionHistory(this, parts.historyMemory);
    this.clockMover = new ClockMover(this, hooks.onError);
    this.events = new EventLog(hooks.onError);
    const queue = new TransactionQueue(state, {
      ...parts,
      ...hooks,
      name,
      clock: this.clock,
      history: this.history,
      addresses: () => this.addresses,
      commitListeners: [
        (changes) => this.#schedule(changes),
        (changes) => this.changes.notify(changes, hooks.onError),
        (_, events) => this.events.publish(events),
        (changes, events) => hooks.onPublished(this.reader, events, changes),
      ],
      onRollback: ({ clock }) => {
        if (!this.clock.isSetTo(clock)) {
          this.clock.set(clock);
        }
        this.beginHistory('changes could not be stored');
      },
    });
    this.#queue = queue;
    this.callOutcomes = new CallOutcomes(queue);
    this.scheduler = new Scheduler({ ...hooks, clock: this.clock, queue }, hooks.jobs);
  }

  get state(): SessionState {
    return this.#queue.state;
  }

  get generation(): Generation {
    return this.#queue.generation;
  }

  get installationKey(): Buffer {
    return this.#parts.installationKey;
  }

  get fixtures(): Fixtures {
    return this.#parts.fixtures();
  }

  markUsed(): void {
    this.#usedAt = steadyNow();
  }

  get unusedMs(): number {
    return steadyNow() - this.#usedAt;
  }

  /** Known only once the sandbox listens. */
  get addresses(): Addresses {
    this.#addresses ??= addressesOf(this.#parts.publicUrl(), this.name);
    return this.#addresses;
  }

  get epoch(): Epoch {
    return this.#queue.epoch;
  }

  /** The session as it is now; see TransactionQueue. */
  get reader(): Reader {
    return this.#queue.reader();
  }

  /** Runs work that only reads; see TransactionQueue. */
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<TransactOptions, 'generation'>): Promise<T> {
    return this.#queue.read(work, options);
  }

  /** Resolves when all that readers see is durable. Rejects if it cannot be stored, the session ended, or another process may have it. */
  confirm(): Promise<void> {
    return this.#queue.confirm();
  }

  /** Runs one transaction; see TransactionQueue. */
  transact<T>(work: (transaction: Transaction) => Awaitable<T>, options?: TransactOptions): Promise<T> {
    return this.#queue.transact(work, options);
  }

  /** Makes the state durable without a transaction, after a move of the clock or for a new session. */
  commitState(): Promise<void> {
    return this.#queue.commitState();
  }

  snapshot(): Promise<SessionSnapshot> {
    return this.#queue.runAtRest(() => snapshotOf(this.reader, this.state));
  }

  snapshotWithHistory(): Promise<{ snapshot: SessionSnapshot; history: RecordedHistory | undefined }> {
    return this.#queue.runAtRest(async () => {
      const history = this.history.contents;
      return { history, snapshot: await snapshotOf(this.reader, this.state) };
    });
  }

  /** Removes all records and resets ids, scenario, behaviour and clock to those of the start. */
  reset(): Promise<void> {
    return this.#beginGeneration('reset', ({ start, behaviour: _, forkedFrom: __, ...settings }) => ({
      state: { ...settings, ...start, start, rngPosition: 0, counters: {} },
    }));
  }

  /** Replaces the state and all records in one commit. */
  restore(snapshot: SessionSnapshot): Promise<void> {
    return this.#beginGeneration('restored', () => snapshot, NO_CALLS, 'a state was put into the session');
  }

  /** Continues another session from its state and its number of calls. The history begins with them, or continues the given one. */
  continueFrom(snapshot: SessionSnapshot, calls: CallCounts, history?: RecordedHistory): Promise<void> {
    const { session: name, at } = snapshot.state.forkedFrom ?? {};
    const because = name === undefined ? 'it continues another session' : `it is a fork of session ${name} after ${at}`;
    return this.#beginGeneration('restored', () => snapshot, calls, because, history);
  }

  /** Rebuilds the scheduler's index from the records, after a start or a missed change, and begins a history unless it has one. */
  resume(): Promise<void> {
    return this.#queue.runAtRest(async () => {
      if (!this.history.isBegun) {
        this.beginHistory('the session was loaded from its stored data');
      }
      for (const collection of this.generation.hasEnded ? [] : this.scheduler.collections) {
        this.scheduler.replaceDue(collection, await this.#parts.store.due(this.name, collection));
      }
    });
  }

  /** Forgets the history and begins a new one; `because` says why it is incomplete. */
  beginHistory(because: string): void {
    if (!this.generation.hasEnded) {
      this.history.begin({ ...this.state, clock: this.clock.state }, because);
    }
  }

  /** Aborts running work without waiting for it. `deletion` rejects if the store could not delete the session. */
  end(reason: EndReason, deletion: Promise<void> = Promise.resolve()): void {
    this.callOutcomes.onSessionEnd(deletion);
    this.generation.end(reason);
    this.scheduler.endGeneration();
    this.events.end();
    this.requests.forget();
    this.history.forget();
  }

  /** Starts no more jobs and ends the event streams; calls in progress can finish. */
  async stop(): Promise<void> {
    this.events.end();
    await this.scheduler.stop();
    await this.#queue.runAtRest(async () => undefined);
  }

  #schedule(changes: readonly RecordChange[]): void {
    try {
      this.scheduler.onCommit(changes);
    } catch (error) {
      // Records contain the instants at which they are due, so the index can be rebuilt.
      this.resume().catch(this.#parts.hooks.onError);
      throw error;
    }
  }

  async #beginGeneration(
    reason: Extract<EndReason, 'reset' | 'restored'>,
    snapshotFrom: (state: SessionState) => SessionSnapshot,
    calls: CallCounts = NO_CALLS,
    cutBecause?: string,
    history?: RecordedHistory,
  ): Promise<void> {
    const { count } = this.requests;
    try {
      await this.#queue.beginGeneration(reason, snapshotFrom, {
        onBegin: () => {
          this.clock.set(this.state.clock);
          this.scheduler.endGeneration();
          // A call that arrives before the commit is on disk belongs to the new generation, and so does its number.
          this.requests.count = calls.merchant;
          if (history) {
            this.history.continue(history);
          } else {
            this.history.begin(this.state, cutBecause, calls);
          }
        },
        onDurable: () => {
          this.events.clear();
          this.requests.forget();
        },
      });
    } catch (error) {
      this.requests.count = Math.max(count, this.requests.count);
      throw error;
    }
  }
}
