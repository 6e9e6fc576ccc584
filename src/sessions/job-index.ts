import type { Instant } from '../base/time.ts';
import { idOf, numberIn } from '../store/record-numbers.ts';
import type { DueCollection } from '../store/store.ts';
import { type Due, DueQueue } from './due-queue.ts';
import type { JobTable } from './job-table.ts';

/** A record's job. */
export interface RecordJob {
  collection: DueCollection;
  recordId: string;
}

/** A record's job and when it is due. */
export interface DueJob extends RecordJob {
  dueAt: Instant;
}

/** A caller that waits for the session's clock. */
export interface Wait {
  dueAt: Instant;
  resume(): void;
}

/** Records by their numbers, or callers that wait by the order of their arrival. */
type QueueName = DueCollection | 'waits';

type Next = Due & { name: QueueName };

/**
 * What is due, in order of time, then of the job table, then of the records' numbers: an order that follows from the
 * records alone, so that an index rebuilt after a restart runs alike. Callers that wait come last, in order of arrival.
 */
export class JobIndex {
  readonly #jobs: JobTable;
  /** Each is made when it is first needed: most sessions need few. */
  readonly #queues = new Map<QueueName, DueQueue>();
  readonly #waits = new Map<number, Wait>();
  #arrivals = 0;

  constructor(jobs: JobTable) {
    this.#jobs = jobs;
  }

  /** Puts a record's job in; the one that it had before is forgotten. */
  put({ collection, recordId, dueAt }: DueJob): void {
    this.#queueOf(collection).put(numberIn(collection, recordId), dueAt);
  }

  remove({ collection, recordId }: RecordJob): void {
    this.#queues.get(collection)?.remove(numberIn(collection, recordId));
  }

  has({ collection, recordId }: RecordJob): boolean {
    return this.#queues.get(collection)?.has(numberIn(collection, recordId)) ?? false;
  }

  /** Forgets the jobs of all records of a collection. */
  forget(collection: DueCollection): void {
    this.#queues.delete(collection);
  }

  addWait(wait: Wait): void {
    this.#arrivals += 1;
    this.#waits.set(this.#arrivals, wait);
    this.#queueOf('waits').put(this.#arrivals, wait.dueAt);
  }

  /** When anything is next due; undefined when nothing is. */
  get nextDueAt(): Instant | undefined {
    return this.#next?.dueAt;
  }

  peek(): DueJob | Wait | undefined {
    return this.#shown(this.#next);
  }

  pop(): DueJob | Wait | undefined {
    const next = this.#next;
    const shown = this.#shown(next);
    if (next) {
      this.#queueOf(next.name).remove(next.number);
    }
    if (next?.name === 'waits') {
      this.#waits.delete(next.number);
    }
    return shown;
  }

  /** How many records' jobs there are. */
  get size(): number {
    let size = 0;
    for (const queue of this.#queues.values()) {
      size += queue.size;
    }
    return size - this.#waits.size;
  }

  /** Whether anything is due that somebody may wait for: more than routine. */
  get hasAwaited(): boolean {
    for (const [name, queue] of this.#queues) {
      if (queue.size > 0 && !(name !== 'waits' && this.#jobs.get(name)?.isRoutine)) {
        return true;
      }
    }
    return false;
  }

  /** The records' jobs, or some of them, the next one first. */
  jobs(where: (job: DueJob) => boolean): DueJob[] {
    // Of those due at the same instant, the sort leaves the order of the table and of the numbers as it is.
    return this.#jobs.collections
      .flatMap((collection) => this.#jobsOf(collection, where))
      .sort((a, b) => a.dueAt - b.dueAt);
  }

  /** Forgets everything; returns the callers that waited. */
  clear(): Wait[] {
    const waits = [...this.#waits.values()];
    this.#queues.clear();
    this.#waits.clear();
    return waits;
  }

  get #next(): Next | undefined {
    let next: Next | undefined;
    for (const [name, { first }] of this.#queues) {
      if (first && (next === undefined || this.#isBefore({ name, ...first }, next))) {
        next = { name, ...first };
      }
    }
    return next;
  }

  #shown(next: Next | undefined): DueJob | Wait | undefined {
    if (next?.name === 'waits') {
      return this.#waits.get(next.number);
    }
    return next && jobOf(next.name, next);
  }

  #isBefore(a: Next, b: Next): boolean {
    return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && this.#rankOf(a.name) < this.#rankOf(b.name));
  }

  #rankOf(name: QueueName): number {
    return name === 'waits' ? Number.POSITIVE_INFINITY : this.#jobs.rankOf(name);
  }

  /** In the order of their numbers. */
  #jobsOf(collection: DueCollection, where: (job: DueJob) => boolean): DueJob[] {
    const found: { number: number; job: DueJob }[] = [];
    for (const due of this.#queues.get(collection) ?? []) {
      const job = jobOf(collection, due);
      if (where(job)) {
        found.push({ number: due.number, job });
      }
    }
    return found.sort((a, b) => a.number - b.number).map(({ job }) => job);
  }

  #queueOf(name: QueueName): DueQueue {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = new DueQueue();
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

export function keyOf({ collection, recordId }: RecordJob): string {
  return `${collection} ${recordId}`;
}

function jobOf(collection: DueCollection, { number, dueAt }: Due): DueJob {
  return { collection, recordId: idOf(collection, number), dueAt };
}
