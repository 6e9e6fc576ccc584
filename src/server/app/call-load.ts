import { steadyNow } from '../../base/timers.ts';

/** The load is high with this many calls in BUSY_MS. A caller that waits for each answer makes fewer. */
const BUSY_CALLS = 16;
const BUSY_MS = 10;

/** Detects many concurrent calls, because answers are then sent before notifications. */
export class CallLoad {
  readonly #times = new Float64Array(BUSY_CALLS).fill(Number.NEGATIVE_INFINITY);
  #calls = 0;

  onCall(): void {
    this.#times[this.#calls % BUSY_CALLS] = steadyNow();
    this.#calls += 1;
  }

  get isHigh(): boolean {
    return steadyNow() - (this.#times[this.#calls % BUSY_CALLS] ?? 0) < BUSY_MS;
  }
}
