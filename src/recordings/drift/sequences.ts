import type { Instant } from '../../base/time.ts';
import type { Delays } from './delays.ts';
import type { Payment } from './payments.ts';
import type { Context } from './seen.ts';
import type { State, States } from './states.ts';
import type { Tally } from './tally.ts';
import type { Vocabulary } from './vocabulary.ts';

/** When each side was looked at last. */
export interface Ends {
  recorded: Instant;
  sandbox: Instant;
}

/** What is needed to compare which states follow. */
export interface SequenceParts {
  tally: Tally;
  delays: Delays;
  vocabulary: Vocabulary;
  ends: Ends;
}

const STATES = 'states';

/** Compares which states followed and when. Returns whether they differ, which explains other differences of the payment. */
export function compareSequences(payment: Payment, parts: SequenceParts): boolean {
  const { delays, vocabulary } = parts;
  const { operation: _, source, channel, environment } = payment;
  const context: Context = { part: 'payment', operation: null, channel, environment, status: null, source };
  const [was, is] = [payment.recorded.all, payment.sandbox.all];
  const later = was.flatMap((state) => {
    const other = is.find(({ word }) => vocabulary.isSame(state.word, word));
    return other ? [{ state, other }] : [];
  });
  // A state that comes later makes all that follow come later. Of a payment that may have begun before, nobody knows how late it is.
  const isLate =
    !payment.isRetry && later.some(({ state, other }) => delays.compare(context, state.word, state, other));
  if (!isLate && !payment.isRetry) {
    compareQueries(later, context, delays);
    compareNotified(later, context, delays);
  }
  const sink = parts.tally.sinkFor(context);
  sink.looked(STATES);
  if (isSameSequence(payment, parts)) {
    if (!isLate && !payment.isRetry) {
      compareUntold(later, payment, context, delays);
    }
    return isLate;
  }
  const side = (states: readonly State[]) => ({ is: STATES, value: states.map(({ word }) => word) });
  sink.saw({ kind: 'sequence', place: STATES, recorded: side(was), sandbox: side(is) });
  return true;
}

/** Whether status queries know of a state once it is notified: on both sides they were asked at the same times. */
function compareQueries(states: readonly { state: State; other: State }[], context: Context, delays: Delays): void {
  const isStale = ({ to, asked }: State) => asked !== undefined && asked.from - to > delays.tolerance(to);
  for (const { state, other } of states) {
    if (isToldFirst(state) && isToldFirst(other) && state.asked && other.asked) {
      const place = `${state.word}, by status query`;
      delays.add(context, place, { recorded: state.asked, sandbox: other.asked }, isStale(state) !== isStale(other));
    }
  }
}

/** Whether queries of one side never know of a state that was notified, while the other side was asked as late and knew of it. */
function compareUntold(
  states: readonly { state: State; other: State }[],
  { recorded, sandbox }: Payment,
  context: Context,
  delays: Delays,
): void {
  const isUntold = ({ asked, notified }: State, { askedUntil }: States, told: State['asked']) =>
    asked === undefined &&
    notified !== undefined &&
    told !== undefined &&
    askedUntil >= told.to + delays.tolerance(told.to);
  for (const { state, other } of states) {
    const place = `${state.word}, by status query`;
    if (isUntold(state, recorded, other.asked)) {
      delays.add(context, place, { recorded: null, sandbox: other.asked ?? null }, true);
    } else if (isUntold(other, sandbox, state.asked)) {
      delays.add(context, place, { recorded: state.asked ?? null, sandbox: null }, true);
    }
  }
}

/** Whether a notification told a state before any query did. */
const isToldFirst = ({ notified, to }: State): boolean => notified !== undefined && notified <= to;

/** Whether notifications come as long after a state that queries knew before on one side or both. */
function compareNotified(states: readonly { state: State; other: State }[], context: Context, delays: Delays): void {
  for (const { state, other } of states) {
    const [was, is] = [state.notified, other.notified];
    if (was !== undefined && is !== undefined && !(isToldFirst(state) && isToldFirst(other))) {
      delays.compare(context, `the notification ${state.word}`, { from: was, to: was }, { from: is, to: is });
    }
  }
}

function isSameSequence({ recorded, sandbox }: Payment, { delays, vocabulary, ends }: SequenceParts): boolean {
  const isSame = (one: State, other: State) => vocabulary.isSame(one.word, other.word);
  const left = { recorded: recorded.all, sandbox: sandbox.all };
  const was = left.recorded.filter(
    (state) => !isPassed(state, left.recorded, left.sandbox, isSame) || vocabulary.isBeyondSandbox(state.word),
  );
  const is = left.sandbox.filter(
    (state) => !isPassed(state, left.sandbox, left.recorded, (one, other) => isSame(other, one)),
  );
  const untilEnd = { recorded: ends.recorded - recorded.began, sandbox: ends.sandbox - sandbox.began };
  const isTooLate = ({ to }: State, until: number) => to + delays.tolerance(to) >= until;
  while (was.length > is.length && isTooLate(was.at(-1) ?? NEVER, untilEnd.sandbox)) {
    was.pop();
  }
  while (is.length > was.length && isTooLate(is.at(-1) ?? NEVER, untilEnd.recorded)) {
    is.pop();
  }
  return was.length === is.length && was.every((state, index) => isSame(state, is[index] ?? NEVER));
}

const NEVER: State = { word: '', from: 0, to: 0 };

/**
 * Whether the other side may have had a state that only queries told: it is not told of, since the state that follows had come by
 * then, or since nobody asked while it would have been told. When it came is compared elsewhere.
 */
function isPassed(
  state: State,
  own: readonly State[],
  others: readonly State[],
  isSame: (one: State, other: State) => boolean,
): boolean {
  const next = own[own.indexOf(state) + 1];
  const { queried } = state;
  if (state.notified !== undefined || !next || queried === undefined || others.some((other) => isSame(state, other))) {
    return false;
  }
  const follows = others.find((other) => isSame(next, other));
  const isAsked = ({ asked, queried: last = 0 }: State) =>
    asked !== undefined && asked.to <= queried && last >= state.to;
  return (
    follows !== undefined && (follows.to <= queried || !others.some((other) => other !== follows && isAsked(other)))
  );
}
