import type { Instant } from '../../base/time.ts';
import { newTurnPause } from '../../base/timers.ts';
import type { Clock } from './clock.ts';
import type { ClockWait, DueJob } from './job-index.ts';

/** A request to move a session's clock. */
export interface ClockMove {
  /** Called when the move starts, after earlier moves. If it returns undefined, the move continues until only routine jobs are due. */
  targetOf(now: Instant): Instant | undefined;
  /** Whether to end before the target, between two jobs. */
  shouldEnd?(): boolean;
  /** Called when the move ends without an error. `hasArrived` is false if it ended before its target. */
  onEnd?(hasArrived: boolean): void;
  /** Ends the move between two jobs, without moving the clock any further. */
  signal?: AbortSignal | undefined;
}

/** The parts of the scheduler that a move needs. */
interface MoveParts {
  readonly clock: Clock;
  onBegin(): unknown;
  /** Throws the reason if the move must not continue. */
  assertActive(): void;
  /** The next job or wait that is due by an instant. Without an instant, the next one, or undefined if only routine jobs are left. */
  next(by: Instant | undefined): DueJob | ClockWait | undefined;
  run(next: DueJob | ClockWait): Promise<void>;
  /** Whether a running job prevents time from moving. */
  isTimeHeld(): boolean;
  /** Runs work once earlier transactions have ended and their jobs are known; nothing changes while it runs. */
  runAtRest<T>(work: () => Promise<T>): Promise<T>;
  nextChange(): Promise<void>;
}

/** Moves the clock from one due instant to the next, and to the target. Does not move it while a job holds it. */
export async function moveClock({ targetOf, shouldEnd, onEnd, signal }: ClockMove, parts: MoveParts): Promise<void> {
  const { clock, assertActive } = parts;
  // Not on a real clock, because jobs that become due in the meantime would wait for the receivers of earlier ones.
  if (clock.isFrozen) {
    await finishDue(parts, signal);
  }
  let reached = clock.now();
  let target: Instant | undefined;
  let until: Instant | undefined;
  await parts.runAtRest(async () => {
    assertActive();
    reached = clock.now();
    parts.onBegin();
    target = targetOf(reached);
    // Before the clock is set back, everything due by now must have begun.
    until = target === undefined ? undefined : Math.max(target, reached);
  });
  const inspect = () => {
    assertActive();
    const isStopped = signal?.aborted || shouldEnd?.() || false;
    const next = isStopped ? undefined : parts.next(until);
    const isDue = next !== undefined && next.dueAt <= reached;
    // On a real clock, jobs that are due by now do not wait for the jobs that hold the clock.
    const isTimeHeld = () => !isStopped && !(next && next.dueAt <= clock.now()) && parts.isTimeHeld();
    return { isStopped, next, isDue, isTimeHeld };
  };
  /** Resolves with whether the move has ended, because it arrived or was stopped. */
  const step = async () => {
    const { isStopped, next, isDue, isTimeHeld } = inspect();
    if (isDue || isTimeHeld()) {
      return false;
    }
    const at = clock.now();
    const instant = isStopped ? at : (next?.dueAt ?? target ?? at);
    if (instant > clock.now()) {
      clock.moveTo(instant);
    }
    reached = Math.max(at, instant);
    if (!next) {
      onEnd?.(!isStopped);
    }
    return !next;
  };
  for (const pause = newTurnPause(); ; await pause()) {
    const { next, isDue, isTimeHeld } = inspect();
    if (next && isDue) {
      await parts.run(next);
      continue;
    }
    if (isTimeHeld()) {
      await parts.nextChange();
    } else if (await parts.runAtRest(step)) {
      return;
    }
  }
}

/** Finishes jobs that earlier calls made due. Otherwise the speed of receivers would decide whether their events belong to the move. */
async function finishDue(parts: MoveParts, signal: AbortSignal | undefined): Promise<void> {
  const now = parts.clock.now();
  for (const pause = newTurnPause(); !signal?.aborted; await pause()) {
    parts.assertActive();
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
