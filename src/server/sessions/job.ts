import type { JobFailure } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { CollectionName, DueCollection, Records } from '../store/store.ts';
import type { Reader } from './reader.ts';
import type { Transaction } from './transaction.ts';

/** Each collection with due records has one kind of job, and each record contains the instant at which its job is due (`dueAt`). */
interface JobFacts<C extends DueCollection> {
  /** Its name in the control API, e.g. settle-payment. */
  kind: string;
  collection: C;
  /** It recurs daily, and nobody waits for it. A session in which only routine jobs are due is idle. */
  isRoutine?: true;
  /** Records the failure in the record, which must not be due for the same step again; later steps may still be due. */
  fail(transaction: Transaction, record: Records[C], failure: JobFailure): void;
}

/** A job that consists of one transaction. */
export interface LocalJob<C extends DueCollection = DueCollection> extends JobFacts<C> {
  run(transaction: Transaction, record: Records[C]): Promise<void>;
}

export interface JobContext {
  /** Fires when the session is reset, restored, deleted or taken over by another process, and when the sandbox stops. */
  signal: AbortSignal;
  isFrozen: boolean;
  reader: Reader;
  /** Waits on the session's clock. Rejects when the signal fires. */
  sleep(milliseconds: number): Promise<void>;
}

/** A job on the network: sent outside of transactions, then recorded in one. */
export interface NetworkJob<C extends DueCollection = DueCollection, Outcome = unknown> extends JobFacts<C> {
  /** A lane limits how many jobs are sent at once. With a width of 1, an outcome is recorded before the next job is sent. */
  lane(record: Records[C]): { name: string; width: number };
  send(record: Records[C], context: JobContext): Promise<Outcome>;
  /** `sentRecord` is the record as it was sent, `record` as it is now. */
  recordOutcome(
    transaction: Transaction,
    record: Records[C],
    sentRecord: Records[C],
    outcome: Outcome,
    claimedAt: Instant,
  ): Promise<void> | void;
  /** Records that a stop of the sandbox aborted the job. It stays due. */
  recordAbort(transaction: Transaction, record: Records[C], outcome: Outcome, claimedAt: Instant): void;
}

export type Job = LocalJob | NetworkJob;

/** The job of each collection; those due at the same instant run in this order. One table serves all sessions. */
export type JobTable = ReadonlyMap<CollectionName, Job>;

export function jobTableOf(jobs: readonly Job[]): JobTable {
  return new Map(jobs.map((job) => [job.collection, job]));
}

/** A row of the job table. The scheduler passes each row only records of its collection. */
export function localJob<C extends DueCollection>(job: LocalJob<C>): Job {
  return job;
}

export function networkJob<C extends DueCollection, Outcome>(job: NetworkJob<C, Outcome>): Job {
  return job;
}

/** Name of a record's job in a history. */
export function jobNameOf({ kind }: Pick<Job, 'kind'>, { recordId }: { recordId: string }): string {
  return `${kind} ${recordId}`;
}
