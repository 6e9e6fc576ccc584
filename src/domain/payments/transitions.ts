import { Refusal } from '../../refusal.ts';
import type { Payment, Payout } from '../../schema/records.ts';
import type { Instant } from '../../time.ts';

export type State = Payment['state'];
export type Outcome = Exclude<State, 'Processing'>;
export type CreditState = Payout['credits'][number]['state'];
export type Cause = Payment['history'][number]['cause'];

type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

/** Which states of a payment follow which. What is not here does not happen. Source: ours (reference, section 4). */
export const TRANSITIONS: Transitions<State> = {
  Processing: ['Paid', 'Failed', 'Cancelled', 'Expired'],
  Paid: [],
  Failed: [],
  Cancelled: [],
  Expired: [],
};

/** Which states of a payout's credit follow which. What Failed never arrived, what is Returned came back. Source: ours. */
export const CREDIT_TRANSITIONS: Transitions<CreditState> = {
  Processing: ['Paid', 'Failed'],
  Paid: ['Returned'],
  Failed: [],
  Returned: [],
};

/** Why and how something changes its state. */
export interface Transition<S extends string = State> {
  to: S;
  at: Instant;
  cause: Cause;
  code: string | null;
  description: string | null;
  /** The number of the step, where it moves money. */
  move?: number | undefined;
}

interface Step<S extends string> extends Omit<Transition<S>, 'move'> {
  from: S | null;
  move?: number;
}

interface Stateful<S extends string> {
  state: S;
  history: Step<S>[];
}

/** The history of something that has just begun; `move` where that moves money. */
export function begin(at: Instant, cause: Cause, move?: number): Step<'Processing'>[] {
  const start = { at, from: null, to: 'Processing' as const, cause, code: null, description: null };
  return [move === undefined ? start : { ...start, move }];
}

/** Something in another state, with the change in its history. */
export function enter<S extends string, R extends Stateful<S>>(record: R, change: Transition<S>): R {
  const { to, at, cause, code, description, move } = change;
  const step = { at, from: record.state, to, cause, code, description, ...(move === undefined ? {} : { move }) };
  return { ...record, state: to, history: [...record.history, step] };
}

/** The one way to a state that a table knows. Throws a `conflict` refusal for a change that the table does not have. */
export function follow<S extends string, R extends Stateful<S>>(
  transitions: Transitions<S>,
  name: string,
  record: R,
  change: Transition<S>,
): R {
  if (!transitions[record.state].includes(change.to)) {
    throw new Refusal('conflict', `${name} is ${record.state} and cannot become ${change.to}`);
  }
  return enter<S, R>(record, change);
}

/** A payment in its new state, with nothing left to settle. Throws `conflict` where the table says no. */
export function transition<R extends Stateful<State> & { id: string; plannedOutcome: unknown; dueAt: Instant | null }>(
  payment: R,
  change: Transition,
): R {
  return { ...follow(TRANSITIONS, payment.id, payment, change), plannedOutcome: null, dueAt: null };
}
