import { steadyNow } from '../../base/timers.ts';

/** A single caller that waits for each answer cannot make this many calls in BUSY_MS, so several callers are active. */
const MIN_PARALLEL_CALLS = 16;
const BUSY_MS = 10;

/** Detects many concurrent calls, because answers are then sent before notifications. */
export class CallLoad {
  readonly #times = new Float64Array(MIN_PARALLEL_CALLS).fill(Number.NEGATIVE_INFINITY);
  #calls = 0;

  onCall(): void {
    this.#times[this.#calls % MIN_PARALLEL_CALLS] = steadyNow();
    this.#calls += 1;
  }

  get isHigh(): boolean {
    return steadyNow() - (this.#times[this.#calls % MIN_PARALLEL_CALLS] ?? 0) < BUSY_MS;
  }
}
