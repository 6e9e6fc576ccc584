import type { SessionState } from '../schema/records.ts';
import type { Instant } from '../time.ts';

export type ClockState = SessionState['clock'];

/** setTimeout counts in 32 bits; a longer wait is made of several. */
const LONGEST_TIMER = 2_147_483_647;

/** The machine's own clock: how long real work took, and where a session's real clock starts from. */
export function machineNow(): Instant {
  return Date.now();
}

/** A real-time guard on the network, never part of what a session's clock decides. Returns its cancel. */
export function afterRealTime(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

/**
 * What a session means by "now": the machine's clock (perhaps moved ahead), or a frozen instant that only moves when told.
 * It holds at most one timer: for the moment the agenda is next due.
 */
export class Clock {
  #state: ClockState;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: ClockState) {
    this.#state = state;
  }

  get state(): ClockState {
    return this.#state;
  }

  now(): Instant {
    return this.#state.mode === 'frozen' ? this.#state.now : machineNow() + this.#state.offset;
  }

  /** Moves to an instant: a frozen clock stands there, a real one goes on from there. */
  moveTo(instant: Instant): void {
    this.#state =
      this.#state.mode === 'frozen'
        ? { mode: 'frozen', now: instant }
        : { mode: 'real', offset: instant - machineNow() };
  }

  set(state: ClockState): void {
    this.#state = state;
  }

  /** Calls back when the instant has come. A frozen clock never calls by itself. The call before is forgotten. */
  wakeAt(instant: Instant, action: () => void): void {
    this.cancelWake();
    if (this.#state.mode === 'frozen' && instant > this.#state.now) {
      return;
    }
    this.#timer = setTimeout(action, Math.min(Math.max(0, instant - this.now()), LONGEST_TIMER));
    // A sandbox that a test forgot to close must not keep its runner alive.
    this.#timer.unref();
  }

  cancelWake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
