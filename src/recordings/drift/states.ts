import type { Instant } from '../../base/time.ts';
import { type Both, type DriftSink, mapBoth, NOTHING, type SideName, type SideValue } from './single-difference.ts';

/** The interval in which an event happened, in milliseconds after the start of its payment. */
interface Interval {
  from: number;
  to: number;
}

/** A status of a payment that one side reported. Its times are in milliseconds after the start of the payment. */
interface State {
  status: string;
  /** From the query before it to the first query that returned it. Separate from `notifiedMs`, because queries may lag behind notifications. */
  firstQueried?: Interval;
  /** When a query returned it last. */
  lastQueriedMs?: number;
  /** When a notification contained it first. */
  notifiedMs?: number;
}

/** Ignores case, which is compared separately as a value. */
export const isSameStatus = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The statuses of a payment that one side reported, in the order in which they were reached. */
export class States {
  readonly startedAt: Instant;
  /** When the last query returned any status, in milliseconds after `startedAt`. */
  lastQueryMs = 0;
  readonly #all: State[] = [];

  constructor(startedAt: Instant) {
    this.startedAt = startedAt;
  }

  recordQuery(status: string, at: Instant): void {
    const afterMs = this.#msAfterStart(at);
    const state = this.#stateOf(status);
    state.firstQueried ??= { from: this.lastQueryMs, to: afterMs };
    state.lastQueriedMs = afterMs;
    this.lastQueryMs = afterMs;
  }

  recordNotification(status: string, at: Instant): void {
    const afterMs = this.#msAfterStart(at);
    const state = this.#stateOf(status);
    state.notifiedMs = Math.min(state.notifiedMs ?? afterMs, afterMs);
  }

  get all(): State[] {
    return this.#all.toSorted((one, other) => intervalOf(one).to - intervalOf(other).to);
  }

  #stateOf(status: string): State {
    const existing = this.#all.find((each) => isSameStatus(each.status, status));
    const state = existing ?? { status };
    if (!existing) {
      this.#all.push(state);
    }
    return state;
  }

  #msAfterStart(at: Instant): number {
    return Math.max(0, at - this.startedAt);
  }
}

/** The parts of a comparison that the states of one payment use. */
interface StateComparisonParts {
  sink: DriftSink;
  /** When the observation of each side ended. */
  endTimes: Both<Instant>;
  toleranceMs(milliseconds: number): number;
}

const STATES = 'states';

/** Compares the states and their times. Returns whether they differ, which explains other differences of the payment. */
export function compareStates(states: Both<States>, comparison: StateComparisonParts): boolean {
  const { sink } = comparison;
  const both = mapBoth(states, ({ all }) => all);
  sink.countCompared(STATES);
  if (!isSameSequence(both, states, comparison)) {
    const sides = mapBoth(both, (all) => ({ is: STATES, value: all.map(({ status }) => status) }));
    sink.report({ kind: 'sequence', place: STATES, ...sides });
    return true;
  }
  const pairs = both.recorded.flatMap((recorded) => {
    const sandbox = both.sandbox.find(({ status }) => isSameStatus(status, recorded.status));
    return sandbox ? [{ recorded, sandbox }] : [];
  });
  // A late state makes all states after it late as well.
  const isLate = pairs.some((pair) => compareTimes(pair.recorded.status, mapBoth(pair, intervalOf), comparison));
  if (!isLate) {
    for (const pair of pairs) {
      compareNotifications(pair, states, comparison);
    }
  }
  return isLate;
}

function compareTimes(place: string, times: Both<Interval>, { sink, toleranceMs }: StateComparisonParts): boolean {
  const { recorded, sandbox } = times;
  sink.countCompared(place);
  const isOutOfTolerance =
    sandbox.to < recorded.from - toleranceMs(recorded.from) || sandbox.from > recorded.to + toleranceMs(recorded.to);
  if (isOutOfTolerance) {
    sink.report({ kind: 'delay', place, ...mapBoth(times, sideOf) });
  }
  return isOutOfTolerance;
}

/** Compares the delays of notifications, and whether queries return the state late on both sides or on neither. */
function compareNotifications(state: Both<State>, states: Both<States>, comparison: StateComparisonParts): void {
  const { recorded, sandbox } = state;
  const { sink, toleranceMs } = comparison;
  const { status, notifiedMs: recordedAt } = recorded;
  const { notifiedMs: sandboxAt } = sandbox;
  if (recordedAt === undefined || sandboxAt === undefined) {
    return;
  }
  compareTimes(`the notification ${status}`, { recorded: point(recordedAt), sandbox: point(sandboxAt) }, comparison);
  const place = `${status}, by status query`;
  const isStale = ({ firstQueried }: State, { lastQueryMs }: States, notified: number) =>
    (firstQueried?.from ?? lastQueryMs) - notified > toleranceMs(notified);
  sink.countCompared(place);
  if (isStale(recorded, states.recorded, recordedAt) !== isStale(sandbox, states.sandbox, sandboxAt)) {
    sink.report({ kind: 'delay', place, ...mapBoth(state, ({ firstQueried }) => sideOf(firstQueried)) });
  }
}

function isSameSequence(
  both: Both<State[]>,
  states: Both<States>,
  { endTimes, toleranceMs }: StateComparisonParts,
): boolean {
  const recorded = comparableStates(both.recorded, both.sandbox);
  const sandbox = comparableStates(both.sandbox, both.recorded);
  // A last state is ignored if the other side could have reached it after its observation ended.
  const isTooLateOn = (side: SideName, state: State | undefined) => {
    const { to } = state ? intervalOf(state) : point(0);
    return to + toleranceMs(to) >= endTimes[side] - states[side].startedAt;
  };
  while (recorded.length > sandbox.length && isTooLateOn('sandbox', recorded.at(-1))) {
    recorded.pop();
  }
  while (sandbox.length > recorded.length && isTooLateOn('recorded', sandbox.at(-1))) {
    sandbox.pop();
  }
  return (
    recorded.length === sandbox.length &&
    recorded.every(({ status }, index) => isSameStatus(status, sandbox[index]?.status ?? ''))
  );
}

/** Omits states that only queries returned and the other side never reported, if it had reported the next state by the last such query. */
function comparableStates(states: readonly State[], otherSide: readonly State[]): State[] {
  return states.filter((state, index) => {
    const next = states[index + 1];
    const isShared = otherSide.some(({ status }) => isSameStatus(status, state.status));
    const other = next && otherSide.find(({ status }) => isSameStatus(status, next.status));
    return state.notifiedMs !== undefined || isShared || !other || intervalOf(other).to > (state.lastQueriedMs ?? 0);
  });
}

/** When a state was reached, according to a notification or to queries. */
function intervalOf({ notifiedMs, firstQueried }: State): Interval {
  return firstQueried && firstQueried.to < (notifiedMs ?? Number.POSITIVE_INFINITY)
    ? firstQueried
    : point(notifiedMs ?? 0);
}

function point(at: number): Interval {
  return { from: at, to: at };
}

function sideOf(interval: Interval | undefined): SideValue {
  if (!interval) {
    return NOTHING;
  }
  const { from, to } = interval;
  return from === to ? { is: 'instant', value: to } : { is: 'interval', value: [from, to] };
}
