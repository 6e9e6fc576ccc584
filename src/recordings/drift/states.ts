import type { Instant } from '../../base/time.ts';
import { type Both, NOTHING, type SeenSide, type Sink } from './seen.ts';

/** Milliseconds after a payment began, between which something happened. */
interface Interval {
  from: number;
  to: number;
}

/** A status that one side told of a payment. */
interface State {
  word: string;
  /** Between which queries it was told first: a service's queries may know less than it notifies. */
  asked?: Interval;
  /** When a query told it last. */
  queried?: number;
  /** When a notification told it first. */
  notified?: number;
}

/** However it is written: that is compared as a value. */
export const isSameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What one side told of a payment, in the order in which it was reached. */
export class States {
  readonly began: Instant;
  /** When a query told a status last, whichever. */
  askedUntil = 0;
  readonly #all: State[] = [];

  constructor(began: Instant) {
    this.began = began;
  }

  /** A query was answered with a status. */
  query(word: string, at: Instant): void {
    const after = this.#after(at);
    const state = this.#stateOf(word);
    state.asked ??= { from: this.askedUntil, to: after };
    state.queried = after;
    this.askedUntil = after;
  }

  /** A notification told a status. */
  notified(word: string, at: Instant): void {
    const after = this.#after(at);
    const state = this.#stateOf(word);
    state.notified = Math.min(state.notified ?? after, after);
  }

  get all(): State[] {
    return this.#all.toSorted((one, other) => reached(one).to - reached(other).to);
  }

  #stateOf(word: string): State {
    const known = this.#all.find((state) => isSameWord(state.word, word));
    const state = known ?? { word };
    if (!known) {
      this.#all.push(state);
    }
    return state;
  }

  #after(at: Instant): number {
    return Math.max(0, at - this.began);
  }
}

/** What is needed to compare states. */
interface Parts {
  sink: Sink;
  /** When each side was looked at last. */
  ends: Both<Instant>;
  near(milliseconds: number): number;
}

const STATES = 'states';
/** Compares which states followed, and when. Returns whether they differ, which explains other differences of the payment. */
export function compareStates(states: Both<States>, parts: Parts): boolean {
  const { sink } = parts;
  const both = { recorded: states.recorded.all, sandbox: states.sandbox.all };
  sink.looked(STATES);
  if (!isSameSequence(both, states, parts)) {
    const side = (all: State[]) => ({ is: STATES, value: all.map(({ word }) => word) });
    sink.saw({ kind: 'sequence', place: STATES, recorded: side(both.recorded), sandbox: side(both.sandbox) });
    return true;
  }
  const pairs = both.recorded.flatMap((recorded) => {
    const sandbox = both.sandbox.find(({ word }) => isSameWord(word, recorded.word));
    return sandbox ? [{ recorded, sandbox }] : [];
  });
  // A state that comes later makes all that follow come later.
  const isLate = pairs.some(({ recorded, sandbox }) =>
    compareTimes(recorded.word, { recorded: reached(recorded), sandbox: reached(sandbox) }, parts),
  );
  if (!isLate) {
    for (const pair of pairs) {
      compareReports(pair, states, parts);
    }
  }
  return isLate;
}

function compareTimes(place: string, { recorded, sandbox }: Both<Interval>, { sink, near }: Parts): boolean {
  sink.looked(place);
  const isFar = sandbox.to < recorded.from - near(recorded.from) || sandbox.from > recorded.to + near(recorded.to);
  if (isFar) {
    sink.saw({ kind: 'delay', place, recorded: sideOf(recorded), sandbox: sideOf(sandbox) });
  }
  return isFar;
}

/** Whether a notification is as late as on the other side, and whether queries know as much of its state. */
function compareReports({ recorded, sandbox }: Both<State>, states: Both<States>, parts: Parts): void {
  const { sink, near } = parts;
  const { word, notified: was } = recorded;
  const { notified: is } = sandbox;
  if (was === undefined || is === undefined) {
    return;
  }
  compareTimes(`the notification ${word}`, { recorded: instant(was), sandbox: instant(is) }, parts);
  const place = `${word}, by status query`;
  const isStale = ({ asked }: State, { askedUntil }: States, notified: number) =>
    (asked?.from ?? askedUntil) - notified > near(notified);
  sink.looked(place);
  if (isStale(recorded, states.recorded, was) !== isStale(sandbox, states.sandbox, is)) {
    sink.saw({ kind: 'delay', place, recorded: sideOf(recorded.asked), sandbox: sideOf(sandbox.asked) });
  }
}

function isSameSequence(
  { recorded, sandbox }: Both<State[]>,
  { recorded: one, sandbox: other }: Both<States>,
  { ends, near }: Parts,
) {
  const [was, is] = [recorded.filter(isNotPassed(recorded, sandbox)), sandbox.filter(isNotPassed(sandbox, recorded))];
  const isTooLate = (state: State | undefined, until: number) => {
    const { to } = state ? reached(state) : instant(0);
    return to + near(to) >= until;
  };
  while (was.length > is.length && isTooLate(was.at(-1), ends.sandbox - other.began)) {
    was.pop();
  }
  while (is.length > was.length && isTooLate(is.at(-1), ends.recorded - one.began)) {
    is.pop();
  }
  return was.length === is.length && was.every(({ word }, index) => isSameWord(word, is[index]?.word ?? ''));
}

/** Not what only queries told, while on the other side the state that follows had been reached by then: nobody asked in time there. */
function isNotPassed(own: readonly State[], others: readonly State[]): (state: State, index: number) => boolean {
  return (state, index) => {
    const next = own[index + 1];
    const isShared = others.some(({ word }) => isSameWord(word, state.word));
    const follows = next && others.find(({ word }) => isSameWord(word, next.word));
    return state.notified !== undefined || isShared || !follows || reached(follows).to > (state.queried ?? 0);
  };
}

/** When a state was reached, as far as either a notification or the queries tell. */
function reached({ notified, asked }: State): Interval {
  return asked && asked.to < (notified ?? Number.POSITIVE_INFINITY) ? asked : instant(notified ?? 0);
}

function instant(at: number): Interval {
  return { from: at, to: at };
}

function sideOf(interval: Interval | undefined): SeenSide {
  if (!interval) {
    return NOTHING;
  }
  const { from, to } = interval;
  return from === to ? { is: 'instant', value: to } : { is: 'interval', value: [from, to] };
}
