import type { CollectionName, DueCollection } from '../store/store.ts';
import type { Job } from './job.ts';

/** The job of each collection. One table serves all sessions. */
export class JobTable {
  readonly #jobs: ReadonlyMap<DueCollection, Job>;
  /** Collections whose records can be due. */
  readonly collections: readonly DueCollection[];

  /** Those due at the same instant run in this order. */
  constructor(jobs: readonly Job[]) {
    this.#jobs = new Map(jobs.map((job) => [job.collection, job]));
    this.collections = [...this.#jobs.keys()];
  }

  has(collection: CollectionName): collection is DueCollection {
    return this.#jobs.has(collection as DueCollection);
  }

  get(collection: DueCollection): Job | undefined {
    return this.#jobs.get(collection);
  }
}
