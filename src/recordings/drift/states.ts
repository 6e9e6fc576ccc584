import type { Instant } from '../../base/time.ts';
import { type Both, type DriftSink, NOTHING, type SideValue } from './single-difference.ts';

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
  readonly began: Instant;
  /** When the last query returned any status, in milliseconds after `began`. */
  lastQueryAt = 0;
  readonly #all: State[] = [];

  constructor(began: Instant) {
    this.began = began;
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
    return this.#all.toSorted((one, other) => reach(one).to - reach(other).to);
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
    return Math.max(0, at - this.began);
  }
}

/** The receiver of differences, the ends of the observation, and the tolerance. */
interface StateComparison {
  sink: DriftSink;
  /** When the observation of each side ended. */
  ends: Both<Instant>;
  toleranceMs(milliseconds: number): number;
}

const STATES = 'states';
/** Compares the states and their times. Returns whether they differ, because this explains other differences of the payment. */
export function compareStates(states: Both<States>, parts: StateComparison): boolean {
  const { sink } = parts;
  const both = { recorded: states.recorded.all, sandbox: states.sandbox.all };
  sink.countCompared(STATES);
  if (!isSameSequence(both, states, parts)) {
    const side = (all: State[]) => ({ is: STATES, value: all.map(({ word }) => word) });
    sink.report({ kind: 'sequence', place: STATES, recorded: side(both.recorded), sandbox: side(both.sandbox) });
    return true;
  }
  const pairs = both.recorded.flatMap((recorded) => {
    const sandbox = both.sandbox.find(({ word }) => isSameWord(word, recorded.word));
    return sandbox ? [{ recorded, sandbox }] : [];
  });
  // A late state makes all states after it late as well.
  const isLate = pairs.some(({ recorded, sandbox }) =>
    compareTimes(recorded.word, { recorded: reach(recorded), sandbox: reach(sandbox) }, parts),
  );
  if (!isLate) {
    for (const pair of pairs) {
      compareReports(pair, states, parts);
    }
  }
  return isLate;
}

function compareTimes(
  place: string,
  { recorded, sandbox }: Both<Interval>,
  { sink, toleranceMs }: StateComparison,
): boolean {
  sink.countCompared(place);
  const isFar =
    sandbox.to < recorded.from - toleranceMs(recorded.from) || sandbox.from > recorded.to + toleranceMs(recorded.to);
  if (isFar) {
    sink.report({ kind: 'delay', place, recorded: sideOf(recorded), sandbox: sideOf(sandbox) });
  }
  return isFar;
}

/** Compares the delays of notifications, and whether queries return the state of the notification on both sides. */
function compareReports({ recorded, sandbox }: Both<State>, states: Both<States>, parts: StateComparison): void {
  const { sink, toleranceMs } = parts;
  const { word, notifiedAt: was } = recorded;
  const { notifiedAt: is } = sandbox;
  if (was === undefined || is === undefined) {
    return;
  }
  compareTimes(`the notification ${word}`, { recorded: instant(was), sandbox: instant(is) }, parts);
  const place = `${word}, by status query`;
  const isStale = ({ firstQueried }: State, { lastQueryAt }: States, notified: number) =>
    (firstQueried?.from ?? lastQueryAt) - notified > toleranceMs(notified);
  sink.countCompared(place);
  if (isStale(recorded, states.recorded, was) !== isStale(sandbox, states.sandbox, is)) {
    sink.report({
      kind: 'delay',
      place,
      recorded: sideOf(recorded.firstQueried),
      sandbox: sideOf(sandbox.firstQueried),
    });
  }
}

function isSameSequence(
  { recorded, sandbox }: Both<State[]>,
  { recorded: one, sandbox: other }: Both<States>,
  { ends, toleranceMs }: StateComparison,
) {
  const [was, is] = [recorded.filter(isVisible(recorded, sandbox)), sandbox.filter(isVisible(sandbox, recorded))];
  const isTooLate = (state: State | undefined, until: number) => {
    const { to } = state ? reach(state) : instant(0);
    return to + toleranceMs(to) >= until;
  };
  while (was.length > is.length && isTooLate(was.at(-1), ends.sandbox - other.began)) {
    was.pop();
  }
  while (is.length > was.length && isTooLate(is.at(-1), ends.recorded - one.began)) {
    is.pop();
  }
  return was.length === is.length && was.every(({ word }, index) => isSameWord(word, is[index]?.word ?? ''));
}

/** Returns a filter that excludes a state if only queries returned it, and the other side was queried too late to show it. */
function isVisible(states: readonly State[], others: readonly State[]): (state: State, index: number) => boolean {
  return (state, index) => {
    const next = states[index + 1];
    const isShared = others.some(({ word }) => isSameWord(word, state.word));
    const follows = next && others.find(({ word }) => isSameWord(word, next.word));
    return state.notifiedAt !== undefined || isShared || !follows || reach(follows).to > (state.lastQueriedAt ?? 0);
  };
}

/** When a state was reached, according to a notification or to queries. */
function reach({ notifiedAt, firstQueried }: State): Interval {
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
