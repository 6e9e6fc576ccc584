import type { Instant } from '../../base/time.ts';
import { type DueJob, jobKeyOf, type RecordJob } from './job-index.ts';

/** A job on the network waits for its receiver or a transaction, a slot in its lane, the clock, or its turn to be recorded. */
export type WaitReason = 'network' | 'lane' | 'time' | 'turn';

export interface RunningJob extends DueJob {
  kind: string;
  claimedAt: Instant;
  /** null until its lane is known. */
  lane: string | null;
  /** When its record is due again, if it was changed since the claim. */
  nextDueAt: Instant | null;
  /** null for a local job, which waits for nothing outside this process. */
  waitsFor: WaitReason | null;
  /** Claimed on a frozen clock or during a move: its outcome is recorded in the order of the claims, however fast its receiver is. */
  isOrdered: boolean;
  abortController: AbortController;
  completion: Promise<void>;
}

/** Changes the reason for which a job waits, unless it waits for something else by now. */
export function changeWait(running: RunningJob, from: WaitReason, to: WaitReason): void {
  if (running.waitsFor === from) {
    running.waitsFor = to;
  }
}

/** The jobs in progress, at most one for each record. */
export class RunningJobs {
  readonly #running = new Map<string, RunningJob>();
  /** Jobs that wait for their turn to be recorded, each with a function that checks again. */
  readonly #waiting = new Map<RunningJob, () => void>();

  get(job: RecordJob): RunningJob | undefined {
    return this.#running.get(jobKeyOf(job));
  }

  add(running: RunningJob): void {
    this.#running.set(jobKeyOf(running), running);
  }

  /** Returns false if the job was aborted before. */
  remove(running: RunningJob): boolean {
    return this.get(running) === running && this.#running.delete(jobKeyOf(running));
  }

  /** Lets a job be recorded out of order, because a caller waits for it. Returns whether it was ordered. */
  release(job: RecordJob): boolean {
    const running = this.get(job);
    if (!running?.isOrdered) {
      return false;
    }
    running.isOrdered = false;
    this.#wake(running);
    return true;
  }

  get size(): number {
    return this.#running.size;
  }

  list(): RunningJob[] {
    return [...this.#running.values()];
  }

  /** Whether the clock must not move, because an outcome may make something due earlier than all other jobs. */
  get isTimeHeld(): boolean {
    return this.list().some((running) => this.#isIndependentOfClock(running));
  }

  /** Resolves when it is a job's turn to be recorded, or it need not wait any more. */
  async waitForTurn(running: RunningJob): Promise<void> {
    while (running.isOrdered && !running.abortController.signal.aborted && this.#isPreceded(running)) {
      await new Promise<void>((resolve) => this.#waiting.set(running, resolve));
    }
  }

  /** Wakes only the first waiting job, because all others wait for it, and there may be thousands. */
  wakeFirst(): void {
    for (const running of this.#waiting.size > 0 ? this.#running.values() : []) {
      if (this.#waiting.has(running)) {
        this.#wake(running);
        return;
      }
    }
  }

  /** Whether an earlier job must be recorded first. A job that waits for the clock delays no others. */
  #isPreceded(running: RunningJob): boolean {
    for (const other of this.#running.values()) {
      if (other === running) {
        return false;
      }
      if (other.isOrdered && this.#isIndependentOfClock(other)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job that waits outside this process can continue while the clock stands: it, or a job ahead in its lane, waits for the network. */
  #isIndependentOfClock({ waitsFor, lane }: RunningJob): boolean {
    return waitsFor === 'lane'
      ? this.list().some((other) => other.lane === lane && other.waitsFor === 'network')
      : waitsFor !== 'time' && waitsFor !== null;
  }

  abort(reason: Error): RunningJob[] {
    const all = this.list();
    this.#running.clear();
    for (const running of all) {
      running.abortController.abort(reason);
      this.#wake(running);
    }
    return all;
  }

  #wake(running: RunningJob): void {
    const resume = this.#waiting.get(running);
    this.#waiting.delete(running);
    resume?.();
  }
}
