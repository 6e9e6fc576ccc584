import type { DeliveryView, PayoutView } from '../../base/schema/control.ts';
import { lengthOf } from '../../base/text/words.ts';
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
    unfunded ? ['The merchant is owed less than the payout, so nothing was debited'] : [],
    told(known),
    coming(known),
    failure === undefined ? [] : ['The sandbox itself failed: ', { text: failure.reason }],
  ]);
}

/** What becomes of credits next. */
const COMING = {
  Paid: 'will be paid',
  Failed: 'will fail',
  Returned: 'will be returned',
} as const;

/** Which credits change next, and to what. */
function coming({ payout: { credits }, now }: Known): Part[] {
  const planned = credits
    .flatMap(({ plannedOutcomes: [next] }, index) => (next === undefined ? [] : [{ ...next, number: index + 1 }]))
    .sort((one, other) => one.at.localeCompare(other.at));
  const [next] = planned;
  if (next === undefined) {
    return [];
  }
  const { at, outcome, decidedBy, number } = next;
  const alike = planned.filter((each) => each.at === at && each.outcome === outcome && each.decidedBy === decidedBy);
  const who = alike.length === 1 ? `Credit ${number}` : `${alike.length} credits`;
  return [`${who} ${COMING[outcome]} in ${lengthOf(Date.parse(at) - now)}`, ...asSaidBy(decidedBy)];
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
