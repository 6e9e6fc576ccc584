import type { DeliveryView, PayoutView } from '../../base/schema/control.ts';
import { lengthOf } from '../format.ts';
import { asSaidBy, type Part, sentences } from './part.ts';
import { toldOf } from './told.ts';

interface Known {
  payout: PayoutView;
  /** The newest notifications about it. */
  deliveries: readonly DeliveryView[];
  hasMoreDeliveries: boolean;
  /** By the session's clock, in milliseconds. */
  now: number;
}

/** What comes next of a payout, and who was told of what it is; its credits say why each is as it is. */
export function whyOfPayout(known: Known): Part[] {
  const { unfunded, failure } = known.payout;
  return sentences([
    unfunded ? ['Less is owed to the merchant than it pays out, so nothing was taken'] : [],
    told(known),
    coming(known),
    failure === undefined ? [] : ['The sandbox itself failed: ', { text: failure.reason }],
  ]);
}

const COMING = { Paid: 'is paid', Failed: 'fails', Returned: 'is returned' } as const;

/** What becomes of a credit next. */
function coming({ payout: { credits }, now }: Known): Part[] {
  const planned = credits.flatMap(({ plannedOutcomes: [next] }, index) =>
    next === undefined ? [] : [{ ...next, number: index + 1 }],
  );
  const [next] = planned.sort((one, other) => one.at.localeCompare(other.at) || one.number - other.number);
  return next === undefined
    ? []
    : [
        `Credit ${next.number} ${COMING[next.outcome]} in ${lengthOf(Date.parse(next.at) - now)}`,
        ...asSaidBy(next.decidedBy),
      ];
}

/** Who was told of the state that it is in. */
function told({ payout: { state, history }, deliveries, hasMoreDeliveries: hasMore, now }: Known): Part[] {
  const change = history.at(-1);
  if (state === 'Processing' || change === undefined) {
    return [];
  }
  const type = `payout.${state === 'PartlyPaid' ? 'partly-paid' : state.toLowerCase()}`;
  const about = deliveries.filter(
    (each) => each.type === type && each.createdAt === change.at && each.forgery === undefined && !each.isTest,
  );
  const rule = change.decidedBy?.startsWith('rule ') ? change.decidedBy : undefined;
  return toldOf(about, { type, now, rule, hasMore: hasMore && about.length === deliveries.length }).clause;
}
