import type { Instant } from '../time.ts';
import type { NetworkJob } from './job.ts';
import { type DueJob, keyOf } from './job-index.ts';

/** What a running job waits for: a place in its lane, its receiver, the session's clock to move on, or its turn to be recorded. */
export type WaitsFor = 'lane' | 'network' | 'time' | 'turn';

/** One claim on a record's job. */
export interface RunningJob extends DueJob {
  job: NetworkJob;
  claimedAt: Instant;
  /** When its record is due again, where a change has said so since the claim. */
  nextDueAt: Instant | null;
  waitsFor: WaitsFor;
  /** Claimed while the clock was being moved: what comes of it is recorded in the order of the claims. */
  isOrdered: boolean;
  abort: AbortController;
  /** Resolves when it is over, whatever came of it. */
  over: Promise<void>;
}

/** The jobs that are out on the network, one at most for each record. */
export class RunningJobs {
  readonly #running = new Map<string, RunningJob>();

  get(job: Pick<DueJob, 'collection' | 'recordId'>): RunningJob | undefined {
    return this.#running.get(keyOf(job));
  }

  add(running: RunningJob): void {
    this.#running.set(keyOf(running), running);
  }

  /** Gives up a claim; false where it was taken away before. */
  remove(running: RunningJob): boolean {
    return this.get(running) === running && this.#running.delete(keyOf(running));
  }

  /** In the order of their claims. */
  list(): RunningJob[] {
    return [...this.#running.values()];
  }

  /** Whether the clock must stand still: what comes of a job may be due earlier than anything else. */
  get holdTime(): boolean {
    return this.list().some(({ waitsFor }) => waitsFor !== 'time');
  }

  /** Resolves when those that were claimed before, and do not wait for the clock themselves, are over. */
  async afterEarlier(running: RunningJob): Promise<void> {
    const all = this.list();
    const earlier = all
      .slice(0, all.indexOf(running))
      .filter(({ isOrdered, waitsFor }) => isOrdered && waitsFor !== 'time');
    await Promise.all(earlier.map(({ over }) => over));
  }

  /** Takes all claims away and tells the jobs to stop. */
  abort(reason: Error): RunningJob[] {
    const all = this.list();
    this.#running.clear();
    for (const { abort } of all) {
      abort.abort(reason);
    }
    return all;
  }
}
