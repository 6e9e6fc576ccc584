import type { RecordedCall } from '../../base/schema/recordings.ts';
import type { Instant } from '../../base/time.ts';
import { delay, machineNow, steadyNow } from '../../base/timers.ts';
import { type Target, USUAL_PATIENCE_MS } from './target.ts';

/** A timer cannot be set to more than 24 days. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** Real milliseconds that an answer is waited for at least. */
const LEAST_PATIENCE_MS = 1000;

/** A target in real time, whose calls come in the pace in which they were recorded. */
export class PacedTarget implements Target {
  readonly baseUrl: string;
  readonly stallMs = undefined;
  readonly #speed: number;
  readonly #signal: AbortSignal | undefined;
  #begin: { at: Instant; steady: number } | undefined;

  /** `speed` is how many times as fast as it was; 0 waits for answers alone. */
  constructor(baseUrl: string, { speed = 1, signal }: { speed?: number; signal?: AbortSignal | undefined } = {}) {
    this.baseUrl = baseUrl;
    this.#speed = speed;
    this.#signal = signal;
  }

  /** A call that is late because its answers are, does not delay those behind it. */
  async moveTo(at: Instant): Promise<Instant> {
    this.#begin ??= { at, steady: steadyNow() };
    const begin = this.#begin;
    const due = this.#speed === 0 ? 0 : begin.steady + (at - begin.at) / this.#speed;
    for (let left = due - steadyNow(); left > 0 && !this.#signal?.aborted; left = due - steadyNow()) {
      await delay(Math.min(left, LONGEST_WAIT_MS), this.#signal);
    }
    return machineNow();
  }

  /** Where none came, as long as the merchant's program waited. */
  patienceFor({ answer, ms }: RecordedCall): number {
    return answer ? USUAL_PATIENCE_MS : Math.max(ms, LEAST_PATIENCE_MS);
  }
}
