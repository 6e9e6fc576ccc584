import type { Observation, ShopAction } from '../observation/observation.ts';
import type { Race } from '../race/schedule.ts';
import type { OptionalCall } from '../shop/adapter.ts';
import type { InvariantId } from '../verdicts/invariant.ts';

/** The part of a case that a situation changes; a case has one situation of each kind. */
export const KINDS = [
  'call',
  'other-call',
  'status-query',
  'while-undecided',
  'notification',
  'outcome',
  'afterwards',
  'race',
  'alone',
] as const;
export type SituationKind = (typeof KINDS)[number];

/** Members of a scenario's rule, as in fixtures/scenarios. */
export type RuleMembers = Readonly<Record<string, unknown>>;

/** Several orders that are open at the same time, with equal data, except for the customers if `haveOwnPayers` is set. */
export interface SeveralOrders {
  /** Outcomes of their payments, in the sequence in which the orders are placed; all successes happen before any failure. */
  outcomes: readonly ('Paid' | 'Failed')[];
  /** They are placed at the same moment, and all are paid. */
  areAtOnce?: true;
  haveOwnPayers?: true;
  /** The index of the order whose status queries all fail. */
  failingIndex?: number;
}

/** An event that the provider causes, or an action of the shop. */
export interface Situation {
  /** Never changes, because reports and requirements refer to it. */
  id: string;
  kind: SituationKind;
  title: string;
  /** For payments. */
  payment?: RuleMembers;
  /** For status queries. */
  statusQuery?: RuleMembers;
  /** The session time for which status queries return an earlier status. */
  lag?: string;
  /** For another operation. */
  other?: { operation: string; rule: RuleMembers };
  /** The name of a behaviour of the provider, as in fixtures/behaviours. */
  behaviour?: string;
  /** An action of the shop, before the payer has decided or at the end. */
  action?: ShopAction;
  /** The notifications that are sent, again or for the first time, once nothing is due any more. */
  resends?: 'first' | 'second' | 'all, the latest first';
  /** The status in a notification with a wrong signature that arrives at the end. */
  forges?: string;
  /** A status query does not show the change, such as the amount of a partial refund, so the shop must receive notifications. */
  isOnlyNotified?: true;
  race?: Race;
  orders?: SeveralOrders;
  /** The amount of the order, unless the user named another. */
  amount?: string;
  /** The shop is restarted before each order, so it loses its token, and reuses references if it counts them from each start. */
  isRestarted?: true;
  /** The time zone in which the shop runs; only a shop that the examination starts can run in another. */
  zone?: string;
  /** A call that the adapter must have; `reconcile` is not needed if the adapter states its patience. */
  needs?: OptionalCall;
  /** A call that the shop must be known to make, because otherwise it cannot be disturbed. */
  requiredCall?: DisturbedCall;
  /** The invariants that it can break, the main one first. */
  invariants: readonly InvariantId[];
  /** It happens only with some correct shops, and does not apply to the others. */
  isOptional?: true;
  /** It is not in the current set of requirements. */
  isNext?: true;
  hasOccurred(observation: Observation): boolean;
}

export const inNextRequirements = (situation: Situation): Situation => ({ ...situation, isNext: true });

/**
 * A call that can be disturbed once the shop is known to make it: an operation by its name, or the second payment request after the
 * first one failed.
 */
export type DisturbedCall = string;
export const secondCallAfter = (situation: string): DisturbedCall => `second-call after ${situation}`;

/** The session time after which a payment has its first outcome, unless a situation sets another. */
export const FIRST_OUTCOME_AFTER = 'PT3S';
