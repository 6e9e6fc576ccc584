import { type Case, situationsOf } from '../cases/case.ts';
import { type Observation, paidIn, type Words } from '../observation/observation.ts';
import type { Invariant, InvariantId } from './invariant.ts';
import { INVARIANTS, invariantOf } from './invariants.ts';

export const VERDICTS = [
  'handled',
  'handled-after-reconcile',
  'violated',
  'not-exercised',
  'inconclusive',
  'not-applicable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Of several orders, the one with the first of these verdicts decides. */
export const DECISIVE_FIRST: readonly Verdict[] = [
  'violated',
  'inconclusive',
  'handled-after-reconcile',
  'handled',
  'not-exercised',
  'not-applicable',
];

export interface Judgement {
  invariant: InvariantId;
  verdict: Verdict;
  /** The reason, unless it is obvious. */
  note?: string;
  /** The order that the note is about. */
  orderId?: string;
  /** For a violation: the part of the case that did not happen. */
  missed?: string;
}

export function invariantsOf(testCase: Case): InvariantId[] {
  return [...new Set(situationsOf(testCase).flatMap(({ invariants }) => invariants))];
}

/** Judges the invariants of a case, and reports any other that is violated. `reconciled` is the observation after the shop's job. */
export function judge(
  testCase: Case,
  observation: Observation,
  reconciled: Observation | undefined,
  words: Words,
): Judgement[] {
  const expected = new Set(invariantsOf(testCase));
  const missedSituation = situationsOf(testCase).find((each) => !each.hasOccurred(reconciled ?? observation));
  const missed =
    missedSituation && (observation.race?.missingSupport ?? `this did not happen: ${missedSituation.title}`);
  return INVARIANTS.flatMap(({ id }): Judgement[] => {
    const found = verdictFor(id, observation, reconciled, words);
    // The notification of a race that was interrupted may not have been sent yet.
    if (found === 'violated' && !(observation.race?.missingSupport && invariantOf(id).isCorrectable)) {
      return [{ invariant: id, verdict: 'violated', ...(missed === undefined ? {} : { missed }) }];
    }
    if (!expected.has(id) || (found === undefined && invariantOf(id).isOmittedIfUnknown)) {
      return [];
    }
    if (missed !== undefined) {
      const isInapplicable = observation.race?.isRefused || missedSituation?.isOptional;
      return [{ invariant: id, verdict: isInapplicable ? 'not-applicable' : 'not-exercised', note: missed }];
    }
    return [{ invariant: id, ...verdictOrDefault(found, observation, invariantOf(id)) }];
  });
}

function verdictFor(
  id: InvariantId,
  observation: Observation,
  reconciled: Observation | undefined,
  words: Words,
): Verdict | undefined {
  const { judge: judgeOne, isCorrectable } = invariantOf(id);
  const first = judgeOne(observation, observation.finalState, words);
  const last = reconciled && judgeOne(reconciled, reconciled.reconciledState, words);
  if (first) {
    return isCorrectable || last !== false ? 'handled' : 'violated';
  }
  if (first === undefined && (!isCorrectable || last === undefined)) {
    return undefined;
  }
  return isCorrectable && last ? 'handled-after-reconcile' : 'violated';
}

/** If the invariant could not be judged, it is `handled` only if there is neither an order nor a paid payment. */
function verdictOrDefault(
  found: Verdict | undefined,
  observation: Observation,
  { explainUnknown, isAskedIfUnknown }: Invariant,
): Omit<Judgement, 'invariant'> {
  if (found !== undefined) {
    return { verdict: found };
  }
  const { orderId, refusal } = observation;
  if (orderId !== undefined) {
    const note = explainUnknown?.(observation);
    const verdict = note !== undefined && isAskedIfUnknown ? 'inconclusive' : 'not-exercised';
    return { verdict, note: note ?? 'the invariant could not be judged' };
  }
  return paidIn(observation).length === 0
    ? { verdict: 'handled' }
    : {
        verdict: 'inconclusive',
        note: `the shop refused the order but was paid: ${refusal}; to have such an order judged, throw an error with its orderId from placeOrder`,
      };
}
