import { messageOf } from '../../base/errors.ts';
import { steadyNow } from '../../base/timers.ts';
import { caseOf } from '../cases/case.ts';
import { NO_ORDER, type OrderInput, type OrderState } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { SITUATIONS } from '../situations/situations.ts';
import { LearntWords } from './learnt-words.ts';
import { initiationsIn, type Observation, type Words } from './observation.ts';
import { observe, reconcile } from './observe.ts';
import { REQUEST_TIMEOUT_MS } from './provider-side.ts';
import { waitUntilRight } from './shop-timers.ts';

const NO_FAULTS = caseOf([]);

export interface Calibration {
  /** By channel, because two channels may use one word for different states. */
  words: ReadonlyMap<string, Words>;
  /** Channels without a problem. */
  channels: string[];
  /** The problems on the other channels. */
  problems: ReadonlyMap<string, CalibrationProblem>;
  /** The last observation of an order to be paid on each channel; none if it could not be observed. */
  observations: ReadonlyMap<string, Observation>;
}

/** Why an order without faults did not succeed. */
export interface CalibrationProblem {
  /** The shop or its adapter failed; the shop does not support the channel; or it did not fulfil a paid order. */
  kind: 'failed' | 'not-sold' | 'not-fulfilled';
  text: string;
}

/** Real milliseconds from the shop's last step within which it must fulfil a paid order. */
const FULFILMENT_TIMEOUT_MS = 15_000;

/** Places orders without faults on each channel: paid ones and, where these succeed, one for each unpaid outcome. */
export async function calibrate(
  channels: readonly string[],
  newOrder: (channel: string) => OrderInput,
  target: ExaminedShop,
): Promise<Calibration> {
  const wordsByChannel = new Map(channels.map((channel) => [channel, new LearntWords(target.adapter.reopens)]));
  const problems = new Map<string, CalibrationProblem>();
  const observations = new Map<string, Observation>();
  for (const [channel, words] of wordsByChannel) {
    const record = (last: Observation) => observations.set(channel, last);
    let problem = await learnPaidWord(() => newOrder(channel), target, record, words);
    if (problem?.kind === 'failed') {
      // One failure must not end the examination of a channel.
      problem = await learnPaidWord(() => newOrder(channel), target, record, words);
    }
    if (problem !== undefined) {
      problems.set(channel, problem);
    }
  }
  target.quietPeriod.learn();
  for (const [channel, words] of wordsByChannel) {
    if (!problems.has(channel) && target.adapter.orderState) {
      await learnUnpaidWords(() => newOrder(channel), target, words);
      const text = words.problem;
      if (text !== undefined) {
        problems.set(channel, { kind: 'failed', text });
      }
    }
  }
  return { words: wordsByChannel, channels: channels.filter((each) => !problems.has(each)), problems, observations };
}

/** Resolves with the problem; undefined if the order succeeded. */
async function learnPaidWord(
  newOrder: () => OrderInput,
  target: ExaminedShop,
  record: (last: Observation) => void,
  words: LearntWords,
): Promise<CalibrationProblem | undefined> {
  const isDone = (each: Observation) => isPaidAndFulfilled(each, each.reconciledState ?? each.finalState, target);
  let latest: Observation;
  try {
    latest = await observe(NO_FAULTS, newOrder(), target);
    record(latest);
    if (!isDone(latest) && latest.finalState?.fulfilments === 0) {
      latest = (await reconcile(NO_FAULTS, latest, target, isDone)) ?? latest;
    }
    if (!isDone(latest) && latest.refusal === undefined) {
      const startedAt = steadyNow();
      latest = await waitUntilRight(latest, target, isDone, ({ payments }) =>
        payments.length > 0 ? FULFILMENT_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
      );
      target.quietPeriod.recordLag(steadyNow() - startedAt);
    }
  } catch (error) {
    return { kind: 'failed', text: messageOf(error) };
  }
  record(latest);
  if (!isDone(latest)) {
    return { kind: problemKindOf(latest), text: describeProblem(latest) };
  }
  words.add('open', latest.openState, latest);
  const isNew = words.add('paid', latest.reconciledState ?? latest.finalState, latest);
  // A second order shows whether a number in the word belongs to the order.
  return isNew && words.paid.size === 1 && words.hasNumber('paid')
    ? learnPaidWord(newOrder, target, record, words)
    : undefined;
}

/** If the state of orders cannot be read, an acknowledged notification counts as fulfilment. */
function isPaidAndFulfilled(
  { payments, deliveries }: Observation,
  state: OrderState | undefined,
  { adapter }: ExaminedShop,
): boolean {
  const isDone = adapter.orderState
    ? (state?.fulfilments ?? 0) > 0
    : deliveries.some((each) => each.state === 'delivered');
  return isDone && payments.length > 0;
}

const UNPAID_OUTCOMES = ['failed', 'cancelled', 'expired'];

async function learnUnpaidWords(newOrder: () => OrderInput, target: ExaminedShop, words: LearntWords): Promise<void> {
  const isReflected = ({ finalState, reconciledState }: Observation) =>
    !words.open.has((reconciledState ?? finalState)?.state ?? '');
  for (const outcome of SITUATIONS.filter(({ id }) => UNPAID_OUTCOMES.includes(id))) {
    const testCase = caseOf([outcome]);
    try {
      let latest = await observe(testCase, newOrder(), target);
      words.add('open', latest.openState, latest);
      if (!isReflected(latest)) {
        latest = (await reconcile(testCase, latest, target, isReflected)) ?? latest;
        latest = await waitUntilRight(latest, target, isReflected);
      }
      const state = latest.reconciledState ?? latest.finalState;
      if (state?.fulfilments === 0 && !words.paid.has(state.state) && isReflected(latest)) {
        words.add('givenUp', state, latest);
      }
    } catch {
      // Problems are judged later, in the situation of an unpaid order.
    }
  }
}

function problemKindOf({ payments, requests }: Observation): CalibrationProblem['kind'] {
  if (payments.length > 0) {
    return 'not-fulfilled';
  }
  return requests.length > 0 ? 'failed' : 'not-sold';
}

function describeProblem({ refusal, payments, requests, deliveries, finalState }: Observation): string {
  if (payments.length === 0) {
    const refusedCall = initiationsIn({ requests }).findLast(({ reason }) => reason !== null);
    const last = refusedCall ?? requests.at(-1);
    const why = last
      ? `its ${refusedCall ? 'request for a payment' : 'last request'}, ${last.method} ${last.path}, was answered: ${last.reason ?? last.outcome}`
      : 'it sent no request (if --command starts the shop, PAYMENTS_URL is the address to use)';
    return `the shop ${refusal === undefined ? 'accepted the order' : `refused the order (${refusal})`} but ${refusedCall ? 'no payment was made' : 'did not request a payment'}: ${why}`;
  }
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).map(({ status, error }) => status ?? error);
  const notificationText =
    deliveries.length === 0 ? 'no notification was sent' : `its notification was answered ${attempts.join(', ')}`;
  const shopText = finalState
    ? finalState.state === NO_ORDER.state
      ? `the shop has no such order afterwards (orderState: 404 or null)`
      : `the order is not fulfilled: ${JSON.stringify(finalState)}`
    : `the shop refused the order (${refusal})`;
  return `the payment was made and paid, but ${shopText}; ${notificationText}`;
}
