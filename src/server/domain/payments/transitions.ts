import { Refusal } from '../../../base/refusal.ts';
import type { Adjustment, Payment, Payout } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';

export type PaymentState = Payment['state'];
export type CreditState = Payout['credits'][number]['state'];
export type Cause = Payment['history'][number]['cause'];

type TransitionTable<S extends string> = Readonly<Partial<Record<S, readonly S[]>>>;

/** An action that changes the state of a payment: `decide` gives it its outcome, `late-success` pays it late, the others adjust a paid one. */
export type PaymentAction = 'decide' | 'late-success' | Adjustment['kind'];

/** The allowed changes of a payment's state, by action. Source: ours (reference, section 4). */
export const TRANSITIONS = {
  decide: { Processing: ['Paid', 'Failed', 'Cancelled', 'Expired'] },
  'late-success': { Failed: ['Paid'], Expired: ['Paid'] },
  'late-failure': { Paid: ['Failed'] },
  // Paid stays Paid until nothing is left.
  refund: { Paid: ['Paid', 'Refunded'] },
  reversal: { Paid: ['Paid', 'Reversed'] },
  chargeback: { Paid: ['Paid', 'ChargedBack'] },
  'chargeback-reversed': { Paid: ['Paid'], Refunded: ['Paid'], Reversed: ['Paid'], ChargedBack: ['Paid'] },
} as const satisfies Readonly<Record<PaymentAction, TransitionTable<PaymentState>>>;

export type DecidedState = (typeof TRANSITIONS)['decide']['Processing'][number];

/** The allowed changes of a credit's state. A Failed credit never arrived; a Returned one arrived and was sent back. Source: ours. */
export const CREDIT_TRANSITIONS: Readonly<Record<CreditState, readonly CreditState[]>> = {
  Processing: ['Paid', 'Failed'],
  Paid: ['Returned'],
  Failed: [],
  Returned: [],
};

export interface Transition<S extends string = PaymentState> {
  to: S;
  at: Instant;
  cause: Cause;
  code: string | null;
  description: string | null;
  /** The number of the money movement, if the change moves money. */
  move?: number | undefined;
  /** The scenario's rule or the fixture that planned the change. */
  decidedBy?: string | undefined;
}

interface Step<S extends string> extends Omit<Transition<S>, 'move' | 'decidedBy'> {
  from: S | null;
  move?: number;
  decidedBy?: string;
}

interface Stateful<S extends string> {
  state: S;
  history: Step<S>[];
}

/** `causeOf` recognizes a rule by the beginning of this name. */
export function nameOfRule(scenario: string, number: number): string {
  return `rule ${number} of ${scenario}`;
}

export function causeOf(decidedBy: string | undefined): Cause {
  return decidedBy === undefined || decidedBy.startsWith('rule ') ? 'scenario' : 'fixtures';
}

/** `move` is given if the creation moves money. */
export function beginHistory(at: Instant, cause: Cause, move?: number): Step<'Processing'>[] {
  const start = { at, from: null, to: 'Processing' as const, cause, code: null, description: null };
  return [move === undefined ? start : { ...start, move }];
}

export function enterState<S extends string, R extends Stateful<S>>(record: R, change: Transition<S>): R {
  const { to, at, cause, code, description, move, decidedBy } = change;
  const moveMember = move === undefined ? {} : { move };
  const deciderMember = decidedBy === undefined ? {} : { decidedBy };
  const step = { at, from: record.state, to, cause, code, description, ...moveMember, ...deciderMember };
  return { ...record, state: to, history: [...record.history, step] };
}

/** Throws `conflict` for a change that the table does not allow. */
export function applyTransition<S extends string, R extends Stateful<S>>(
  transitions: TransitionTable<S>,
  name: string,
  record: R,
  change: Transition<S>,
  hintOf: (from: S, to: S) => string = () => '',
): R {
  if (!transitions[record.state]?.includes(change.to)) {
    const isSameState = record.state === (change.to as S);
    const problem = isSameState ? `is already ${change.to}` : `is ${record.state} and cannot become ${change.to}`;
    throw new Refusal('conflict', `${name} ${problem}${hintOf(record.state, change.to)}`);
  }
  return enterState<S, R>(record, change);
}

export function nextStates(action: PaymentAction, state: PaymentState): readonly PaymentState[] {
  const table: TransitionTable<PaymentState> = TRANSITIONS[action];
  return table[state] ?? [];
}

const hintOfLateSuccess = (from: PaymentState, to: PaymentState) =>
  nextStates('late-success', from).includes(to) ? ' by hand; scenario late-success pays such payments late' : '';

/** Also removes the planned outcome and the due time. Throws `conflict` if the table does not allow the change. */
export function changeState<
  R extends Stateful<PaymentState> & { id: string; plannedOutcome: unknown; dueAt: Instant | null },
>(payment: R, change: Transition, action: PaymentAction = 'decide'): R {
  const table: TransitionTable<PaymentState> = TRANSITIONS[action];
  const hintOf = action === 'decide' ? hintOfLateSuccess : undefined;
  return { ...applyTransition(table, payment.id, payment, change, hintOf), plannedOutcome: null, dueAt: null };
}
