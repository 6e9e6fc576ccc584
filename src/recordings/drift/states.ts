import type { Instant } from '../../base/time.ts';
import { type Both, type DriftSink, mapBoth, NOTHING, type SideName, type SideValue } from './single-difference.ts';

/** The interval in which an event happened, in milliseconds after the beginning of its payment. */
interface Interval {
  from: number;
  to: number;
}

/** A status of a payment that one side reported. */
interface State {
  word: string;
  /** From the query before to the query that returned it first. Separate from `notifiedAt`, because queries may lag behind notifications. */
  firstQueried?: Interval;
  /** When a query returned it last. */
  lastQueriedAt?: number;
  /** When a notification contained it first. */
  notifiedAt?: number;
}

/** Ignores case, which is compared separately as a value. */
export const isSameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The statuses of a payment that one side reported, in the order in which they were reached. */
export class States {
  readonly startedAt: Instant;
  /** When the last query returned any status, in milliseconds after `startedAt`. */
  lastQueryAt = 0;
  readonly #all: State[] = [];

  constructor(startedAt: Instant) {
    this.startedAt = startedAt;
  }

  /** Records a status in the answer to a query. */
  recordQuery(word: string, at: Instant): void {
    const afterMs = this.#after(at);
    const state = this.#stateOf(word);
    state.firstQueried ??= { from: this.lastQueryAt, to: afterMs };
    state.lastQueriedAt = afterMs;
    this.lastQueryAt = afterMs;
  }

  /** Records a status in a notification. */
  recordNotification(word: string, at: Instant): void {
    const afterMs = this.#after(at);
    const state = this.#stateOf(word);
    state.notifiedAt = Math.min(state.notifiedAt ?? afterMs, afterMs);
  }

  get all(): State[] {
    return this.#all.toSorted((one, other) => intervalOf(one).to - intervalOf(other).to);
  }

  #stateOf(word: string): State {
    const existing = this.#all.find((state) => isSameWord(state.word, word));
    const state = existing ?? { word };
    if (!existing) {
      this.#all.push(state);
    }
    return state;
  }

  #after(at: Instant): number {
    return Math.max(0, at - this.startedAt);
  }
}

/** The receiver of differences, the ends of the observation, and the tolerance. */
interface StateComparison {
  sink: DriftSink;
  /** When the observation of each side ended. */
  endTimes: Both<Instant>;
  toleranceMs(milliseconds: number): number;
}

const STATES = 'states';
/** Compares the states and their times. Returns whether they differ, because this explains other differences of the payment. */
export function compareStates(states: Both<States>, parts: StateComparison): boolean {
  const { sink } = parts;
  const both = mapBoth(states, ({ all }) => all);
  sink.countCompared(STATES);
  if (!isSameSequence(both, states, parts)) {
    const sides = mapBoth(both, (all) => ({ is: STATES, value: all.map(({ word }) => word) }));
    sink.report({ kind: 'sequence', place: STATES, ...sides });
    return true;
  }
  const pairs = both.recorded.flatMap((recorded) => {
    const sandbox = both.sandbox.find(({ word }) => isSameWord(word, recorded.word));
    return sandbox ? [{ recorded, sandbox }] : [];
  });
  // A late state makes all states after it late as well.
  const isLate = pairs.some((pair) => compareTimes(pair.recorded.word, mapBoth(pair, intervalOf), parts));
  if (!isLate) {
    for (const pair of pairs) {
      compareReports(pair, states, parts);
    }
  }
  return isLate;
}

function compareTimes(place: string, times: Both<Interval>, { sink, toleranceMs }: StateComparison): boolean {
  const { recorded, sandbox } = times;
  sink.countCompared(place);
  const isOutOfTolerance =
    sandbox.to < recorded.from - toleranceMs(recorded.from) || sandbox.from > recorded.to + toleranceMs(recorded.to);
  if (isOutOfTolerance) {
    sink.report({ kind: 'delay', place, ...mapBoth(times, sideOf) });
  }
  return isOutOfTolerance;
}

/** Compares the delays of notifications, and whether queries return the state of the notification on both sides. */
function compareReports(state: Both<State>, states: Both<States>, parts: StateComparison): void {
  const { recorded, sandbox } = state;
  const { sink, toleranceMs } = parts;
  const { word, notifiedAt: recordedAt } = recorded;
  const { notifiedAt: sandboxAt } = sandbox;
  if (recordedAt === undefined || sandboxAt === undefined) {
    return;
  }
  compareTimes(`the notification ${word}`, { recorded: instant(recordedAt), sandbox: instant(sandboxAt) }, parts);
  const place = `${word}, by status query`;
  const isStale = ({ firstQueried }: State, { lastQueryAt }: States, notified: number) =>
    (firstQueried?.from ?? lastQueryAt) - notified > toleranceMs(notified);
  sink.countCompared(place);
  if (isStale(recorded, states.recorded, recordedAt) !== isStale(sandbox, states.sandbox, sandboxAt)) {
    sink.report({ kind: 'delay', place, ...mapBoth(state, ({ firstQueried }) => sideOf(firstQueried)) });
  }
}

function isSameSequence(
  states: Both<State[]>,
  payment: Both<States>,
  { endTimes, toleranceMs }: StateComparison,
): boolean {
  const recorded = states.recorded.filter(isVisible(states.recorded, states.sandbox));
  const sandbox = states.sandbox.filter(isVisible(states.sandbox, states.recorded));
  const isTooLateOn = (side: SideName, state: State | undefined) => {
    const { to } = state ? intervalOf(state) : instant(0);
    return to + toleranceMs(to) >= endTimes[side] - payment[side].startedAt;
  };
  while (recorded.length > sandbox.length && isTooLateOn('sandbox', recorded.at(-1))) {
    recorded.pop();
  }
  while (sandbox.length > recorded.length && isTooLateOn('recorded', sandbox.at(-1))) {
    sandbox.pop();
  }
  return (
    recorded.length === sandbox.length &&
    recorded.every(({ word }, index) => isSameWord(word, sandbox[index]?.word ?? ''))
  );
}

/** Returns a filter that excludes a state if only queries returned it, and the other side was queried too late to show it. */
function isVisible(states: readonly State[], others: readonly State[]): (state: State, index: number) => boolean {
  return (state, index) => {
    const next = states[index + 1];
    const isShared = others.some(({ word }) => isSameWord(word, state.word));
    const other = next && others.find(({ word }) => isSameWord(word, next.word));
    return state.notifiedAt !== undefined || isShared || !other || intervalOf(other).to > (state.lastQueriedAt ?? 0);
  };
}

/** When a state was reached, according to a notification or to queries. */
function intervalOf({ notifiedAt, firstQueried }: State): Interval {
  return firstQueried && firstQueried.to < (notifiedAt ?? Number.POSITIVE_INFINITY)
    ? firstQueried
    : instant(notifiedAt ?? 0);
}

function instant(at: number): Interval {
  return { from: at, to: at };
}

function sideOf(interval: Interval | undefined): SideValue {
  if (!interval) {
    return NOTHING;
  }
  const { from, to } = interval;
  return from === to ? { is: 'instant', value: to } : { is: 'interval', value: [from, to] };
}
