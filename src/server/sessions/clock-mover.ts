import type { SessionState } from '../../base/schema/generated/records.ts';
import { advanceInstant, type Instant } from '../../base/time.ts';
import { type Clock, type ClockState, instantOf } from './clock.ts';
import type { ClockMove } from './clock-move.ts';
import type { EventLog, SessionEvent } from './event-log.ts';
import type { Scheduler } from './scheduler.ts';

/** Maximum number of events in the answer to one move. */
const MAX_EVENTS = 10_000;

export interface ClockReading {
  state: ClockState;
  now: Instant;
  nextDue: Instant | undefined;
  next: Scheduler['next'];
}

export interface ClockMoveResult {
  reading: ClockReading;
  /** The first events of the move. */
  happened: SessionEvent[];
  /** Number of further events. */
  more: number;
}

interface MovedSession {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly events: EventLog;
  readonly state: SessionState;
  /** Makes the clock durable. */
  commitState(): Promise<void>;
}

/** Moves a session's clock. Everything that becomes due on the way runs first, in order. */
export class ClockMover {
  readonly #session: MovedSession;
  readonly #onError: (error: unknown) => void;

  constructor(session: MovedSession, onError: (error: unknown) => void) {
    this.#session = session;
    this.#onError = onError;
  }

  /** Moves the clock to the instant of a new state, then sets the state, unless the signal ended the move first. */
  set(stateFrom: (now: Instant) => ClockState, signal?: AbortSignal): Promise<ClockMoveResult> {
    const { clock } = this.#session;
    let state = clock.state;
    return this.#move({
      targetOf: (now) => {
        state = stateFrom(now);
        return instantOf(state);
      },
      onEnd: (hasArrived) => {
        if (hasArrived) {
          clock.set(state);
        }
      },
      signal,
    });
  }

  advance(duration: string, signal?: AbortSignal): Promise<ClockMoveResult> {
    return this.#move({ targetOf: (now) => advanceInstant(now, duration), signal });
  }

  /** Moves the clock until only routine jobs are due, or `limit` events have happened. */
  runUntilIdle(signal?: AbortSignal, limit = 100_000): Promise<ClockMoveResult> {
    let maxEventId = Number.POSITIVE_INFINITY;
    return this.#move({
      targetOf: () => {
        maxEventId = this.#lastEventId + limit;
        return undefined;
      },
      shouldEnd: () => this.#lastEventId >= maxEventId,
      signal,
    });
  }

  get #lastEventId(): number {
    return this.#session.state.counters['event'] ?? 0;
  }

  get reading(): ClockReading {
    const { clock, scheduler } = this.#session;
    return { state: clock.state, now: clock.now(), nextDue: scheduler.nextDueAt, next: scheduler.next };
  }

  async #move(move: ClockMove): Promise<ClockMoveResult> {
    const { clock, scheduler, events } = this.#session;
    const publishedEvents: SessionEvent[] = [];
    const stopListening = events.listen((event) => {
      if (publishedEvents.length < MAX_EVENTS) {
        publishedEvents.push(event);
      }
    });
    let [idBefore, idAfter] = [0, 0];
    let { reading } = this;
    try {
      await scheduler.move({
        ...move,
        targetOf: (now) => {
          idBefore = this.#lastEventId;
          return move.targetOf(now);
        },
        onEnd: (hasArrived) => {
          move.onEnd?.(hasArrived);
          idAfter = this.#lastEventId;
          ({ reading } = this);
        },
      });
      await this.#session.commitState();
      // By number, because an event is published when it is on disk, which may be long after it happened.
      const happened = publishedEvents.filter(({ id }) => id > idBefore && id <= idAfter);
      const isCut = publishedEvents.length === MAX_EVENTS;
      return { reading, happened, more: isCut ? idAfter - (happened.at(-1)?.id ?? idBefore) : 0 };
    } finally {
      stopListening();
      clock.listeners.notify(undefined, this.#onError);
    }
  }
}
