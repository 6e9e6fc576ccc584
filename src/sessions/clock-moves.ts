import { type Instant, moveOn } from '../base/time.ts';
import { endOfTurn } from '../base/timers.ts';
import type { Clock, ClockState } from './clock.ts';
import type { EventLog, SessionEvent } from './event-log.ts';
import type { History } from './history.ts';
import type { Scheduler } from './scheduler.ts';

/** Events of one move of the clock that are returned at most. */
const MOST_HAPPENED = 10_000;

/** What a history calls the moments between which it is told what happened. */
const [BEGIN, END] = ['the begin of a move of the clock', 'the end of a move of the clock'] as const;

interface MovedSession {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly events: EventLog;
  readonly history: History;
  /** Keeps what the clock says. */
  keep(): Promise<void>;
}

/** What moves a session's clock. Everything that becomes due on the way runs first, in order. Each returns what happened. */
export class ClockMoves {
  readonly #session: MovedSession;
  readonly #onError: (error: unknown) => void;

  constructor(session: MovedSession, onError: (error: unknown) => void) {
    this.#session = session;
    this.#onError = onError;
  }

  /** Sets the clock. */
  set(stateFrom: (now: Instant) => ClockState, signal?: AbortSignal): Promise<SessionEvent[]> {
    const { clock } = this.#session;
    let state = clock.state;
    return this.#move(
      (now) => {
        state = stateFrom(now);
        return clock.instantOf(state);
      },
      { whenThere: () => clock.set(state), signal },
    );
  }

  /** Moves the clock on, deliveries included. A signal ends it between two jobs. */
  advance(duration: string, signal?: AbortSignal): Promise<SessionEvent[]> {
    return this.#move((now) => moveOn(now, duration), { signal });
  }

  /** Moves the clock from one due instant to the next until nothing but routine is due any more that can come, or `limit` events have happened. */
  async runUntilIdle(signal?: AbortSignal, limit = 100_000): Promise<SessionEvent[]> {
    const { scheduler } = this.#session;
    const happened: SessionEvent[][] = [];
    const next = (now: Instant) => Math.max(scheduler.nextAwaitedAt ?? now, now);
    for (let count = 0; !scheduler.isIdle && count < limit && !signal?.aborted; count += happened.at(-1)?.length ?? 0) {
      happened.push(await this.#move(next, { signal }));
      await endOfTurn();
    }
    return happened.flat();
  }

  async #move(
    targetOf: (now: Instant) => Instant,
    options: { whenThere?: () => void; signal?: AbortSignal | undefined },
  ): Promise<SessionEvent[]> {
    const { clock, scheduler, events, history } = this.#session;
    const told: SessionEvent[] = [];
    const stopListening = events.listen((event) => {
      if (told.length < MOST_HAPPENED) {
        told.push(event);
      }
    });
    try {
      const before = await history.moment(BEGIN);
      await scheduler.advance(targetOf, options);
      const last = await history.moment(END);
      await this.#session.keep();
      // By their numbers: an event is told of once it is on disk, which may be long after it has happened.
      return told.filter(({ id }) => id > before && id <= last);
    } finally {
      stopListening();
      clock.tellFollowers(this.#onError);
    }
  }
}
