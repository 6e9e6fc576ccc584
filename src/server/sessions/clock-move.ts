import type { Instant } from '../../base/time.ts';
import { pauses } from '../../base/timers.ts';
import type { Clock } from './clock.ts';
import type { DueJob, Wait } from './job-index.ts';

/** A move of the clock. */
export interface ClockMove {
  /** Asked for the target when it is this one's turn; undefined for one that goes on until nothing but routine is due that can come. */
  targetOf(now: Instant): Instant | undefined;
  /** Whether it is to end before that, between two jobs. */
  isEnough?(): boolean;
  /** Called in the moment in which it is over. `isThere` is false where it was ended before. */
  whenOver?(isThere: boolean): void;
  /** Ends it between two jobs, wherever the clock then stands. */
  signal?: AbortSignal | undefined;
}

/** What a move needs of the scheduler. */
export interface MoveParts {
  readonly clock: Clock;
  onBegin(): void;
  /** Throws what a move ends for. */
  expectGoingOn(): void;
  /** What is due by an instant; where there is none, what is due at all, as long as that is more than routine. */
  next(by: Instant | undefined): DueJob | Wait | undefined;
  /** Resolves when what is next is done, or on its way. */
  run(next: DueJob | Wait): Promise<void>;
  /** Whether time has to stand still. */
  isHeld(): boolean;
  /** Runs work once what was begun before is over, and what it made due is known; nothing else changes meanwhile. */
  atRest<T>(work: () => Promise<T>): Promise<T>;
  nextChange(): Promise<void>;
}

/**
 * Moves the clock from one instant at which something is due to the next, and to the target. Time stands still while anything holds
 * it.
 */
export async function takeSteps({ targetOf, isEnough, whenOver, signal }: ClockMove, parts: MoveParts): Promise<void> {
  const { clock, expectGoingOn } = parts;
  // On a clock that runs more is always due.
  if (clock.isFrozen) {
    await finishDue(parts, signal);
  }
  const {
    at: begun,
    target,
    until,
  } = await parts.atRest(async () => {
    expectGoingOn();
    const at = clock.now();
    parts.onBegin();
    const target = targetOf(at);
    // Before it is set back, too, what is due by now has begun.
    return { at, target, until: target === undefined ? undefined : Math.max(target, at) };
  });
  let reached = begun;
  const look = () => {
    expectGoingOn();
    const isEnded = signal?.aborted || isEnough?.() || false;
    const next = isEnded ? undefined : parts.next(until);
    const isDue = next !== undefined && next.dueAt <= reached;
    // What is due by now on a clock that runs does not wait until nothing holds it.
    const isHeld = () => !isEnded && !(next && next.dueAt <= clock.now()) && parts.isHeld();
    return { isEnded, next, isDue, isHeld };
  };
  /** Resolves with whether the move is over with that. Does nothing where that is not the moment any more. */
  const goOn = async () => {
    const { isEnded, next, isDue, isHeld } = look();
    if (isDue || isHeld()) {
      return false;
    }
    // Looked at once: on a clock that runs it may be later at the next look.
    const at = clock.now();
    const instant = isEnded ? at : (next?.dueAt ?? target ?? at);
    if (instant > clock.now()) {
      clock.moveTo(instant);
    }
    reached = Math.max(at, instant);
    if (!next) {
      whenOver?.(!isEnded);
    }
    return !next;
  };
  for (const pause = pauses(); ; await pause()) {
    const { next, isDue, isHeld } = look();
    if (next && isDue) {
      await parts.run(next);
      continue;
    }
    if (isHeld()) {
      await parts.nextChange();
    } else if (await parts.atRest(goOn)) {
      return;
    }
  }
}

/**
 * Finishes what earlier calls made due, deliveries included, before a move begins. Otherwise the speed of receivers and disks
 * would decide whether their events belong to the move.
 */
async function finishDue(parts: MoveParts, signal: AbortSignal | undefined): Promise<void> {
  const now = parts.clock.now();
  for (const pause = pauses(); !signal?.aborted; await pause()) {
    parts.expectGoingOn();
    const next = parts.next(now);
    if (next) {
      await parts.run(next);
    } else if (parts.isHeld()) {
      await parts.nextChange();
    } else {
      return;
    }
  }
}
