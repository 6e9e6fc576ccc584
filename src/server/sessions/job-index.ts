import type { Steps } from '../../base/steps.ts';
import type { Instant } from '../../base/time.ts';
import { idOf, MAX_RECORD_NUMBER, numberIn } from '../store/record-numbers.ts';
import type { DueCollection } from '../store/store.ts';
import { DueHeap } from './due-heap.ts';
import type { JobTable } from './job.ts';

export interface RecordJob {
  collection: DueCollection;
  recordId: string;
}

export interface DueJob extends RecordJob {
  dueAt: Instant;
}

/** A caller that waits for an instant of the session's clock. */
export interface ClockWait {
  dueAt: Instant;
  resume(): void;
}

/** A key is the collection's rank in the job table times this, plus the record's number: keys order jobs of the same instant. */
const KEYS_PER_COLLECTION = MAX_RECORD_NUMBER + 1;
/** Outdated entries are removed once they outnumber the others by this many. */
const MAX_OUTDATED_SURPLUS = 1000;

/**
 * Due jobs, ordered by time, then by the job table, then by the records' numbers. The order depends only on the records, so that it is
 * the same after a restart. At an instant, waiting callers come last, in order of arrival.
 */
export class JobIndex {
  readonly #jobs: JobTable;
  /** Collections whose records can be due, in the order of the job table. */
  readonly collections: readonly DueCollection[];
  readonly #dueAts = new Map<number, Instant>();
  /** Also contains outdated entries, which are skipped when they are first. */
  #heap = new DueHeap();
  /** Ordered by time. */
  readonly #waits: ClockWait[] = [];

  constructor(jobs: JobTable) {
    this.#jobs = jobs;
    this.collections = [...jobs.values()].map(({ collection }) => collection);
  }

  /** Replaces the job that the record had before. */
  put(job: DueJob): void {
    const key = this.#keyOf(job);
    const { dueAt } = job;
    if (this.#dueAts.get(key) === dueAt) {
      return;
    }
    this.#dueAts.set(key, dueAt);
    this.#heap.push(dueAt, key);
    if (this.#heap.size > 2 * this.size + MAX_OUTDATED_SURPLUS) {
      this.#heap = new DueHeap();
      for (const [each, at] of this.#dueAts) {
        this.#heap.push(at, each);
      }
    }
  }

  remove(job: RecordJob): void {
    this.#dueAts.delete(this.#keyOf(job));
  }

  has(job: RecordJob, dueBy = Number.POSITIVE_INFINITY): boolean {
    const dueAt = this.#dueAts.get(this.#keyOf(job));
    return dueAt !== undefined && dueAt <= dueBy;
  }

  removeAll(collection: DueCollection): void {
    for (const key of this.#dueAts.keys()) {
      if (this.#collectionOf(key) === collection) {
        this.#dueAts.delete(key);
      }
    }
  }

  addWait(wait: ClockWait): void {
    this.#waits.splice(this.#waits.findLastIndex(({ dueAt }) => dueAt <= wait.dueAt) + 1, 0, wait);
  }

  peek(): DueJob | ClockWait | undefined {
    let { first } = this.#heap;
    while (first && this.#dueAts.get(first.key) !== first.dueAt) {
      this.#heap.removeFirst();
      ({ first } = this.#heap);
    }
    const [wait] = this.#waits;
    return wait && !(first && first.dueAt <= wait.dueAt) ? wait : first && this.#jobOf(first.key, first.dueAt);
  }

  pop(): DueJob | ClockWait | undefined {
    const next = this.peek();
    if (next && 'resume' in next) {
      this.#waits.shift();
    } else if (next) {
      this.remove(next);
    }
    return next;
  }

  get size(): number {
    return this.#dueAts.size;
  }

  /** Waiting callers count, too. */
  get hasNonRoutineJobs(): boolean {
    for (const key of this.#dueAts.keys()) {
      const collection = this.#collectionOf(key);
      if (collection && !this.#jobs.get(collection)?.isRoutine) {
        return true;
      }
    }
    return this.#waits.length > 0;
  }

  /** The present jobs for which `where` is true, in no particular order. */
  *jobs(where: (job: DueJob) => boolean): Steps<DueJob[]> {
    const jobs: DueJob[] = [];
    for (const [key, dueAt] of [...this.#dueAts]) {
      const job = this.#jobOf(key, dueAt);
      if (job && where(job)) {
        jobs.push(job);
      }
      yield;
    }
    return jobs;
  }

  /** Removes everything; returns the waiting callers, ordered by time. */
  clear(): ClockWait[] {
    this.#dueAts.clear();
    this.#heap = new DueHeap();
    return this.#waits.splice(0);
  }

  #keyOf({ collection, recordId }: RecordJob): number {
    return this.collections.indexOf(collection) * KEYS_PER_COLLECTION + numberIn(collection, recordId);
  }

  #collectionOf(key: number): DueCollection | undefined {
    return this.collections[Math.floor(key / KEYS_PER_COLLECTION)];
  }

  #jobOf(key: number, dueAt: Instant): DueJob | undefined {
    const collection = this.#collectionOf(key);
    return collection && { collection, recordId: idOf(collection, key % KEYS_PER_COLLECTION), dueAt };
  }
}

export function jobKeyOf({ collection, recordId }: RecordJob): string {
  return `${collection} ${recordId}`;
}
