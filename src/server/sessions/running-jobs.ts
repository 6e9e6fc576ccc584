import type { Instant } from '../../base/time.ts';
import type { NetworkJob } from './job.ts';
import { type DueJob, keyOf, type RecordJob } from './job-index.ts';

/**
 * The life of a job on the network, from its claim to the end of the transaction that records it: what it waits for (its receiver or
 * that transaction, a place in its lane, the session's clock, or its turn to be recorded), and what ends that. Any other event leaves
 * it as it is, as one that comes late, after an abort.
 */
const NEXT = {
  network: { laneIsFull: 'lane', sleeps: 'time', isToBeRecorded: 'turn' },
  lane: { hasPlace: 'network' },
  time: { clockIsThere: 'network', isSent: 'network' },
  turn: { turnHasCome: 'network' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type WaitsFor = keyof typeof NEXT;
type JobEvent = { [State in WaitsFor]: keyof (typeof NEXT)[State] }[WaitsFor];

/** One claim on a record's job. */
export interface RunningJob extends DueJob {
  job: NetworkJob;
  claimedAt: Instant;
  /** Where it is sent from; null as long as that is not known. */
  lane: string | null;
  /** When its record is due again, where a change has said so since the claim. */
  nextDueAt: Instant | null;
  waitsFor: WaitsFor;
  /** Claimed on a frozen clock or while the clock was moved: outcomes are recorded in the order of the claims, however fast receivers are. */
  isOrdered: boolean;
  abort: AbortController;
  /** Resolves when it is over, whatever came of it. */
  over: Promise<void>;
}

/** Takes a job to its next state. */
export function step(running: RunningJob, event: JobEvent): void {
  const next: Readonly<Partial<Record<JobEvent, WaitsFor>>> = NEXT[running.waitsFor];
  running.waitsFor = next[event] ?? running.waitsFor;
}

/** The jobs that are out on the network, one at most for each record. */
export class RunningJobs {
  readonly #running = new Map<string, RunningJob>();
  /** Those that wait for their turn to be recorded, and how each looks again whether it has come. */
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
      : waitsFor !== 'time';
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
