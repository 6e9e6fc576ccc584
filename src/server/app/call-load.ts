import { steadyNow } from '../../base/timers.ts';

/** More calls in BUSY_MS than one caller makes, because it waits for each answer. */
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
