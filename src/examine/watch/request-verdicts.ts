import { isSuccess } from '../../base/is-success.ts';
import type { PaymentView, RequestView } from '../../base/schema/generated/control.ts';
import { replacesAnswer } from '../../base/text/call-words.ts';
import { parseInstant } from '../../base/time.ts';
import { initiationsIn, NO_WORDS, paidIn } from '../observation/observation.ts';
import { invariantOf } from '../verdicts/invariants.ts';
import { genuineIn } from '../verdicts/payment-facts.ts';
import { isQuery, type JudgeContext, type TrafficVerdict } from './evidence.ts';
import type { WatchedOrder } from './traffic-log.ts';

const SAME_REFERENCE =
  'here, a reference identifies one order: if your tests reuse references, give each order its own';

/** Whether a reference was paid at most once. */
export function judgePaidOnce(order: WatchedOrder, { orders }: JudgeContext): TrafficVerdict {
  const { observation, reference } = order;
  const paid = paidIn(observation);
  if (invariantOf('I3').judge(observation, undefined, NO_WORDS) === false) {
    const ids = paid.map(({ id }) => id).join(' and ');
    return { verdict: 'violated', note: `${ids} of ${reference} were both paid; ${SAME_REFERENCE}` };
  }
  if (observation.payments.some(({ state }) => state === 'Processing')) {
    return { verdict: 'not-exercised', note: 'the watch ended before the payment was decided' };
  }
  const retry = possibleRetryOf(order, orders);
  return retry && paid.length > 0 && paidIn(retry.observation).length > 0
    ? { verdict: 'inconclusive', note: `${retryNote(order, retry)}, and both were paid` }
    : { verdict: 'handled' };
}

/** Whether, after a lost answer, the shop learnt the status by a query or a notification before it requested another payment. */
export function judgeQueryFirst(order: WatchedOrder, { orders }: JudgeContext): TrafficVerdict | undefined {
  const { observation, reference } = order;
  const initiations = initiationsIn(observation);
  const lost = initiations.filter(isLost);
  if (lost.length === 0) {
    const isWaiting = observation.payments.length > initiations.length;
    return isWaiting
      ? { verdict: 'not-exercised', note: 'the shop was still waiting for the answer when the watch ended' }
      : undefined;
  }
  const pairs = lost.map((first) => [first, initiations[initiations.indexOf(first) + 1]] as const);
  if (pairs.some(([first, next]) => next && !isInformedBetween(order, first, next))) {
    return {
      verdict: 'violated',
      note: `another payment of ${reference} was requested without a status query for the first request; ${SAME_REFERENCE}`,
    };
  }
  const retry = possibleRetryOf(order, orders);
  return retry ? { verdict: 'inconclusive', note: retryNote(order, retry) } : { verdict: 'handled' };
}

/** Whether the payment was made, but the shop got no usable answer. */
function isLost({ fault, records }: RequestView): boolean {
  return fault !== null && replacesAnswer(fault) && records.some(({ collection }) => collection === 'payments');
}

/** Whether the shop queried the status, or was notified, between two payment requests. */
function isInformedBetween({ observation }: WatchedOrder, first: RequestView, next: RequestView): boolean {
  const { requests } = observation;
  const between = requests.slice(requests.indexOf(first) + 1, requests.indexOf(next));
  const isNotified = genuineIn(observation).some(({ attempts }) =>
    attempts.some(({ at, status }) => isSuccess(status) && at >= first.at && at <= next.at),
  );
  return isNotified || between.some(isQuery);
}

/** Milliseconds within which an equal order may be a retry, with another reference, of one whose answer was lost. */
const RETRY_MS = 60_000;

/** An order that may be a retry of this one with another reference, with neither a status query nor an accepted notification in between. */
function possibleRetryOf(order: WatchedOrder, orders: readonly WatchedOrder[]): WatchedOrder | undefined {
  const lost = initiationsIn(order.observation).find(isLost);
  const [payment] = order.observation.payments;
  return orders.find((other) => {
    const [next] = initiationsIn(other.observation);
    const [otherPayment] = other.observation.payments;
    const isAlike = payment && otherPayment && other.reference !== order.reference && areAlike(payment, otherPayment);
    if (!isAlike || !lost || !next || parseInstant(next.at) - parseInstant(lost.at) > RETRY_MS || next.at <= lost.at) {
      return false;
    }
    const isNotified = genuineIn(order.observation).some(({ attempts }) =>
      attempts.some(({ at, status }) => isSuccess(status) && at <= next.at),
    );
    return !isNotified && !order.observation.requests.some((each) => isQuery(each) && each.at <= next.at);
  });
}

const SAME_MEMBERS = ['merchantId', 'amount', 'currency', 'channel', 'payerName', 'payerMobile'] as const;

function areAlike(one: PaymentView, other: PaymentView): boolean {
  return SAME_MEMBERS.every((name) => one[name] === other[name]);
}

function retryNote({ reference }: WatchedOrder, other: WatchedOrder): string {
  return `${other.reference} requested the same amount from the same payer soon after the answer for ${reference} was lost, without a status query in between: check whether both are for one order in your shop`;
}
