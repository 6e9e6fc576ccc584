import type { Instant } from '../../base/time.ts';
import { type DueJob, keyOf, type RecordJob } from './job-index.ts';

/** What a job on the network waits for: an answer or its own transaction, a place in its lane, the clock, or its turn to be recorded. */
export type WaitsFor = 'network' | 'lane' | 'time' | 'turn';

/** One claim on a record's job. */
export interface RunningJob extends DueJob {
  kind: string;
  claimedAt: Instant;
  /** Where it is sent from; null as long as that is not known. */
  lane: string | null;
  /** When its record is due again, if a change has said so since the claim. */
  nextDueAt: Instant | null;
  /** null for a local job, which needs nothing but this process. */
  waitsFor: WaitsFor | null;
  /** Claimed on a frozen clock or while the clock was moved: outcomes are recorded in the order of the claims, however fast receivers are. */
  isOrdered: boolean;
  abort: AbortController;
  /** Resolves when it is over, whatever its outcome. */
  over: Promise<void>;
}

/** Moves a job from one wait to the next. One that waits for something else by now stays so, because a wait may end after an abort. */
export function step(running: RunningJob, from: WaitsFor, to: WaitsFor): void {
  if (running.waitsFor === from) {
    running.waitsFor = to;
  }
}

/** The jobs that are under way, one at most for each record. */
export class RunningJobs {
  readonly #running = new Map<string, RunningJob>();
  /** Those that wait for their turn to be recorded, each with what makes it look again. */
  readonly #waiting = new Map<RunningJob, () => void>();

  get(job: RecordJob): RunningJob | undefined {
    return this.#running.get(keyOf(job));
  }

  add(running: RunningJob): void {
    this.#running.set(keyOf(running), running);
  }

  /** Gives up a claim; false where it was taken away before. */
  remove(running: RunningJob): boolean {
    return this.get(running) === running && this.#running.delete(keyOf(running));
  }

  /** Lets a job be recorded before those that were claimed before it, because a caller waits for it. Whether that is new. */
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

  /** In the order of their claims. */
  list(): RunningJob[] {
    return [...this.#running.values()];
  }

  /** Whether the clock must stand still: what comes of a job may be due earlier than anything else. */
  get holdTime(): boolean {
    return this.list().some((running) => this.#isMoving(running));
  }

  /** Resolves when it is a job's turn to be recorded, or it need not wait for that any more. */
  async turnOf(running: RunningJob): Promise<void> {
    while (running.isOrdered && !running.abort.signal.aborted && this.#isPreceded(running)) {
      await new Promise<void>((resolve) => this.#waiting.set(running, resolve));
    }
  }

  /** Something has changed: of those that wait for their turn it may be that of the first. All others wait for that one, and there may be thousands. */
  wakeFirst(): void {
    for (const running of this.#waiting.size > 0 ? this.#running.values() : []) {
      if (this.#waiting.has(running)) {
        this.#wake(running);
        return;
      }
    }
  }

  /** Whether one that was claimed before is to be recorded before. One that waits for the clock is not waited for. */
  #isPreceded(running: RunningJob): boolean {
    for (const other of this.#running.values()) {
      if (other === running) {
        return false;
      }
      if (other.isOrdered && this.#isMoving(other)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job gets on before the clock does: it does not where it stands behind jobs that all wait for the clock. */
  #isMoving({ waitsFor, lane }: RunningJob): boolean {
    return waitsFor === 'lane'
      ? this.list().some((other) => other.lane === lane && other.waitsFor === 'network')
      : waitsFor !== 'time' && waitsFor !== null;
  }

  /** Takes all claims away and tells the jobs to stop. */
  abort(reason: Error): RunningJob[] {
    const all = this.list();
    this.#running.clear();
    for (const running of all) {
      running.abort.abort(reason);
      this.#wake(running);
    }
    return all;
  }

  #wake(running: RunningJob): void {
    const look = this.#waiting.get(running);
    this.#waiting.delete(running);
    look?.();
  }
}
