import type { InvariantId } from '../invariants.ts';
import type { Deed, Observation } from '../observation.ts';

/** What of a case a situation changes; of each kind a case has one. */
export const KINDS = [
  'call',
  'other-call',
  'status-query',
  'meanwhile',
  'notification',
  'outcome',
  'afterwards',
] as const;
export type Kind = (typeof KINDS)[number];

/** A rule of a scenario, as in fixtures/scenarios. */
export type Rule = Readonly<Record<string, unknown>>;

/** Something that a provider does to a shop, or that the shop does itself. */
export interface Situation {
  /** Never changes. */
  id: string;
  kind: Kind;
  title: string;
  /** Members of the scenario's rule for payments. */
  payment?: Rule;
  /** Members of the scenario's rule for status queries. */
  statusQuery?: Rule;
  /** Another operation, and members of the scenario's rule for it. */
  other?: { operation: string; rule: Rule };
  /** How the provider behaves. */
  behaviour?: string;
  /** What the shop does before the payer has decided, or in the end. */
  deed?: Deed;
  /** What is done once nothing is under way any more. */
  sendsFirstAgain?: true;
  /** Where a shop must have come to be met by this. */
  point?: Point;
  /** What can break by it, the one that it is there for first. */
  invariants: readonly InvariantId[];
  /** Whether it struck. */
  struck(observation: Observation): boolean;
}

/**
 * A place where a shop can be disturbed, known once the shop has come to it: an operation by its name, or the second call for money
 * after a first one that something happened to.
 */
export type Point = string;
export const secondCallAfter = (situation: string): Point => `second-call after ${situation}`;

/** When a payment has its first outcome, where the situation says nothing else. */
export const FIRST_OUTCOME_AFTER = 'PT3S';
