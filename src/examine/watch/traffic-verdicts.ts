import { caseOf, defaultSituation } from '../cases/case.ts';
import type { Situation } from '../situations/situation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { INVARIANTS } from '../verdicts/invariants.ts';
import { invariantsOf, type Judgement } from '../verdicts/verdicts.ts';
import { judgePaidOnce, judgeQueryFirst } from './calls.ts';
import { type JudgeContext, type TrafficJudge, UNSEEN } from './evidence.ts';
import { judgeAcknowledgement, judgeForgery, judgeLearning } from './notifications.ts';
import type { WatchedOrder } from './traffic-log.ts';

/**
 * What the wire shows of an invariant: `handled` and `violated` where it proves the whole of it, `inconclusive` where somebody has to
 * look, `not-applicable` where all is well as far as the wire goes.
 */
const JUDGES: Readonly<Partial<Record<InvariantId, TrafficJudge>>> = {
  I3: judgePaidOnce,
  I4: judgeLearning,
  I7: judgeForgery,
  I9: judgeAcknowledgement,
  I10: judgeQueryFirst,
};

/** The invariants of which the wire shows something. */
export function visibleInvariantsOf(situation: Situation): InvariantId[] {
  return invariantsOf(caseOf([situation])).filter((id) => JUDGES[id] !== undefined);
}

/** What truly struck an order; a good day where nothing did. */
export function occurredSituation({ planned, observation }: WatchedOrder): Situation {
  return planned.hasOccurred(observation) ? planned : defaultSituation('outcome');
}

/** Judges an order: what its situation is there for, and whatever else is broken or has to be looked at. */
export function judgeTraffic(order: WatchedOrder, context: JudgeContext): Judgement[] {
  const wanted = new Set(invariantsOf(caseOf([occurredSituation(order)])));
  return INVARIANTS.flatMap(({ id }): Judgement[] => {
    const judge = JUDGES[id];
    const seen = judge ? judge(order, context) : ({ verdict: 'not-applicable', note: UNSEEN } as const);
    if (wanted.has(id)) {
      return [{ invariant: id, ...(seen ?? { verdict: 'not-exercised', note: 'the situation did not occur' }) }];
    }
    return seen?.verdict === 'violated' || seen?.verdict === 'inconclusive' ? [{ invariant: id, ...seen }] : [];
  });
}
