import type { SessionState } from '../schema/records.ts';
import type { Instant } from '../time.ts';
import { afterMilliseconds, machineNow } from '../timers.ts';

export type ClockState = SessionState['clock'];

/** setTimeout counts in 32 bits; a longer wait is made of several. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * What a session means by "now": the machine's clock (perhaps moved ahead), or a frozen instant that only moves when told.
 * It holds at most one timer: for the moment that the scheduler is next due.
 */
export class Clock {
  #state: ClockState;
  #timer: { instant: Instant; cancel: () => void } | undefined;

  constructor(state: ClockState) {
    this.#state = state;
  }

  get state(): ClockState {
    return this.#state;
  }

  get isFrozen(): boolean {
    return this.#state.mode === 'frozen';
  }

  now(): Instant {
    return this.#state.mode === 'frozen' ? this.#state.now : machineNow() + this.#state.offset;
  }

  /** Moves to an instant: a frozen clock stands there, a real one goes on from there. */
  moveTo(instant: Instant): void {
    this.cancelWake();
    this.#state =
      this.#state.mode === 'frozen'
        ? { mode: 'frozen', now: instant }
        : { mode: 'real', offset: instant - machineNow() };
  }

  set(state: ClockState): void {
    this.cancelWake();
    this.#state = state;
  }

  /** Calls back when the instant has come. A frozen clock never calls by itself. The call before is forgotten. */
  wakeAt(instant: Instant, action: () => void): void {
    if (this.#timer?.instant === instant) {
      return;
    }
    this.cancelWake();
    if (this.isFrozen) {
      return;
    }
    const cancel = afterMilliseconds(Math.min(instant - this.now(), LONGEST_TIMER), () => {
      this.#timer = undefined;
      action();
    });
    this.#timer = { instant, cancel };
  }

  cancelWake(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

/** What the clock says when it is set to a state. */
export function instantOf(state: ClockState): Instant {
  return new Clock(state).now();
}
