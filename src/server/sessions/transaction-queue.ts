import { type Awaitable, whenReady } from '../../base/awaitable.ts';
import { Mutex } from '../../base/mutex.ts';
import { isRefusedAs, OutcomeUnknown } from '../../base/refusal.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { SeededIds } from '../../base/seeded-ids.ts';
import type { Instant } from '../../base/time.ts';
import type { RecordChange, SessionSnapshot } from '../store/store.ts';
import { attempt } from './attempt.ts';
import { STANDARD_BEHAVIOUR, withBehaviour } from './behaviour-name.ts';
import type { TransactOptions } from './call-context.ts';
import { createFirstEvent, type SessionEvent } from './event-log.ts';
import { type EndReason, Generation } from './generation.ts';
import type { Epoch, Reader } from './reader.ts';
import type { QueueParts } from './session-parts.ts';
import { type ReaderParts, SessionReader } from './session-reader.ts';
import { changesOf } from './snapshot.ts';
import { Transaction } from './transaction.ts';

const MAX_READ_ATTEMPTS = 10;

type Work<T> = (transaction: Transaction) => Awaitable<T>;

interface PerformedWork<T> {
  result: T;
  /** Resolves when its commit is durable, rejects if it was rolled back; undefined if nothing was changed. */
  completion: Promise<void> | undefined;
}

interface CommitOptions {
  /** Delete all records before the changes are applied. */
  wipe?: boolean;
  events?: readonly SessionEvent[];
  /** The id of the call of the merchant API, or the name of the job. */
  cause?: string | undefined;
  /** Called before the commit listeners. */
  onDurable?(): void;
}

/** Runs a session's transactions one after another and commits their changes. Nothing else commits to the store. */
export class TransactionQueue {
  readonly #parts: QueueParts;
  #generation: Generation;
  #state: SessionState;
  #ids: SeededIds;
  #epoch: Epoch = {};
  readonly #mutex = new Mutex();
  /** Resolves when the last commit and all before it are durable and their listeners were called; rejects if one was rolled back. */
  #lastCompletion: Promise<void> = Promise.resolve();
  #commits = 0;
  #storedCommits = 0;
  /** Why the last commits were rolled back. */
  #rollbackReason: unknown;

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

  get epoch(): Epoch {
    return this.#epoch;
  }

  /** Includes commits that may have been stored. */
  get storedCommits(): number {
    return this.#storedCommits;
  }

  /** Resolves when every commit so far is durable; otherwise rejects with a refusal for a caller that changed nothing itself. */
  async waitUntilDurable(): Promise<void> {
    try {
      await this.#lastCompletion;
    } catch (error) {
      throw refusalForOthers(error);
    }
  }

  /**
   * Resolves when everything that readers see is durable and no other process can have changed it. A caller that changed nothing must
   * await this before it returns a result or an error. Throws StaleGeneration if the generation has ended; without one, if the session has.
   */
  async confirm(generation?: Generation): Promise<void> {
    await this.waitUntilDurable();
    (generation ?? this.#generation).assertCurrent();
    this.#parts.store.assertOwned(this.#parts.name);
  }

  /**
   * A reader of the session as it is now. It waits for no other work, and may see changes that are not durable yet. Its reads throw
   * StaleGeneration once its generation has ended.
   */
  reader(generation = this.#generation): Reader {
    return new SessionReader(this.#readerParts(generation));
  }

  /**
   * Runs work that only reads, and resolves when the commits that it saw are durable. If those could not be written, the work runs again,
   * a few times. Without a generation, it also runs again after a reset or a restore; with one, or once the session has ended, this
   * throws StaleGeneration. Throws `moved` at once.
   */
  async read<T>(
    work: (reader: Reader) => Promise<T>,
    { generation: requested }: Pick<TransactOptions, 'generation'> = {},
  ): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      const generation = requested ?? this.#generation;
      generation.assertCurrent();
      const reader = this.reader(generation);
      const [result] = await Promise.allSettled([work(reader)]);
      try {
        await this.confirm(generation);
        this.#assertNotRolledBack(reader.epoch);
      } catch (error) {
        const hasEnded = generation.hasEnded && (requested !== undefined || generation === this.#generation);
        if (attempts === MAX_READ_ATTEMPTS || hasEnded || isRefusedAs(error, 'moved')) {
          throw error;
        }
        continue;
      }
      if (result.status === 'rejected') {
        throw result.reason;
      }
      return result.value;
    }
  }

  /** Runs work while nothing changes and everything that it can read is durable. */
  runAtRest<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      await this.#lastCompletion.catch(() => undefined);
      return work();
    });
  }

  /**
   * Runs one transaction alone, commits its changes (with the outbox's records) and resolves with its result when they,
   * and all commits that it saw, are durable. The next one starts when this one's changes are visible, not when they are on
   * disk, so that many answers share one write. Throws StaleGeneration if its generation has ended; then nothing is stored.
   * After OutcomeUnknown, and no other error, the changes may have been stored.
   */
  async transact<T>(work: Work<T>, options: TransactOptions = {}): Promise<T> {
    const { generation = this.#generation } = options;
    let performed: PerformedWork<T>;
    try {
      performed = await this.#mutex.run(() => this.#perform(work, generation, options));
    } catch (error) {
      await this.confirm(generation);
      throw error;
    }
    // A durable commit is valid even if another process has the session by now; a result that was only read may be outdated.
    await (performed.completion ?? this.confirm());
    return performed.result;
  }

  /** Commits the session's state with the present time of its clock. */
  async commitState(): Promise<void> {
    const { completion } = await this.#mutex.run(async () => {
      this.#generation.assertCurrent();
      return { completion: this.#commit({ ...this.#state, clock: this.#parts.clock.state }, []) };
    });
    await completion;
  }

  /**
   * Ends the current generation and begins the next one with other records, in one commit, so that no reader sees a part of it.
   * `onBegin` is called immediately, `onDurable` once the commit is durable: until then it may be rolled back.
   */
  async beginGeneration(
    reason: Extract<EndReason, 'reset' | 'restored'>,
    snapshotFrom: (state: SessionState) => SessionSnapshot,
    { onBegin, onDurable }: { onBegin(): void; onDurable(): void },
  ): Promise<void> {
    const { completion } = await this.#mutex.run(async () => {
      this.#generation.assertCurrent();
      const snapshot = snapshotFrom(this.#state);
      const { state } = snapshot;
      const number = this.#generation.number + 1;
      this.#generation.end(reason);
      this.#generation = new Generation(this.#parts.name, number);
      this.#epoch = {};
      this.#ids = idsOf(this.#parts.name, { ...state, generation: number });
      const event = createFirstEvent(`session.${reason}`, state, number);
      const counters = { ...state.counters, event: event.id };
      const completion = this.#commit({ ...state, counters, generation: number }, changesOf(snapshot), {
        wipe: true,
        events: [event],
        onDurable,
      });
      onBegin();
      return { completion };
    });
    await completion;
  }

  async #perform<T>(work: Work<T>, generation: Generation, options: TransactOptions): Promise<PerformedWork<T>> {
    generation.assertCurrent();
    const { rngPosition } = this.#ids;
    const parts = this.#readerParts(generation, options.at);
    const transaction = new Transaction(parts, this.#ids, options.cause?.id ?? null);
    const { epoch } = transaction;
    try {
      const pendingResult = whenReady(work(transaction), (result) =>
        whenReady(this.#parts.onEvents(transaction, transaction.events), () => result),
      );
      const result = pendingResult instanceof Promise ? await pendingResult : pendingResult;
      generation.assertCurrent();
      this.#assertNotRolledBack(epoch);
      return { result, completion: this.#commitTransaction(transaction, options) };
    } catch (error) {
      this.#ids.rewind(epoch === this.#epoch ? rngPosition : this.#state.rngPosition);
      this.#assertNotRolledBack(epoch);
      throw error;
    }
  }

  #readerParts(generation: Generation, at?: Instant): ReaderParts {
    const { name: sessionName, store, fixtures, addresses, clock } = this.#parts;
    return {
      sessionName,
      store,
      addresses,
      fixtures: fixtures(),
      generation,
      epoch: this.#epoch,
      state: this.#state,
      now: at ?? clock.now(),
    };
  }

  #commitTransaction(transaction: Transaction, { cause, job }: TransactOptions): Promise<void> | undefined {
    const before = this.#state;
    const { changes, events, counters = before.counters, scenario, behaviour } = transaction;
    const { rngPosition } = this.#ids;
    const hasNewBehaviour = behaviour !== (before.behaviour ?? STANDARD_BEHAVIOUR);
    const isChanged =
      changes.length > 0 ||
      counters !== before.counters ||
      scenario !== before.scenario ||
      hasNewBehaviour ||
      rngPosition !== before.rngPosition;
    if (!isChanged) {
      return undefined;
    }
    const state = hasNewBehaviour ? withBehaviour(before, behaviour) : { ...before };
    // Faster than a spread with further members.
    Object.assign(state, { clock: this.#parts.clock.state, rngPosition, counters, scenario });
    const onDurable = () => cause?.addCommit(transaction);
    return this.#commit(state, changes, { events, cause: cause?.id ?? job, onDurable });
  }

  #commit(state: SessionState, changes: readonly RecordChange[], options: CommitOptions = {}): Promise<void> {
    const { wipe = false, events = [], cause, onDurable = () => undefined } = options;
    const generation = this.#generation;
    const before = { state: this.#state, completion: this.#lastCompletion };
    this.#state = state;
    this.#commits += 1;
    const number = this.#commits;
    const { store, name, history } = this.#parts;
    history.addCommit({ state, changes, events, undo: store.undoOf(name, changes) }, cause);
    // Listeners run once it is durable, because no due job, such as a notification, may start for a commit that is rolled back, or before the answer.
    const completion = store.commit({ session: name, wipe, state, changes }).then(() => {
      this.#storedCommits += 1;
      if (!generation.hasEnded) {
        // Errors of listeners do not reach callers that wait for the commit, because it is durable nevertheless.
        for (const listener of [onDurable, ...this.#parts.commitListeners]) {
          attempt(() => listener(changes, events), this.#parts.onError);
        }
      }
    });
    this.#lastCompletion = completion;
    // Callers that await the commit get its error.
    completion.catch((reason) => {
      this.#storedCommits += reason instanceof OutcomeUnknown ? 1 : 0;
      this.#rollBack(number, before, reason);
    });
    return completion;
  }

  /** Readers of the store see neither this commit nor later ones, so the next transaction continues from the state before it. */
  #rollBack(number: number, before: { state: SessionState; completion: Promise<void> }, reason: unknown): void {
    if (number <= this.#commits) {
      this.#commits = number - 1;
      this.#state = { ...before.state, generation: this.#generation.number };
      this.#lastCompletion = before.completion;
      this.#ids = idsOf(this.#parts.name, this.#state);
      this.#epoch = {};
      this.#rollbackReason = refusalForOthers(reason);
      this.#parts.onRollback(this.#state);
    }
  }

  /** Throws if records that were read may have been rolled back. */
  #assertNotRolledBack(epoch: Epoch): void {
    if (epoch !== this.#epoch) {
      throw this.#rollbackReason;
    }
  }
}

function refusalForOthers(error: unknown): unknown {
  return error instanceof OutcomeUnknown ? error.refusalForOthers : error;
}

/** The source of random ids, at the session's position; with `differ`, its seed also depends on the name and the generation. */
function idsOf(session: string, { seed, ids, generation, rngPosition }: SessionState): SeededIds {
  return new SeededIds(ids === 'differ' ? JSON.stringify([seed, session, generation]) : seed, rngPosition);
}
