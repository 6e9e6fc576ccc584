import { type CaseVerdict, isWithoutFaults } from './case-verdicts.ts';
import type { Invariant, InvariantId } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';

/** Violations that probably have one cause. */
export interface ViolationCause {
  /** The invariant that is violated first; the others are violated as a consequence. */
  invariant: Invariant;
  /** The verdict that reports show in full is first. */
  verdicts: readonly [CaseVerdict, ...CaseVerdict[]];
}

/** Invariants by the step of an order at which they can be violated, the earliest step first; all others come later. */
const BY_STEP: readonly InvariantId[] = [
  'I16', // its own reference
  'I17', // one payout
  'I10', // a query before the second request
  'I3', // paid once
  'I14', // no refusal of a paid order
  'I7', // no effect of a forgery
  'I1', // fulfilled only if paid
  'I5', // the right amount
  'I15', // genuine notifications are accepted
  'I9', // acknowledged once stored
  'I4', // paid, so fulfilled
  'I2', // fulfilled once
  'I12', // a late payment is honoured
  'I6', // nothing outdated undoes it
  'I11', // a failure is reflected
  'I8', // a refund is reflected
  'I13', // amounts add up after a refund
];

/** Invariants whose violation loses money or goods by itself. */
const LOSSES: ReadonlySet<InvariantId> = new Set(['I1', 'I2', 'I3', 'I4', 'I5', 'I7']);

/**
 * The causes of all violations. One bug violates several invariants in many situations: within an order, the first step that is wrong
 * counts; and if an order without faults violates an invariant, this explains every other order that violates it.
 */
export function causesIn(verdicts: readonly CaseVerdict[]): ViolationCause[] {
  const violated = verdicts.filter(({ verdict }) => verdict === 'violated');
  const violatedWithoutFaults = new Set(violated.filter(isWithoutFaults).map(({ invariant }) => invariant));
  const ofSameOrder = ({ situation, channel }: CaseVerdict) =>
    violated
      .filter((each) => each.situation === situation && each.channel === channel)
      .map(({ invariant }) => invariant);
  const causeOf = (each: CaseVerdict) => {
    const ids = ofSameOrder(each);
    const explained = ids.filter((id) => violatedWithoutFaults.has(id));
    return earliestOf(explained.length > 0 ? explained : ids);
  };
  const isLoss = (each: CaseVerdict) => ofSameOrder(each).some((id) => LOSSES.has(id));
  return INVARIANTS.flatMap((invariant) => {
    const { id } = invariant;
    // Shown first: the invariant itself, in a case that happened, confirmed, with a loss, without faults; then the shortest story.
    const rank = (each: CaseVerdict) =>
      [each.invariant !== id, each.missed !== undefined, each.bundle === null, !isLoss(each), !isWithoutFaults(each)]
        .map(Number)
        .join('');
    const [shown, ...others] = violated
      .filter((each) => causeOf(each) === id)
      .toSorted((one, other) => rank(one).localeCompare(rank(other)) || one.history.length - other.history.length);
    return shown ? [{ invariant, verdicts: [shown, ...others] }] : [];
  });
}

/** Of the invariants that an order violates, the one that is violated first. */
export function earliestOf(violated: readonly InvariantId[]): InvariantId | undefined {
  return [...BY_STEP.filter((id) => violated.includes(id)), ...violated][0];
}
