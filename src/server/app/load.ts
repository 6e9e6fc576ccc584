import { steadyNow } from '../../base/timers.ts';

/** So many calls within so many milliseconds are more than one caller makes who waits for each answer. */
const MANY = 16;
const BUSY_MS = 10;

/** Whether many call at once: then answers go before notifications. */
export class Load {
  readonly #times = new Float64Array(MANY).fill(Number.NEGATIVE_INFINITY);
  #calls = 0;

  onCall(): void {
    this.#times[this.#calls % MANY] = steadyNow();
    this.#calls += 1;
  }

  get isHigh(): boolean {
    return steadyNow() - (this.#times[this.#calls % MANY] ?? 0) < BUSY_MS;
  }
}
