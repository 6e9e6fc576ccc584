import { caseOf, defaultSituation } from '../cases/case.ts';
import type { Situation } from '../situations/situation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { INVARIANTS } from '../verdicts/invariants.ts';
import { invariantsOf, type Judgement } from '../verdicts/verdicts.ts';
import { HIDDEN, type JudgeContext, type TrafficJudge } from './evidence.ts';
import { judgeAcknowledgement, judgeForgery, judgeOutcomeKnown } from './notification-verdicts.ts';
import { judgePaidOnce, judgeQueryFirst } from './request-verdicts.ts';
import type { WatchedOrder } from './traffic-log.ts';

/**
 * Judges an invariant by the traffic: `handled` and `violated` if the traffic proves it, `inconclusive` if a person must check the shop,
 * `not-applicable` if the traffic is right but does not prove the invariant.
 */
const JUDGES: Readonly<Partial<Record<InvariantId, TrafficJudge>>> = {
  I3: judgePaidOnce,
  I4: judgeOutcomeKnown,
  I7: judgeForgery,
  I9: judgeAcknowledgement,
  I10: judgeQueryFirst,
};

/** The invariants of a situation that the traffic can show. */
export function visibleInvariantsOf(situation: Situation): InvariantId[] {
  return invariantsOf(caseOf([situation])).filter((id) => JUDGES[id] !== undefined);
}

/** The situation without faults if the planned one did not occur. */
export function occurredSituation({ planned, observation }: WatchedOrder): Situation {
  return planned.hasOccurred(observation) ? planned : defaultSituation('outcome');
}

/** Judges the invariants of an order's situation, and reports any other that is violated or inconclusive. */
export function judgeTraffic(order: WatchedOrder, context: JudgeContext): Judgement[] {
  const expected = new Set(invariantsOf(caseOf([occurredSituation(order)])));
  return INVARIANTS.flatMap(({ id }): Judgement[] => {
    const judge = JUDGES[id];
    const found = judge ? judge(order, context) : ({ verdict: 'not-applicable', note: HIDDEN } as const);
    if (expected.has(id)) {
      return [{ invariant: id, ...(found ?? { verdict: 'not-exercised', note: 'the situation did not occur' }) }];
    }
    return found?.verdict === 'violated' || found?.verdict === 'inconclusive' ? [{ invariant: id, ...found }] : [];
  });
}
