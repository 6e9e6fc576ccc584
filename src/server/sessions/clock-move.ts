import type { Instant } from '../../base/time.ts';
import { newTurnPause } from '../../base/timers.ts';
import type { Clock } from './clock.ts';
import type { ClockWait, DueJob } from './job-index.ts';

export interface ClockMove {
  /** Called when the turn of this move has come. Without a target, it continues until only routine jobs are due. */
  targetOf(now: Instant): Instant | undefined;
  /** Whether to end before the target, between two jobs. */
  shouldEnd?(): boolean;
  /** Called at the moment it ends. `hasArrived` is false if it was ended before its target. */
  onEnd?(hasArrived: boolean): void;
  /** Ends it between two jobs, without moving the clock any further. */
  signal?: AbortSignal | undefined;
}

/** The parts of the scheduler that a move needs. */
interface MoveParts {
  readonly clock: Clock;
  onBegin(): unknown;
  /** Throws the reason if the move must not continue. */
  expectActive(): void;
  /** The next that is due by an instant; without one, at any time, as long as more than routine jobs are due. */
  next(by: Instant | undefined): DueJob | ClockWait | undefined;
  run(next: DueJob | ClockWait): Promise<void>;
  isTimeHeld(): boolean;
  /** Runs work once earlier transactions have ended and their jobs are known; nothing changes while it runs. */
  atRest<T>(work: () => Promise<T>): Promise<T>;
  nextChange(): Promise<void>;
}

/** Moves the clock from one due instant to the next, and to the target. Time stands still while a job holds it. */
export async function moveClock({ targetOf, shouldEnd, onEnd, signal }: ClockMove, parts: MoveParts): Promise<void> {
  const { clock, expectActive } = parts;
  // On a running clock, more would always become due.
  if (clock.isFrozen) {
    await finishDue(parts, signal);
  }
  let reached = clock.now();
  let target: Instant | undefined;
  let until: Instant | undefined;
  await parts.atRest(async () => {
    expectActive();
    reached = clock.now();
    parts.onBegin();
    target = targetOf(reached);
    // Before the clock is set back, everything due by now must have begun.
    until = target === undefined ? undefined : Math.max(target, reached);
  });
  const look = () => {
    expectActive();
    const isEnded = signal?.aborted || shouldEnd?.() || false;
    const next = isEnded ? undefined : parts.next(until);
    const isDue = next !== undefined && next.dueAt <= reached;
    // On a running clock, what is due by now does not wait for the jobs that hold the clock.
    const isTimeHeld = () => !isEnded && !(next && next.dueAt <= clock.now()) && parts.isTimeHeld();
    return { isEnded, next, isDue, isTimeHeld };
  };
  /** Resolves with whether the move has ended. Does nothing if something has become due or holds the clock by then. */
  const goOn = async () => {
    const { isEnded, next, isDue, isTimeHeld } = look();
    if (isDue || isTimeHeld()) {
      return false;
    }
    // Read once, because a running clock may show a later time at the next read.
    const at = clock.now();
    const instant = isEnded ? at : (next?.dueAt ?? target ?? at);
    if (instant > clock.now()) {
      clock.moveTo(instant);
    }
    reached = Math.max(at, instant);
    if (!next) {
      onEnd?.(!isEnded);
    }
    return !next;
  };
  for (const pause = newTurnPause(); ; await pause()) {
    const { next, isDue, isTimeHeld } = look();
    if (next && isDue) {
      await parts.run(next);
      continue;
    }
    if (isTimeHeld()) {
      await parts.nextChange();
    } else if (await parts.atRest(goOn)) {
      return;
    }
  }
}

/** Finishes what earlier calls made due. Otherwise the speed of receivers and disks would decide whether their events belong to the move. */
async function finishDue(parts: MoveParts, signal: AbortSignal | undefined): Promise<void> {
  const now = parts.clock.now();
  for (const pause = newTurnPause(); !signal?.aborted; await pause()) {
    parts.expectActive();
    const next = parts.next(now);
    if (next) {
      await parts.run(next);
    } else if (parts.isTimeHeld()) {
      await parts.nextChange();
    } else {
      return;
    }
  }
}
