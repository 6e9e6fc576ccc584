import { caseOf, usual } from '../cases/case.ts';
import type { Situation } from '../situations/situation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { INVARIANTS } from '../verdicts/invariants.ts';
import { type Judgement, wantedIn } from '../verdicts/verdicts.ts';
import { asksFirst, paidOnce } from './calls.ts';
import { type JudgeContext, UNSEEN, type WireJudge } from './evidence.ts';
import { acknowledges, learns, takesNoForgery } from './notifications.ts';
import type { WatchedOrder } from './traffic-log.ts';

/**
 * What the wire shows of an invariant: `handled` and `violated` where it proves the whole of it, `inconclusive` where somebody has to
 * look, `not-applicable` where all is well as far as the wire goes.
 */
const WIRE: Readonly<Partial<Record<InvariantId, WireJudge>>> = {
  I3: paidOnce,
  I4: learns,
  I7: takesNoForgery,
  I9: acknowledges,
  I10: asksFirst,
};

/** The invariants of which the wire shows something. */
export function seenIn(situation: Situation): InvariantId[] {
  return wantedIn(caseOf([situation])).filter((id) => WIRE[id] !== undefined);
}

/** What truly struck an order; a good day where nothing did. */
export function struckBy({ met, observation }: WatchedOrder): Situation {
  return met.struck(observation) ? met : usual('outcome');
}

/** Judges an order: what its situation is there for, and whatever else is broken or has to be looked at. */
export function judgeWire(order: WatchedOrder, context: JudgeContext): Judgement[] {
  const wanted = new Set(wantedIn(caseOf([struckBy(order)])));
  return INVARIANTS.flatMap(({ id }): Judgement[] => {
    const judge = WIRE[id];
    const seen = judge ? judge(order, context) : ({ verdict: 'not-applicable', note: UNSEEN } as const);
    if (wanted.has(id)) {
      return [{ invariant: id, ...(seen ?? { verdict: 'not-exercised', note: 'the situation did not occur' }) }];
    }
    return seen?.verdict === 'violated' || seen?.verdict === 'inconclusive' ? [{ invariant: id, ...seen }] : [];
  });
}
