import { type CaseVerdict, isUndisturbed } from './case-verdicts.ts';
import type { Invariant, InvariantId } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';

/** Violations that probably have one cause. */
export interface ViolationCause {
  /** The invariant that is broken first; the others are broken as a consequence. */
  invariant: Invariant;
  /** The verdict that reports show in full is first. */
  verdicts: readonly [CaseVerdict, ...CaseVerdict[]];
}

/** Invariants by the step of an order at which they can be broken, the earliest step first; all others come later. */
const BY_STEP: readonly InvariantId[] = [
  'I16',
  'I17',
  'I10',
  'I3',
  'I14',
  'I7',
  'I1',
  'I5',
  'I15',
  'I9',
  'I4',
  'I2',
  'I12',
  'I6',
  'I11',
  'I8',
  'I13',
];

/** Invariants whose violation loses money or goods by itself. */
const LOSSES: ReadonlySet<InvariantId> = new Set(['I1', 'I2', 'I3', 'I4', 'I5', 'I7']);

/**
 * The causes of all violations. One bug violates several invariants in many situations: within an order, the first step that is wrong
 * counts; and an invariant that an order without disturbances violates explains every other order that violates it.
 */
export function causesIn(verdicts: readonly CaseVerdict[]): ViolationCause[] {
  const violated = verdicts.filter(({ verdict }) => verdict === 'violated');
  const undisturbed = new Set(violated.filter(isUndisturbed).map(({ invariant }) => invariant));
  const ofSameOrder = ({ situation, channel }: CaseVerdict) =>
    violated
      .filter((each) => each.situation === situation && each.channel === channel)
      .map(({ invariant }) => invariant);
  const causeOf = (each: CaseVerdict) => {
    const broken = ofSameOrder(each);
    const explained = broken.filter((id) => undisturbed.has(id));
    return earliestOf(explained.length > 0 ? explained : broken);
  };
  const isLoss = (each: CaseVerdict) => ofSameOrder(each).some((id) => LOSSES.has(id));
  return INVARIANTS.flatMap((invariant) => {
    const { id } = invariant;
    const rank = (each: CaseVerdict) =>
      [each.invariant !== id, each.missed !== undefined, each.bundle === null, !isLoss(each), !isUndisturbed(each)]
        .map(Number)
        .join('');
    const [shown, ...others] = violated
      .filter((each) => causeOf(each) === id)
      .toSorted((one, other) => rank(one).localeCompare(rank(other)) || one.history.length - other.history.length);
    return shown ? [{ invariant, verdicts: [shown, ...others] }] : [];
  });
}

/** The invariant that is broken first of those that an order violates. */
export function earliestOf(broken: readonly InvariantId[]): InvariantId | undefined {
  return [...BY_STEP.filter((id) => broken.includes(id)), ...broken][0];
}
