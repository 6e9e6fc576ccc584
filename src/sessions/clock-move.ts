import type { Instant } from '../base/time.ts';
import { pauses } from '../base/timers.ts';
import type { Clock } from './clock.ts';
import type { History } from './history.ts';
import type { DueJob, Wait } from './job-index.ts';

/** What a history calls the moments at which a move of the clock begins, and goes on to the next instant or ends. */
const [BEGIN, STEP] = ['the begin of a move of the clock', 'a move of the clock'] as const;

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
  readonly history: Pick<History, 'moment' | 'turn' | 'takes'>;
  onBegin(): void;
  /** Throws what a move ends for. */
  expectGoingOn(): void;
  /** What is due by an instant; where there is none, what is due at all, as long as that is more than routine. */
  next(by: Instant | undefined): DueJob | Wait | undefined;
  /** Resolves when what is next is done, or on its way. */
  run(next: DueJob | Wait): Promise<void>;
  /** Resolves with whether time had to stand still; if so, what is due must be looked at anew. */
  wasHeld(): Promise<boolean>;
  nextChange(): Promise<void>;
}

/**
 * Moves the clock from one instant at which something is due to the next, and to the target. Time stands still while anything holds
 * it. Each instant that it goes on to is a step of the history, and so is the end.
 */
export async function takeSteps({ targetOf, isEnough, whenOver, signal }: ClockMove, parts: MoveParts): Promise<void> {
  const { clock, history, expectGoingOn } = parts;
  const target = await history.moment(BEGIN, () => {
    parts.onBegin();
    return targetOf(clock.now());
  });
  let reached = clock.now();
  let turn: { hasCome: boolean; promise: Promise<void> } | undefined;
  for (const pause = pauses(); ; await pause()) {
    expectGoingOn();
    const isEnded = signal?.aborted || isEnough?.() || false;
    const next = isEnded ? undefined : parts.next(target);
    if (next && next.dueAt <= reached) {
      await parts.run(next);
      continue;
    }
    turn ??= turnOf(history);
    if (turn && !turn.hasCome) {
      // Before it comes what is due by now.
      await Promise.race([turn.promise, parts.nextChange()]);
      continue;
    }
    const isLater = !next || next.dueAt > clock.now();
    if (isLater && !isEnded && (await parts.wasHeld())) {
      continue;
    }
    expectGoingOn();
    const over = history.takes(STEP, clock.now());
    turn = undefined;
    const instant = isEnded ? undefined : (next?.dueAt ?? target);
    if (instant !== undefined && instant > clock.now()) {
      clock.moveTo(instant);
    }
    reached = clock.now();
    if (!next) {
      whenOver?.(!isEnded);
      over();
      return;
    }
    over();
  }
}

/** Undefined where a step has its turn at once. */
function turnOf(history: MoveParts['history']): { hasCome: boolean; promise: Promise<void> } | undefined {
  const promise = history.turn(STEP);
  if (!promise) {
    return undefined;
  }
  const turn = { hasCome: false, promise };
  void promise.then(() => {
    turn.hasCome = true;
  });
  return turn;
}
