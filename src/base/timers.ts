import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Instant } from './time.ts';

/**
 * Outside the browser, only this module calls Date.now, performance.now, setTimeout, setInterval and setImmediate. It is for real
 * time: durations of work, timeouts of receivers, maintenance. Scheduled work of a session is done by its scheduler.
 */

/** The machine's time. It may be wrong and may be changed at any moment, so it must not be used to measure durations. */
export function machineNow(): Instant {
  return Date.now();
}

/** Runs an action once the current turn's answers have been written. */
export function afterThisTurn(action: () => void): void {
  setImmediate(action);
}

/** Resolves once the current turn's answers have been written. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => afterThisTurn(resolve));
}

/** Runs an action after N real milliseconds; the process may end before. Returns a function that cancels it. */
export function afterMilliseconds(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Runs an action after N real milliseconds, for which the process waits. Returns a function that cancels it. */
export function startTimeout(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}

/** Blocks the whole process for N real milliseconds. */
export function blockProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Rejects if a promise is still pending after N real milliseconds, for which the process waits. After a pause of the whole
 * process, timers run before pending input is read, so the rejection waits for that input.
 */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>, whyLate: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = startTimeout(milliseconds, () => afterThisTurn(() => reject(new Error(whyLate))));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** Resolves after N real milliseconds, for which the process waits, or when the signal is aborted. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = startTimeout(signal?.aborted === true ? 0 : milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Runs an action repeatedly, without keeping the process alive. Returns a function that stops this. */
export function runEvery(milliseconds: number, action: () => void): () => void {
  const timer = setInterval(action, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Real milliseconds since the process started, unaffected by changes of the machine's clock. */
export function steadyNow(): number {
  return performance.now();
}

/** How often the delay of the event loop is sampled. */
const SAMPLE_MS = 20;

/** Measures how late timers are. Sampling starts with the first read, so that it costs nothing before. */
export class EventLoopDelay {
  #histogram: IntervalHistogram | undefined;

  /** The delays since the last read, in seconds; empty the first time, and if there was no sample since. */
  read(): Record<string, number> {
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
      this.#histogram.enable();
      return {};
    }
    const { count, mean, max } = this.#histogram;
    const p99 = count === 0 ? 0 : this.#histogram.percentile(99);
    this.#histogram.reset();
    // The histogram contains the times between two samples.
    const late = (nanoseconds: number) => Math.max(nanoseconds / 1e6 - SAMPLE_MS, 0) / 1000;
    return count === 0 ? {} : { mean: late(mean), p99: late(p99), max: late(max) };
  }

  stop(): void {
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}

/** How long work continues before other work can run. Two pieces of work can share a turn, so others wait up to twice as long. */
const TURN_MS = 5;

/** Returns a function to await between the small parts of long work, so that other work of the process can run. */
export function newTurnPause(): () => Promise<void> | undefined {
  let began = steadyNow();
  return () => {
    if (steadyNow() - began < TURN_MS) {
      return undefined;
    }
    return endOfTurn().then(() => {
      began = steadyNow();
    });
  };
}
