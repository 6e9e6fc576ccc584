import TinyQueue from 'tinyqueue';
import type { CollectionName } from '../store/store.ts';
import type { Instant } from '../time.ts';
import type { JobTable } from './job-table.ts';

/** A record's job and when it is due. */
export interface DueJob {
  collection: CollectionName;
  recordId: string;
  dueAt: Instant;
}

/** A caller that waits for the session's clock. */
export interface Wait {
  dueAt: Instant;
  resume(): void;
}

type Entry = { rank: number; sequence: number } & (DueJob | Wait);

/** Entries that were replaced stay in the queue until they come up; past this share it is made anew. */
const MAX_STALE = 1000;

/**
 * What is due, in order of time, then of the job table, then of the records' numbers: an order that follows from the
 * records alone, so that an index rebuilt after a restart runs alike. Callers that wait come last, in order of arrival.
 */
export class JobIndex {
  readonly #jobs: JobTable;
  /** By collection, then by record: a key made of both would be one more text for every record that is due. */
  readonly #current = new Map<CollectionName, Map<string, Entry>>();
  #size = 0;
  readonly #waits = new Set<Entry>();
  #queue = newQueue([]);
  #arrivals = 0;

  constructor(jobs: JobTable) {
    this.#jobs = jobs;
  }

  /** Puts a record's job in; the one that it had before is forgotten. */
  put({ collection, recordId, dueAt }: DueJob): void {
    const entry = { collection, recordId, dueAt, rank: this.#jobs.rankOf(collection), sequence: numberIn(recordId) };
    const current = this.#jobsOf(collection);
    const before = current.size;
    current.set(recordId, entry);
    this.#size += current.size - before;
    this.#push(entry);
  }

  remove({ collection, recordId }: Pick<DueJob, 'collection' | 'recordId'>): void {
    this.#size -= this.#current.get(collection)?.delete(recordId) ? 1 : 0;
  }

  has({ collection, recordId }: Pick<DueJob, 'collection' | 'recordId'>): boolean {
    return this.#current.get(collection)?.has(recordId) ?? false;
  }

  addWait(wait: Wait): void {
    this.#arrivals += 1;
    const entry = { ...wait, rank: Number.POSITIVE_INFINITY, sequence: this.#arrivals };
    this.#waits.add(entry);
    this.#push(entry);
  }

  peek(): DueJob | Wait | undefined {
    for (let entry = this.#queue.peek(); entry; entry = this.#queue.peek()) {
      if (this.#isCurrent(entry)) {
        return entry;
      }
      this.#queue.pop();
    }
    return undefined;
  }

  pop(): DueJob | Wait | undefined {
    const next = this.peek();
    this.#queue.pop();
    if (next && 'resume' in next) {
      this.#waits.delete(next as Entry);
    } else if (next) {
      this.remove(next);
    }
    return next;
  }

  /** How many records' jobs there are. */
  get size(): number {
    return this.#size;
  }

  /** Whether anything is due that somebody may wait for: more than routine. */
  get hasAwaited(): boolean {
    const awaited = [...this.#current].some(([name, jobs]) => jobs.size > 0 && !this.#jobs.get(name)?.isRoutine);
    return awaited || this.#waits.size > 0;
  }

  /** The records' jobs, or some of them, the next one first. */
  jobs(where: (job: DueJob) => boolean): DueJob[] {
    return (this.#entries() as (Entry & DueJob)[]).filter(where).sort(compare);
  }

  /** Forgets everything; returns the callers that waited. */
  clear(): Wait[] {
    const waits = [...this.#waits] as (Entry & Wait)[];
    this.#queue = newQueue([]);
    this.#current.clear();
    this.#size = 0;
    this.#waits.clear();
    return waits;
  }

  #jobsOf(collection: CollectionName): Map<string, Entry> {
    let current = this.#current.get(collection);
    if (!current) {
      current = new Map();
      this.#current.set(collection, current);
    }
    return current;
  }

  #entries(): Entry[] {
    return [...this.#current.values()].flatMap((entries) => [...entries.values()]);
  }

  #isCurrent(entry: Entry): boolean {
    return 'resume' in entry
      ? this.#waits.has(entry)
      : this.#current.get(entry.collection)?.get(entry.recordId) === entry;
  }

  #push(entry: Entry): void {
    this.#queue.push(entry);
    if (this.#queue.length > 2 * (this.#size + this.#waits.size) + MAX_STALE) {
      this.#queue = newQueue([...this.#entries(), ...this.#waits]);
    }
  }
}

export function keyOf({ collection, recordId }: Pick<DueJob, 'collection' | 'recordId'>): string {
  return `${collection} ${recordId}`;
}

function compare(a: Entry, b: Entry): number {
  return a.dueAt - b.dueAt || a.rank - b.rank || a.sequence - b.sequence;
}

function newQueue(entries: Entry[]): TinyQueue<Entry> {
  return new TinyQueue<Entry>(entries, compare);
}

/** payment-12 → 12. */
function numberIn(recordId: string): number {
  return Number(recordId.slice(recordId.lastIndexOf('-') + 1)) || 0;
}
