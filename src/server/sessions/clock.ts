import type { SessionState } from '../../base/schema/generated/records.ts';
import { type Instant, LAST_CLOCK_INSTANT, LAST_MACHINE_INSTANT } from '../../base/time.ts';
import { afterMilliseconds, machineNow, steadyNow } from '../../base/timers.ts';
import { Listeners } from './listeners.ts';

export type ClockState = SessionState['clock'];

/** A longer wait is split, because timers do not notice that the machine slept or its clock was set. */
const MAX_WAIT_MS = 10_000;
/** If the machine's clock deviates from the steady time by more than SLACK_MS plus DRIFT_FACTOR of the elapsed time, it was set. */
const SLACK_MS = 1000;
const DRIFT_FACTOR = 0.001;

/**
 * A session's clock: the machine's time (plus an offset), or a frozen instant that only moves on request. It follows the
 * machine's clock if that is set ahead, and continues from where it was if that is set back, because its time must only
 * decrease on request. It has at most one timer, for the next due instant of the scheduler.
 */
export class Clock {
  #setting: ClockState;
  /** The last reading of a real clock, and the steady time then. Two fields avoid an object for each reading; every call needs several. */
  #lastInstant: Instant;
  #lastSteadyMs: number;
  /** By how much the machine's clock was set back while this clock was real. */
  #setBackMs = 0;
  #timer: { instant: Instant; cancel: () => void } | undefined;
  /** Notified after each move by ClockMover, even a failed one; not after a reset or a rollback, which also set the clock. */
  readonly listeners = new Listeners<void>();

  constructor(state: ClockState) {
    this.#setting = state;
    this.#lastInstant = lastInstantOf(state);
    this.#lastSteadyMs = steadyNow();
  }

  /** How the clock is set; for a real clock also the instant at which it continues after a restart. */
  get state(): ClockState {
    const setting = this.#setting;
    return setting.mode === 'frozen' ? setting : { mode: 'real', offset: setting.offset, at: this.now() };
  }

  /** How the clock was moved or set last. Does not change as time passes. */
  get setting(): ClockState {
    return this.#setting;
  }

  get isFrozen(): boolean {
    return this.#setting.mode === 'frozen';
  }

  now(): Instant {
    return this.#setting.mode === 'frozen' ? this.#setting.now : this.#realNow(this.#setting.offset);
  }

  /** Moves to an instant, where a frozen clock stops and a real one continues. */
  moveTo(instant: Instant): void {
    this.cancelWake();
    if (this.#setting.mode === 'frozen') {
      this.#setting = { mode: 'frozen', now: instant };
    } else {
      this.#setting = { mode: 'real', offset: instant - (machineInstant() + this.#setBackMs) };
      this.#lastInstant = instant;
      this.#lastSteadyMs = steadyNow();
    }
  }

  set(state: ClockState): void {
    this.cancelWake();
    this.#setting = state;
    this.#lastInstant = lastInstantOf(state);
    this.#lastSteadyMs = steadyNow();
    this.#setBackMs = 0;
  }

  /** Whether the clock is set to a state, regardless of the time that has passed. */
  isSetTo(state: ClockState): boolean {
    const setting = this.#setting;
    return state.mode === 'frozen'
      ? setting.mode === 'frozen' && setting.now === state.now
      : setting.mode === 'real' && setting.offset === state.offset;
  }

  /** Calls `action` at an instant. Only one call at a time is planned: another instant replaces it. A frozen clock never calls it. */
  wakeAt(instant: Instant, action: () => void): void {
    if (this.#timer?.instant === instant) {
      return;
    }
    this.cancelWake();
    const remainingMs = instant - this.now();
    if (this.isFrozen) {
      return;
    }
    const cancel = afterMilliseconds(Math.min(remainingMs, MAX_WAIT_MS), () => {
      this.#timer = undefined;
      if (instant > this.now()) {
        this.wakeAt(instant, action);
      } else {
        action();
      }
    });
    this.#timer = { instant, cancel };
  }

  cancelWake(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #realNow(offset: number): Instant {
    const steady = steadyNow();
    const elapsedMs = steady - this.#lastSteadyMs;
    const machine = machineInstant() + offset;
    const jumpMs = machine + this.#setBackMs - (this.#lastInstant + elapsedMs);
    if (Math.abs(jumpMs) > SLACK_MS + elapsedMs * DRIFT_FACTOR) {
      this.#setBackMs = Math.max(0, Math.round(this.#setBackMs - jumpMs));
    }
    const instant = Math.min(Math.max(machine + this.#setBackMs, this.#lastInstant), LAST_CLOCK_INSTANT);
    this.#lastInstant = instant;
    this.#lastSteadyMs = steady;
    return instant;
  }
}

export function instantOf(state: ClockState): Instant {
  return new Clock(state).now();
}

function lastInstantOf(state: ClockState): Instant {
  return state.mode === 'frozen' ? state.now : (state.at ?? clampToClock(machineInstant() + state.offset));
}

/** The time of the machine's clock. If it is out of range: the nearest instant in the range, plus the steady time. */
function machineInstant(): Instant {
  const machine = machineNow();
  const nearest = Math.min(Math.max(machine, 0), LAST_MACHINE_INSTANT);
  return machine === nearest ? machine : nearest + Math.floor(steadyNow());
}

function clampToClock(instant: Instant): Instant {
  return Math.min(Math.max(instant, 0), LAST_CLOCK_INSTANT);
}
