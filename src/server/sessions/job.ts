import type { Instant } from '../../base/time.ts';
import type { CollectionName, DueCollection, Records } from '../store/store.ts';
import type { Reader } from './reader.ts';
import type { Transaction } from './transaction.ts';

/** Why a job could not be done: a fault of ours, kept with the record. */
export interface JobFailure {
  at: Instant;
  reason: string;
}

/** What jobs of both sorts say of themselves. A collection has one kind of job; its records say when it is due (`dueAt`). */
interface JobFacts<C extends DueCollection> {
  /** What the control API calls it, e.g. settle-payment. */
  kind: string;
  collection: C;
  /** It comes round by itself, day by day, and nobody waits for it: a session with nothing else to do is idle. */
  isRoutine?: true;
  /** Leaves the record in a state that says that its job could not be done, with nothing due any more. */
  fail(transaction: Transaction, record: Records[C], failure: JobFailure): void;
}

/** A job that one transaction does. */
export interface LocalJob<C extends DueCollection = DueCollection> extends JobFacts<C> {
  run(transaction: Transaction, record: Records[C]): Promise<void>;
}

/** What a job on the network can use while it runs. */
export interface JobContext {
  /** Fires when the session is reset, restored or deleted, and when the sandbox stops. */
  signal: AbortSignal;
  /** Whether the session's clock only moves when it is told to. */
  isFrozen: boolean;
  /** The session as it is now. */
  reader: Reader;
  /** Waits by the session's clock, which may move on meanwhile. Rejects when the signal fires. */
  sleep(milliseconds: number): Promise<void>;
}

/** A job that goes out over the network: sent outside of transactions, then recorded in one. */
export interface NetworkJob<C extends DueCollection = DueCollection, Outcome = unknown> extends JobFacts<C> {
  /** Jobs of one lane share so many places. Where there is but one, a job has it until it is recorded, so that the next one sees what came of it. */
  lane(record: Records[C]): { name: string; width: number };
  send(record: Records[C], context: JobContext): Promise<Outcome>;
  /** Keeps what became of it. `sent` is the record as it was sent, `record` as it is now. */
  record(
    transaction: Transaction,
    record: Records[C],
    sent: Records[C],
    outcome: Outcome,
    claimedAt: Instant,
  ): Promise<void> | void;
  /** Keeps that it was cut off by a stop of the sandbox. It stays due. */
  recordCutOff(transaction: Transaction, record: Records[C], outcome: Outcome, claimedAt: Instant): void;
}

export type Job = LocalJob | NetworkJob;

/** The job of each collection; those due at the same instant run in this order. One table serves all sessions. */
export type JobTable = ReadonlyMap<CollectionName, Job>;

export function tableOf(jobs: readonly Job[]): JobTable {
  return new Map(jobs.map((job) => [job.collection, job]));
}

/** A row of the job table; the scheduler hands each row only records of its own collection. */
export function localJob<C extends DueCollection>(job: LocalJob<C>): Job {
  return job;
}

export function networkJob<C extends DueCollection, Outcome>(job: NetworkJob<C, Outcome>): Job {
  return job;
}

/** What a history calls a job of a record. */
export function nameOf({ kind }: Pick<Job, 'kind'>, { recordId }: { recordId: string }): string {
  return `${kind} ${recordId}`;
}
