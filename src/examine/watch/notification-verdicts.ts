import { isSuccess } from '../../base/is-success.ts';
import { lengthInWords } from '../../base/text/words.ts';
import { parseInstant } from '../../base/time.ts';
import { genuineIn, isForged } from '../verdicts/payment-facts.ts';
import { HIDDEN, isQuery, type JudgeContext, type TrafficVerdict } from './evidence.ts';
import type { WatchedOrder } from './traffic-log.ts';

/** Whether the shop learnt that a payment was paid. */
export function judgeOutcomeKnown(
  { observation, reference }: WatchedOrder,
  { until }: JudgeContext,
): TrafficVerdict | undefined {
  const { payments, requests } = observation;
  const paid = payments.find(({ history }) => history.some(({ to }) => to === 'Paid'));
  const paidAt = paid?.history.find(({ to }) => to === 'Paid')?.at;
  if (paidAt === undefined) {
    return payments.some(({ state }) => state === 'Processing')
      ? { verdict: 'not-exercised', note: 'the watch ended before the payment was decided' }
      : undefined;
  }
  if (genuineIn(observation).some(({ attempts }) => attempts.some(({ status }) => isSuccess(status)))) {
    return { verdict: 'not-applicable', note: `the notification was acknowledged; what the shop did next ${HIDDEN}` };
  }
  if (requests.some((each) => isQuery(each) && each.at >= paidAt && isSuccess(each.answer?.status ?? null))) {
    return { verdict: 'not-applicable', note: `the shop queried the status; what it did next ${HIDDEN}` };
  }
  const waitText = lengthInWords(parseInstant(until) - parseInstant(paidAt), 1);
  return {
    verdict: 'inconclusive',
    note: `${reference} is paid, no notification was acknowledged, and the status was not queried in the ${waitText} since; a later job may still query it`,
  };
}

/** Whether forged and altered notifications were refused. */
export function judgeForgery({ observation, reference }: WatchedOrder): TrafficVerdict | undefined {
  const forged = observation.deliveries.filter((delivery) => isForged(delivery) && delivery.attempts.length > 0);
  const [first] = forged.flatMap(({ attempts }) => attempts);
  if (!first) {
    return undefined;
  }
  const statuses = forged.flatMap(({ attempts }) => attempts.map(({ status }) => status));
  const isRefused = statuses.every((status) => status !== null && status >= 400 && status < 500);
  if (isRefused) {
    return {
      verdict: 'not-applicable',
      note: `the shop refused it with ${first.status}; what else it did ${HIDDEN}`,
    };
  }
  const kinds = forged.map(({ forgery }) => forgery ?? 'altered in transit').join(', ');
  const queryText = observation.requests.some((each) => isQuery(each) && each.at >= first.at)
    ? 'the shop queried the status afterwards, as a shop does that treats it as a hint'
    : 'the shop did not query the status afterwards';
  return {
    verdict: 'inconclusive',
    note: `a notification of ${reference} that must not be trusted (${kinds}) was answered with ${first.status ?? first.error}, which proves nothing; ${queryText}; check in your shop that ${reference} was neither marked as paid nor fulfilled because of it`,
  };
}

const TIMEOUT_ERROR = /^no answer within/;

/** Whether genuine notifications were acknowledged in time. */
export function judgeAcknowledgement(order: WatchedOrder, { orders }: JudgeContext): TrafficVerdict | undefined {
  const { observation, reference } = order;
  const attempts = genuineIn(observation).flatMap((delivery) => delivery.attempts);
  const late = attempts.find(({ error }) => TIMEOUT_ERROR.test(error ?? ''));
  if (late) {
    return { verdict: 'violated', note: `a notification of ${reference} was not acknowledged in time: ${late.error}` };
  }
  const last = attempts.at(-1);
  if (!last) {
    return undefined;
  }
  if (attempts.some(({ status }) => isSuccess(status))) {
    return { verdict: 'not-applicable', note: `it was acknowledged in time; whether it was stored first ${HIDDEN}` };
  }
  if (last.status === null) {
    return { verdict: 'inconclusive', note: `the notification of ${reference} was not delivered: ${last.error}` };
  }
  if (observation.requests.some((each) => isQuery(each) && each.at >= last.at)) {
    return {
      verdict: 'not-applicable',
      note: `the shop refused it and queried the status; what it did next ${HIDDEN}`,
    };
  }
  const isAlwaysRefused = !orders.some((each) =>
    genuineIn(each.observation).some((delivery) => delivery.attempts.some(({ status }) => isSuccess(status))),
  );
  return isAlwaysRefused
    ? {
        verdict: 'violated',
        note: `every notification was refused, the one for ${reference} with ${last.status}: does the shop use WEBHOOK_SECRET?`,
      }
    : {
        verdict: 'inconclusive',
        note: `the notification of ${reference} was refused with ${last.status}; it will be sent again`,
      };
}
