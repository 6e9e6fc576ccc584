import { isSuccess } from '../../base/is-success.ts';
import { membersOf } from '../../base/members.ts';
import type { RequestView } from '../../base/schema/generated/control.ts';
import { initiationsIn, type Observation, type Words } from '../observation/observation.ts';
import { hasTimedOut } from '../observation/place-order.ts';
import type { OrderState } from '../shop/adapter.ts';
import type { Invariant } from './invariant.ts';
import { genuineIn, isOrderLost, isPaidAndKept, isReduced, isUnpaidState } from './payment-facts.ts';

/** Invariants of the next set of requirements. */
export const NEXT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    sentence:
      'The amounts add up after a part of a payment was refunded or charged back, or a chargeback was reversed.',
    why: 'The books differ from the account, and the next refund returns too much or too little.',
    mend: 'Record the amount of each change once, by the webhook-id of its notification, and count the amount of a reversed chargeback as paid again.',
    isCorrectable: true,
    isAskedIfUnknown: true,
    explainUnknown: (observation) =>
      isUnpaidForPart(observation, observation.reconciledState ?? observation.finalState)
        ? 'a part of the payment was refunded or charged back, and the order counts as not paid at all: if the shop stores the remaining amount elsewhere, return that as paidAmount'
        : undefined,
    judge: judgeAmounts,
  },
  {
    id: 'I14',
    sentence: 'The customer is told the truth: no order is refused while its money is taken.',
    why: 'The customer orders again, and pays twice, or asks the bank for the money.',
    mend: 'Query the status before you refuse an order whose payment request got no usable answer, and keep the order until the outcome is known.',
    isCorrectable: true,
    judge: judgeRefusal,
  },
  {
    id: 'I15',
    sentence: 'Genuine notifications are accepted.',
    why: 'A shop that refuses all notifications learns of payments only by its own queries, and never of later changes.',
    mend: 'Verify the signature over the bytes that arrived, with the secret of the endpoint (here WEBHOOK_SECRET), and answer with 2xx.',
    isCorrectable: true,
    isOmittedIfUnknown: true,
    judge: judgeAcceptance,
  },
  {
    id: 'I16',
    sentence: 'Each order has its own reference.',
    why: 'Otherwise, a notification or status query for one order counts for another.',
    mend: 'Derive the reference of a payment from something unique to the order, such as its id, not from the time, the amount or the customer.',
    isCorrectable: false,
    judge: ({ payments, siblings }) => {
      const others = siblings?.flatMap((each) => each.payments.map(({ payerReference }) => payerReference));
      return others && payments.every(({ payerReference }) => !others.includes(payerReference));
    },
  },
  {
    id: 'I17',
    sentence: 'A payout is made once, and with the right amount.',
    why: 'Money that was paid out twice is hard to get back.',
    mend: 'Do not repeat a payout request that got no usable answer, because the status of a payout cannot be queried: wait for its notification, or ask the provider.',
    isCorrectable: false,
    judge: ({ instruction, order }) =>
      instruction?.call === 'payOut'
        ? instruction.records.length <= 1 &&
          instruction.records.every(({ amount, currency }) => amount === order.amount && currency === order.currency)
        : undefined,
  },
  {
    id: 'I18',
    sentence: 'A recurring payment is set up once.',
    why: 'The customer is charged twice on each due date, and the shop may know of only one of the two.',
    mend: 'Do not repeat a request for a recurring payment that got no usable answer, because its status cannot be queried: wait for the notification of the first charge, or ask the provider.',
    isCorrectable: false,
    judge: ({ instruction }) => (instruction?.call === 'subscribe' ? instruction.records.length <= 1 : undefined),
  },
  {
    id: 'I19',
    sentence: 'A payment is split in the same way if its request is sent again.',
    why: 'The other receivers get nothing, and the shop owes them their shares.',
    mend: 'Send the same request again, with dynamicPaidList, and to the same operation.',
    isCorrectable: false,
    isOmittedIfUnknown: true,
    judge: judgeSplits,
  },
];

/**
 * Whether the amount that counts as paid is the remaining one. A status query does not return the remaining amount, so a shop may instead
 * keep the whole amount and give the order another state; a shop that shows no amount may keep the remaining one elsewhere.
 */
function judgeAmounts({ payments, actions, order }: Observation, state: OrderState | undefined, { paid }: Words) {
  const [changed, ...others] = payments.filter(({ adjustments = [] }) => adjustments.length > 0);
  const left = Number(changed?.left ?? 0);
  const isUnknown = left === 0 || actions.includes('refund') || isUnpaidForPart({ payments }, state);
  if (!changed || others.length > 0 || isUnknown) {
    return undefined;
  }
  const isMarked = isReduced(changed) && !paid.has(state?.state ?? '');
  return (
    state && (Number(state.paidAmount) === left || (isMarked && Number(state.paidAmount) === Number(order.amount)))
  );
}

/** Whether an order counts as unpaid although only a part of its payment was returned. */
function isUnpaidForPart({ payments }: Pick<Observation, 'payments'>, state: OrderState | undefined): boolean {
  return Number(state?.paidAmount) === 0 && payments.some((each) => isReduced(each) && Number(each.left ?? 0) > 0);
}

/** Whether no paid order was refused. A shop that stored it may still honour it; one whose queries all failed cannot know better. */
function judgeRefusal(observation: Observation, state: OrderState | undefined, words: Words): boolean | undefined {
  const { order, refusal, requests } = observation;
  if (refusal === undefined || !isPaidAndKept(observation)) {
    return true;
  }
  const queries = requests.filter(({ operation }) => operation === 'getPaymentStatus');
  const canKnow = queries.length === 0 || queries.some(({ answer }) => isSuccess(answer?.status ?? null));
  const isHonoured =
    state !== undefined &&
    (state.fulfilments > 0 || Number(state.paidAmount) === Number(order.amount) || !isUnpaidState(state, words));
  return isHonoured || (canKnow && !hasTimedOut(refusal) ? false : undefined);
}

/** The shares of a payment request, sorted, because their order does not matter; empty without a split. */
function splitOf({ body }: RequestView): string {
  const list = body?.['dynamicPaidList'];
  const shares = (Array.isArray(list) ? list : []).map((each) => {
    const { dynamicMerchantId: merchant, dynamicPayoutPercentage: share } = membersOf(each);
    return `${merchant}: ${Number(share)}`;
  });
  return shares.toSorted().join(', ');
}

/** Whether all requests for a payment of the same order by the same channel have the same split. */
function judgeSplits(observation: Observation): boolean | undefined {
  const initiations = initiationsIn(observation);
  const pairs = initiations.flatMap((first, index) =>
    initiations
      .slice(index + 1)
      .filter(({ reference, channel }) => reference === first.reference && channel === first.channel)
      .map((second) => [splitOf(first), splitOf(second)]),
  );
  const isSplit = pairs.flat().some((split) => split !== '');
  return isSplit ? pairs.every(([first, second]) => first === second) : undefined;
}

/** Whether a genuine notification that was not sent slowly was accepted; unknown for an order that the shop cancelled, refused or lost. */
function judgeAcceptance(
  { deliveries, actions, refusal }: Observation,
  state: OrderState | undefined,
  words: Words,
): boolean | undefined {
  const genuine = genuineIn({ deliveries }).filter(({ webhookBehaviour: { mode } }) => mode !== 'slow');
  if (genuine.length === 0 || refusal !== undefined || actions.includes('cancel') || isOrderLost(state, words)) {
    return undefined;
  }
  return genuine.some(({ attempts }) => attempts.some(({ status }) => isSuccess(status)));
}
