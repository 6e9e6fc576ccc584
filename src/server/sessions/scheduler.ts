import { Mutex } from '../../base/mutex.ts';
import type { Steps } from '../../base/steps.ts';
import { type Instant, LAST_CLOCK_INSTANT } from '../../base/time.ts';
import { endOfTurn, newTurnPause } from '../../base/timers.ts';
import { type DueCollection, type DueRecord, dueAtOf, type RecordChange } from '../store/store.ts';
import { attempt } from './attempt.ts';
import { type ClockMove, moveClock } from './clock-move.ts';
import { type Generation, StaleGeneration } from './generation.ts';
import type { JobTable } from './job.ts';
import { type ClockWait, type DueJob, JobIndex, type RecordJob } from './job-index.ts';
import { type JobHost, JobRunner } from './job-runner.ts';
import type { RunningJob } from './running-jobs.ts';

export type JobStatus = DueJob & Pick<RunningJob, 'kind' | 'waitsFor'> & { state: 'queued' | 'running' };

/**
 * Owns all work that outlives a commit: only the scheduler starts, stops and finishes jobs. Records contain the instant at which they
 * are due (`dueAt`), so its index is rebuilt from them at the start.
 */
export class Scheduler {
  readonly #host: JobHost;
  readonly #jobs: JobTable;
  readonly #index: JobIndex;
  readonly #runner: JobRunner;
  /** Runs of due jobs and moves of the clock take place one after another. */
  readonly #mutex = new Mutex();
  #isCatchUpPlanned = false;
  #catchUpRun: Promise<void> | undefined;
  #unfinishedMoves = 0;
  /** Active moves, which run all that is due. A set, because one can start before the previous one has finished. */
  readonly #activeMoves = new Set<ClockMove>();
  #isStopped = false;
  /** Why an outcome could not be written; undefined if all were written since the last move began. */
  #recordingError: unknown;
  #changeWaiters: (() => void)[] = [];

  constructor(host: JobHost, jobs: JobTable) {
    this.#host = host;
    this.#jobs = jobs;
    this.#index = new JobIndex(jobs);
    this.#runner = new JobRunner(host, {
      waitUntil: this.waitUntil.bind(this),
      onChange: () => this.#onChange(),
      onUnrecorded: (error) => {
        this.#recordingError = error;
      },
      onEnd: (running) => {
        this.#updateIndex(running, running.nextDueAt);
        this.#onChange();
      },
    });
  }

  get collections(): readonly DueCollection[] {
    return this.#index.collections;
  }

  get nextDueAt(): Instant | undefined {
    return this.#index.peek()?.dueAt;
  }

  /** When the next job of any kind is due; undefined if all are routine jobs, or it is due after the last instant of a clock. */
  get nextDueUnlessIdle(): Instant | undefined {
    const next = this.#index.hasNonRoutineJobs ? this.nextDueAt : undefined;
    return next === undefined || next > LAST_CLOCK_INSTANT ? undefined : next;
  }

  /** The job that is due next; undefined if no job is due, or a waiting caller comes first. */
  get next(): Pick<JobStatus, 'kind' | 'collection' | 'recordId'> | undefined {
    const next = this.#index.peek();
    if (next === undefined || 'resume' in next) {
      return undefined;
    }
    const { collection, recordId } = next;
    return { kind: this.#kindOf(collection), collection, recordId };
  }

  /** Resolves when the jobs due by now, except those on the network, are done. Undefined if they are, or if a move of the clock runs them. */
  get catchUpRun(): Promise<void> | undefined {
    return this.#unfinishedMoves === 0 ? this.#catchUpRun : undefined;
  }

  /** Called once a commit is durable. */
  onCommit(changes: readonly RecordChange[]): void {
    for (const { collection, id: recordId, record } of changes) {
      const job = this.#jobs.get(collection);
      if (job) {
        this.#acceptDue({ collection: job.collection, recordId }, dueAtOf(record));
      }
    }
    this.#onChange();
  }

  /** Replaces the due records of a collection in the index. Running jobs continue. */
  replaceDue(collection: DueCollection, dueRecords: readonly DueRecord[]): void {
    this.#index.removeAll(collection);
    // A record with an invalid id must not prevent the jobs of the others.
    for (const { id: recordId, dueAt } of dueRecords) {
      attempt(() => this.#acceptDue({ collection, recordId }, dueAt), this.#host.onError);
    }
    this.#onChange();
  }

  /** Resolves when the session's clock has reached an instant, or the generation or the sandbox ends. */
  waitUntil(dueAt: Instant, generation: Generation, onResume: () => void = () => undefined): Promise<void> {
    if (this.#isStopped || generation.hasEnded) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const resume = () => {
        onResume();
        resolve();
      };
      this.#index.addWait({ dueAt, resume });
      this.#onChange();
    });
  }

  /** Resolves once a record has no job due by `by` (without `by`: no job at all), or at a stop. Throws StaleGeneration if the generation ends. */
  async waitUntilDone(job: RecordJob, generation: Generation, by?: Instant): Promise<void> {
    generation.assertCurrent();
    // A job that was requested again while it ran is due again.
    while ((this.#index.has(job, by) || this.#runner.runningJobs.get(job)) && !this.#isStopped) {
      if (this.#runner.runningJobs.release(job)) {
        this.#onChange();
      }
      await (this.#runner.runningJobs.get(job)?.completion ?? this.#nextChange());
      generation.assertCurrent();
    }
    await this.#runner.runningJobs.get(job)?.completion;
    generation.assertCurrent();
  }

  /**
   * Moves the clock and runs everything due on the way, in order and at its instant. Moves run one after another. Throws StaleGeneration if
   * the generation or the sandbox ends first; the next generation's clock does not move. Throws if an outcome could not be written.
   */
  async move(move: ClockMove): Promise<void> {
    const { generation } = this.#host.queue;
    const wake = () => this.#onChange();
    move.signal?.addEventListener('abort', wake, { once: true });
    this.#unfinishedMoves += 1;
    try {
      await this.#mutex.run(() => {
        this.#recordingError = undefined;
        return moveClock(move, {
          clock: this.#host.clock,
          onBegin: () => this.#activeMoves.add(move),
          assertActive: () => {
            generation.assertCurrent();
            if (this.#isStopped) {
              throw new StaleGeneration('', 'stopped');
            }
            if (this.#recordingError !== undefined) {
              throw this.#recordingError;
            }
          },
          next: (by) => this.#next(by),
          run: (next) => this.#start(next, true),
          isTimeHeld: () => this.#runner.runningJobs.isTimeHeld,
          runAtRest: (work) => this.#host.queue.runAtRest(work),
          nextChange: () => this.#nextChange(),
        });
      });
    } finally {
      this.#unfinishedMoves -= 1;
      this.#activeMoves.delete(move);
      move.signal?.removeEventListener('abort', wake);
      this.#onChange();
    }
  }

  get load(): { queued: number; running: number } {
    return { queued: this.#index.size, running: this.#runner.runningJobs.size };
  }

  /** The jobs in progress, then the queued jobs in no particular order. */
  *inspect(where: (job: DueJob) => boolean = () => true): Steps<JobStatus[]> {
    const activeJobs = this.#runner.runningJobs.list().filter(where);
    const statuses = activeJobs.map(({ kind, collection, recordId, dueAt, waitsFor }): JobStatus => {
      return { kind, collection, recordId, dueAt, state: 'running', waitsFor };
    });
    for (const job of yield* this.#index.jobs(where)) {
      statuses.push({ kind: this.#kindOf(job.collection), ...job, state: 'queued', waitsFor: null });
      yield;
    }
    return statuses;
  }

  /** Aborts the jobs of the generation that has just ended, and starts no more of them. */
  endGeneration(): void {
    this.#runner.abort(new Error('the session was reset'));
    this.#resumeAll();
  }

  /** Aborts the jobs on the network, which stay due, and starts no more. Resolves when these and the local ones have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#host.clock.cancelWake();
    const completions = this.#runner.stop();
    this.#resumeAll();
    await Promise.allSettled([...completions, this.#mutex.idle()]);
  }

  #kindOf(collection: DueCollection): string {
    return this.#jobs.get(collection)?.kind ?? collection;
  }

  #resumeAll(): void {
    for (const { resume } of this.#index.clear()) {
      resume();
    }
    this.#onChange();
  }

  #acceptDue(job: RecordJob, dueAt: Instant | null): void {
    const running = this.#runner.runningJobs.get(job);
    if (running) {
      // A record has one job at a time: the next one is queued when this one has ended.
      running.nextDueAt = dueAt;
    } else {
      this.#updateIndex(job, dueAt);
    }
  }

  #updateIndex({ collection, recordId }: RecordJob, dueAt: Instant | null): void {
    if (dueAt === null) {
      this.#index.remove({ collection, recordId });
    } else {
      this.#index.put({ collection, recordId, dueAt });
    }
  }

  #onChange(): void {
    for (const resume of this.#changeWaiters.splice(0)) {
      resume();
    }
    this.#runner.runningJobs.wakeFirst();
    const { clock } = this.#host;
    const next = this.nextDueAt;
    if (next !== undefined && !this.#isStopped) {
      if (next > clock.now()) {
        // Also wakes a move that waits for receivers, because jobs that are due by now need not wait for them.
        clock.wakeAt(next, () => this.#onChange());
      } else if (this.#activeMoves.size === 0) {
        this.#planCatchUp();
      }
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#changeWaiters.push(resolve));
  }

  /** Runs due jobs once the answers of this turn have been sent. */
  #planCatchUp(): void {
    if (this.#isCatchUpPlanned) {
      return;
    }
    this.#isCatchUpPlanned = true;
    const run = endOfTurn()
      .then(() => {
        this.#isCatchUpPlanned = false;
        return this.#mutex.run(() => this.#catchUp());
      })
      .catch(this.#host.onError)
      .finally(() => {
        if (this.#catchUpRun === run) {
          this.#catchUpRun = undefined;
        }
        this.#onChange();
      });
    this.#catchUpRun = run;
  }

  async #catchUp(): Promise<void> {
    const { generation } = this.#host.queue;
    const until = this.#host.clock.now();
    const pause = newTurnPause();
    let next = this.#next(until);
    for (; next && !generation.hasEnded && !this.#isStopped && this.#activeMoves.size === 0; next = this.#next(until)) {
      await this.#start(next, this.#host.clock.isFrozen);
      await pause();
    }
  }

  #next(by: Instant | undefined): DueJob | ClockWait | undefined {
    const next = this.#index.peek();
    const isWanted = by === undefined ? this.nextDueUnlessIdle !== undefined : next && next.dueAt <= by;
    return isWanted ? next : undefined;
  }

  async #start(next: DueJob | ClockWait, isOrdered: boolean): Promise<void> {
    this.#index.pop();
    if ('resume' in next) {
      next.resume();
      // The caller that waited begins its transaction before time moves on.
      await endOfTurn();
      return;
    }
    const job = this.#jobs.get(next.collection);
    await (job && this.#runner.start(job, next, isOrdered));
  }
}
