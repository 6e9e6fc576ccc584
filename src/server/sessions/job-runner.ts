import { messageOf } from '../../base/errors.ts';
import { isRefusedAs } from '../../base/refusal.ts';
import type { Instant } from '../../base/time.ts';
import { type DueCollection, dueAtOf, type Records } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { type Generation, StaleGeneration } from './generation.ts';
import { type Job, type JobContext, jobNameOf, type LocalJob, type NetworkJob } from './job.ts';
import type { DueJob } from './job-index.ts';
import { Lanes } from './lanes.ts';
import { changeWait, type RunningJob, RunningJobs } from './running-jobs.ts';
import type { TransactionQueue } from './transaction-queue.ts';

export interface JobHost {
  readonly clock: Clock;
  readonly queue: TransactionQueue;
  /** `error` is a refusal, or a bug in the sandbox itself. */
  onJobFailed(kind: string, recordId: string, error: unknown): void;
  onError(error: unknown): void;
}

/** The parts of the scheduler that the runner needs. */
interface SchedulerParts {
  /** Waits on the session's clock; `onResume` is called at the moment the wait ends. */
  waitUntil(dueAt: Instant, generation: Generation, onResume: () => void): Promise<void>;
  onChange(): void;
  /** Called when an outcome could not be written. */
  onUnrecorded(error: unknown): void;
  onEnd(running: RunningJob): void;
}

interface SendOutcome {
  sentRecord: Records[DueCollection];
  outcome: unknown;
}

/** Runs local jobs in a transaction that checks the record again; sends network jobs. Records outcomes and failures. */
export class JobRunner {
  readonly runningJobs = new RunningJobs();
  readonly #host: JobHost;
  readonly #scheduler: SchedulerParts;
  /** Created on first use, because most sessions send nothing. */
  #lanes: Lanes | undefined;
  #isStopped = false;

  constructor(host: JobHost, scheduler: SchedulerParts) {
    this.#host = host;
    this.#scheduler = scheduler;
  }

  /** Resolves when a local job is done; a job on the network continues by itself. */
  async start(job: Job, dueJob: DueJob, isOrdered: boolean): Promise<void> {
    const { clock, queue } = this.#host;
    const isLocal = 'run' in job;
    const running: RunningJob = {
      collection: dueJob.collection,
      recordId: dueJob.recordId,
      dueAt: dueJob.dueAt,
      kind: job.kind,
      claimedAt: clock.now(),
      lane: null,
      nextDueAt: null,
      waitsFor: isLocal ? null : 'network',
      isOrdered,
      abortController: new AbortController(),
      completion: Promise.resolve(),
    };
    this.runningJobs.add(running);
    running.completion = this.#run(job, running, queue.generation);
    if (isLocal) {
      await running.completion;
    } else {
      this.#scheduler.onChange();
    }
  }

  /** Aborts all jobs. Outcomes that still arrive are dropped, except after `stop`: then they are recorded as aborted. */
  abort(reason: Error): Promise<void>[] {
    this.#lanes = undefined;
    return this.runningJobs.abort(reason).map(({ completion }) => completion);
  }

  stop(): Promise<void>[] {
    this.#isStopped = true;
    return this.abort(new Error('the sandbox was stopped'));
  }

  async #run(job: Job, running: RunningJob, generation: Generation): Promise<void> {
    try {
      await ('run' in job ? this.#runLocal(job, running, generation) : this.#runOnNetwork(job, running, generation));
    } catch (error) {
      await this.#fail(job, running, generation, error);
    }
    if (this.runningJobs.remove(running)) {
      this.#scheduler.onEnd(running);
    }
  }

  async #runLocal(job: LocalJob, dueJob: DueJob, generation: Generation): Promise<void> {
    await this.#host.queue.transact(
      async (transaction) => {
        const record = transaction.get(dueJob.collection, dueJob.recordId);
        if (record && dueAtOf(record) === dueJob.dueAt) {
          await job.run(transaction, record);
        }
      },
      { generation, job: jobNameOf(job, dueJob), at: dueJob.dueAt },
    );
  }

  async #runOnNetwork(job: NetworkJob, running: RunningJob, generation: Generation): Promise<void> {
    const { collection, recordId } = running;
    const { signal } = running.abortController;
    this.#lanes ??= new Lanes();
    const lanes = this.#lanes;
    const claimedRecord = this.#host.queue.reader().get(collection, recordId);
    if (!claimedRecord) {
      return;
    }
    const lane = job.lane(claimedRecord);
    running.lane = lane.name;
    await lanes.enter(lane, signal, (isWaiting) => {
      running.waitsFor = isWaiting ? 'lane' : 'network';
      this.#scheduler.onChange();
    });
    let hasSlot = true;
    const leave = () => {
      if (hasSlot) {
        lanes.leave(lane.name);
      }
      hasSlot = false;
    };
    try {
      const result = await this.#send(job, running, generation);
      if (lane.width > 1) {
        leave();
      }
      if (result && (!signal.aborted || this.#isStopped)) {
        await this.#recordOutcome(job, running, generation, result);
      }
    } finally {
      leave();
    }
  }

  /** Undefined if the job was aborted, or its record is not due at that instant any more. */
  async #send(job: NetworkJob, running: RunningJob, generation: Generation): Promise<SendOutcome | undefined> {
    const { collection, recordId, dueAt, abortController } = running;
    // Read again, because the wait for a slot may have been long.
    const sentRecord = abortController.signal.aborted ? undefined : this.#host.queue.reader().get(collection, recordId);
    if (!sentRecord || dueAtOf(sentRecord) !== dueAt) {
      return undefined;
    }
    const outcome = await job.send(sentRecord, this.#contextOf(running, generation));
    // Time must not move before the outcome is recorded, even if the job did not wait for the end of its sleep.
    changeWait(running, 'time', 'network');
    return { sentRecord, outcome };
  }

  async #recordOutcome(
    job: NetworkJob,
    running: RunningJob,
    generation: Generation,
    { sentRecord, outcome }: SendOutcome,
  ): Promise<void> {
    const { collection, recordId, claimedAt, abortController } = running;
    const isAborted = abortController.signal.aborted;
    if (running.isOrdered && !isAborted) {
      changeWait(running, 'network', 'turn');
      await this.runningJobs.waitForTurn(running);
      changeWait(running, 'turn', 'network');
    }
    await this.#host.queue.transact(
      async (transaction) => {
        const record = transaction.get(collection, recordId);
        if (record && isAborted) {
          job.recordAbort(transaction, record, outcome, claimedAt);
        } else if (record) {
          await job.recordOutcome(transaction, record, sentRecord, outcome, claimedAt);
        }
      },
      { generation, job: jobNameOf(job, running) },
    );
  }

  #contextOf(running: RunningJob, generation: Generation): JobContext {
    const { signal } = running.abortController;
    return {
      signal,
      isFrozen: this.#host.clock.isFrozen,
      reader: this.#host.queue.reader(),
      sleep: async (milliseconds) => {
        changeWait(running, 'network', 'time');
        await this.#scheduler.waitUntil(this.#host.clock.now() + milliseconds, generation, () =>
          changeWait(running, 'time', 'network'),
        );
        signal.throwIfAborted();
      },
    };
  }

  /**
   * A failed job is reported by its record, an event and the log; not if the generation or the sandbox has ended, or another process has
   * the session. If the outcome could not be stored, the record is unchanged, and the job runs again once changes can be stored.
   */
  async #fail(job: Job, dueJob: DueJob, generation: Generation, error: unknown): Promise<void> {
    if (error instanceof StaleGeneration || isRefusedAs(error, 'moved') || generation.hasEnded || this.#isStopped) {
      return;
    }
    if (isRefusedAs(error, 'storage', 'outcome-unknown')) {
      this.#scheduler.onUnrecorded(error);
      return;
    }
    const reason = messageOf(error);
    const { collection, recordId } = dueJob;
    try {
      this.#host.onJobFailed(job.kind, recordId, error);
      await this.#host.queue.transact(
        async (transaction) => {
          const record = transaction.get(collection, recordId);
          if (record && dueAtOf(record) === dueJob.dueAt) {
            job.fail(transaction, record, { at: transaction.now, reason });
            transaction.emit('job.failed', collection, recordId, { kind: job.kind, reason });
          }
        },
        { generation, job: jobNameOf(job, dueJob) },
      );
    } catch (failure) {
      if (isRefusedAs(failure, 'storage', 'outcome-unknown')) {
        this.#scheduler.onUnrecorded(failure);
      } else {
        this.#host.onError(failure);
      }
    }
  }
}
