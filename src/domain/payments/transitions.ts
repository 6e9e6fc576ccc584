import { Refusal } from '../../refusal.ts';
import type { Payment } from '../../schema/records.ts';
import type { Instant } from '../../time.ts';

export type State = Payment['state'];
export type Outcome = Exclude<State, 'Processing'>;
export type Cause = Payment['history'][number]['cause'];
type History = Payment['history'];

/** Which states follow which. What is not here does not happen. Source: ours (reference, section 4). */
export const TRANSITIONS: Readonly<Record<State, readonly State[]>> = {
  Processing: ['Paid', 'Failed', 'Cancelled', 'Expired'],
  Paid: [],
  Failed: [],
  Cancelled: [],
  Expired: [],
};

/** Why and how a payment or payout changes its state. */
export interface Transition {
  to: State;
  at: Instant;
  cause: Cause;
  code: string | null;
  description: string | null;
  /** The number of the step, where it moves money. */
  move?: number | undefined;
}

/** The history of something that has just begun. */
export function begin(at: Instant, cause: Cause): History {
  return [{ at, from: null, to: 'Processing', cause, code: null, description: null }];
}

/**
 * The one way to another state. Returns the record in its new state, with the change in its history and nothing left to
 * settle. Throws a `conflict` refusal for a change that the table does not have.
 */
export function transition<
  R extends { id: string; state: State; history: History; plannedOutcome: unknown; dueAt: Instant | null },
>(record: R, change: Transition): R {
  if (!TRANSITIONS[record.state].includes(change.to)) {
    throw new Refusal('conflict', `${record.id} is ${record.state} and cannot become ${change.to}`);
  }
  const { to, at, cause, code, description, move } = change;
  const entry = { at, from: record.state, to, cause, code, description, ...(move === undefined ? {} : { move }) };
  return { ...record, state: to, plannedOutcome: null, dueAt: null, history: [...record.history, entry] };
}
