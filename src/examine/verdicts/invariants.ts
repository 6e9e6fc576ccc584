import { initiationsIn, type Observation, paidIn } from '../observation/observation.ts';
import type { Invariant, InvariantId } from './invariant.ts';
import { NEXT_INVARIANTS } from './next-invariants.ts';
import {
  hasTampering,
  isAmountRefused,
  isAsBeforeForgery,
  isForged,
  isFulfilledUnpaid,
  isFulfilmentDue,
  isFullAmountOrAdjusted,
  isNeitherPaidNorFulfilled,
  isPaidAndKept,
  isPaidLate,
  isReduced,
  isUncheckedFailure,
  isUnpaidState,
} from './payment-facts.ts';

/** THE TABLE of invariants. */
export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    sentence: 'An order is never fulfilled unless it is paid.',
    why: 'Goods that are shipped without payment are lost.',
    mend: 'Fulfil when the provider says Paid, in a verified notification or a status query; never because a request was answered or the payer returned.',
    isCorrectable: false,
    judge: (observation, state, words) =>
      state &&
      (observation.openState?.fulfilments ?? 0) === 0 &&
      (paidIn(observation).length > 0 || isNeitherPaidNorFulfilled(state, words)),
  },
  {
    id: 'I2',
    sentence: 'An order is fulfilled once, however many notifications say that it is paid, and however close together.',
    why: 'Notifications are repeated by design, and two can be processed at the same time.',
    mend: 'Fulfil in the transaction that moves the order from open to paid, under a lock or a unique constraint, so that a second notification has nothing left to do.',
    isCorrectable: false,
    judge: (_observation, state) => state && state.fulfilments <= 1,
  },
  {
    id: 'I3',
    sentence: 'An order is never paid twice.',
    why: 'A customer who is charged twice asks for a refund, or for a chargeback.',
    mend: 'Store the reference before the first payment request, and query its status before you send another.',
    isCorrectable: false,
    judge: (observation) => paidIn(observation).filter((payment) => !isPaidLate(payment)).length <= 1,
  },
  {
    id: 'I4',
    sentence: 'A paid order is eventually fulfilled, even if the answer or the notification is lost or arrives early.',
    why: 'The customer has paid and gets nothing.',
    mend: 'Query the status of open orders regularly until each has a final status. Store the order before the payment request, so that an early notification finds it.',
    isCorrectable: true,
    judge: (observation, state) => (isFulfilmentDue(observation) ? state && state.fulfilments >= 1 : undefined),
  },
  {
    id: 'I5',
    sentence: 'The amount and the currency match the order, on both sides.',
    why: 'A payment of 0.10 does not pay for an order of 10.00.',
    mend: 'Send amounts in the format of the API, and compare the amount and the currency that were paid with the order before you fulfil it.',
    isCorrectable: false,
    judge: ({ order, ...observation }, state, words) =>
      !isAmountRefused(observation) &&
      observation.payments.every(({ amount, currency }) => amount === order.amount && currency === order.currency) &&
      (state && words.paid.has(state.state) && isPaidAndKept(observation) && paidIn(observation).length === 1
        ? Number(state.paidAmount) === Number(order.amount)
        : true),
  },
  {
    id: 'I6',
    sentence: 'An outdated notification or answer does not undo a later one.',
    why: 'An earlier failure that is sent again after the payment has succeeded can turn a paid order into an unpaid one.',
    mend: 'Query the status when a notification contradicts what you know, or let states only move forward. Read the order again once the provider has answered.',
    isCorrectable: true,
    judge: (observation, state, words) =>
      isPaidAndKept(observation) &&
      (paidIn(observation).some(isPaidLate) || observation.race !== undefined) &&
      state &&
      (state.fulfilments > 0 || Number(state.paidAmount) > 0)
        ? words.paid.has(state.state) || !(isUnpaidState(state, words) || isFulfilledUnpaid(state))
        : undefined,
  },
  {
    id: 'I7',
    sentence: 'A forged or altered notification has no effect.',
    why: 'The URL of a receiver is not secret: anyone can send to it.',
    mend: 'Verify the signature over the raw body, and the timestamp, and compare the reference and the amount; or treat a notification only as a hint, and query the status.',
    isCorrectable: false,
    judge: (observation, state, words) =>
      observation.deliveries.some((each) => isForged(each) && each.attempts.length > 0)
        ? state &&
          (observation.openState === undefined || isNeitherPaidNorFulfilled(observation.openState, words)) &&
          (paidIn(observation).length > 0 || isNeitherPaidNorFulfilled(state, words)) &&
          !(hasTampering(observation) && words.paid.has(state.state) && !isFullAmountOrAdjusted(state, observation))
        : isAsBeforeForgery(observation, words),
  },
  {
    id: 'I8',
    sentence: 'Refunds, reversals and chargebacks are reflected in the order.',
    why: 'An order that looks paid but is not makes the books wrong.',
    mend: 'Handle notifications of what happens after the payment: lower the paid amount, or change the state.',
    isCorrectable: true,
    explainUnknown: (observation) =>
      isUncheckedFailure(observation)
        ? 'the payment failed after it had succeeded, and the shop did not query the status, without which it cannot tell this from an old failure'
        : undefined,
    judge: (observation, state, words) => {
      const { payments, order, actions } = observation;
      if (!(actions.includes('refund') || payments.some(isReduced))) {
        return undefined;
      }
      const isShownAsPaid = state && words.paid.has(state.state) && Number(state.paidAmount) >= Number(order.amount);
      return isShownAsPaid && isUncheckedFailure(observation) ? undefined : state && !isShownAsPaid;
    },
  },
  {
    id: 'I9',
    explainUnknown: ({ deliveries }) => {
      const answers = new Set(
        deliveries.flatMap(({ attempts }) => attempts.map(({ status, error }) => status ?? error)),
      );
      return answers.size === 0
        ? undefined
        : `every notification was answered ${[...answers].join(', ')}: does the shop use WEBHOOK_SECRET to verify signatures?`;
    },
    sentence: 'A notification is acknowledged in time, and only once it is stored.',
    why: 'A notification that was answered with 2xx is not sent again.',
    mend: 'Store the notification, answer, and then process it; or answer with an error while you cannot process it.',
    isCorrectable: true,
    judge: (observation, state) => {
      const sent = observation.deliveries.filter(
        ({ forgery, attempts }) => forgery === undefined && attempts.length > 0,
      );
      if (sent.length === 0 || !isFulfilmentDue(observation)) {
        return undefined;
      }
      const isAcknowledged = sent.some((each) => each.state === 'delivered');
      return isAcknowledged ? state && state.fulfilments >= 1 : undefined;
    },
  },
  {
    id: 'I10',
    sentence: 'When the outcome of a payment request is unknown, the shop queries the status before it sends another.',
    why: 'A lost answer says nothing about the payment.',
    mend: 'After a timeout, a malformed answer or a 5xx, query the status by your reference; send the request again, with the same reference, only if there is no payment.',
    isCorrectable: false,
    judge: judgeQueryFirst,
  },
  {
    id: 'I11',
    sentence: 'A payment that failed, was cancelled or expired is reflected in the order.',
    why: 'The customer waits for an order that will never be paid, and cannot try again.',
    mend: 'Give each of these outcomes its own state, and let the customer pay again.',
    isCorrectable: true,
    judge: (observation, state, words) =>
      observation.payments.length > 0 && paidIn(observation).length === 0
        ? state && (words.reopens === true || !words.open.has(state.state)) && !words.paid.has(state.state)
        : undefined,
  },
  {
    id: 'I12',
    sentence: 'A payment that succeeds late is honoured or refunded, never ignored.',
    why: 'The money has arrived, but the order was given up.',
    mend: 'Accept a later Paid: fulfil the order, or mark it for a refund.',
    isCorrectable: true,
    judge: (observation, state, words) =>
      paidIn(observation).some(isPaidLate) || (observation.actions.includes('cancel') && isPaidAndKept(observation))
        ? state &&
          (state.fulfilments >= 1 ||
            Number(state.paidAmount) === Number(observation.order.amount) ||
            !(isUnpaidState(state, words) || state.state === observation.cancelledState?.state))
        : undefined,
  },
  ...NEXT_INVARIANTS,
];

function judgeQueryFirst(observation: Observation): boolean | undefined {
  const [first, second] = initiationsIn(observation);
  if (!first || first.fault === null) {
    return undefined;
  }
  const isPaymentMade = first.records.some(({ collection }) => collection === 'payments');
  if (!second || !isPaymentMade) {
    return true;
  }
  const { requests } = observation;
  return requests
    .slice(requests.indexOf(first) + 1, requests.indexOf(second))
    .some(({ operation }) => operation === 'getPaymentStatus');
}

export function invariantOf(id: InvariantId): Invariant {
  const found = INVARIANTS.find((invariant) => invariant.id === id);
  if (!found) {
    throw new Error(`there is no invariant ${id}`);
  }
  return found;
}
