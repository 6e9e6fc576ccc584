import type { CollectionName } from '../store/store.ts';
import type { Job } from './job.ts';

/** The job of each collection. One table serves all sessions. */
export class JobTable {
  readonly #jobs: ReadonlyMap<CollectionName, Job>;
  readonly #ranks: ReadonlyMap<CollectionName, number>;

  /** Those due at the same instant run in this order. */
  constructor(jobs: readonly Job[]) {
    this.#jobs = new Map(jobs.map((job) => [job.collection, job]));
    this.#ranks = new Map(jobs.map(({ collection }, rank) => [collection, rank]));
  }

  /** Collections whose records can be due. */
  get collections(): CollectionName[] {
    return [...this.#jobs.keys()];
  }

  has(collection: CollectionName): boolean {
    return this.#jobs.has(collection);
  }

  get(collection: CollectionName): Job | undefined {
    return this.#jobs.get(collection);
  }

  rankOf(collection: CollectionName): number {
    return this.#ranks.get(collection) ?? this.#ranks.size;
  }
}
