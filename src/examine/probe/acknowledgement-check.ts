import { messageOf } from '../../base/errors.ts';
import { plural } from '../../base/text/plural.ts';
import { caseOf } from '../cases/case.ts';
import { NOTHING_SEEN, type Observation } from '../observation/observation.ts';
import { prepareCase } from '../observation/observe.ts';
import { readProviderSide } from '../observation/provider-side.ts';
import { type Step, step, storyOf } from '../observation/story.ts';
import { AdapterError, type OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { CaseVerdicts, findingIdOf } from '../verdicts/case-verdicts.ts';
import { genuineIn } from '../verdicts/payment-facts.ts';
import { CONFIRMING_RUNS } from '../verdicts/trial.ts';
import { isTimedOut } from './receiver-scopes.ts';

const NO_FAULTS = caseOf([]);

/** Session time after which the payer has paid and the receiver has got one notification. */
const FIRST_NOTIFICATION_WAIT = 'PT3S';
const PLACING_TIMEOUT_MS = 20_000;

const NOT_FOUND = 'the receiver answered 404 each time: if it must know the orders, use --reference with existing ones';

/**
 * Sends a receiver several genuine notifications at once, before any case. Resolves with verdicts if the examination should not continue:
 * the receiver acknowledges none, or one so late that each case would take minutes, or the receiver or check is unusable. Undefined otherwise.
 */
export async function checkAcknowledgement(
  order: OrderInput,
  target: ExaminedShop,
  writeBundle: (id: string, text: string) => string,
): Promise<{ caseVerdicts: CaseVerdicts; orders: number } | undefined> {
  const caseVerdicts = new CaseVerdicts();
  let orders = 0;
  try {
    await prepareCase(NO_FAULTS, target);
    const signal = AbortSignal.timeout(PLACING_TIMEOUT_MS);
    // Placed one after the other, so that each run makes the same calls; their notifications are all sent at one moment.
    for (; orders < CONFIRMING_RUNS; orders += 1) {
      await target.adapter.placeOrder({ ...order, signal });
    }
    const side = await notifyAll(target, order);
    const observation = { ...side, order, orderId: side.payments[0]?.payerReference };
    const genuine = genuineIn(observation);
    const isSlow = genuine.some(({ attempts }) => attempts.some(isTimedOut));
    if (!isSlow && genuine.some(({ state }) => state === 'delivered')) {
      return undefined;
    }
    const file = writeBundle(findingIdOf('I9', NO_FAULTS, order.channel), await target.client.bundle());
    // A receiver is right to refuse a notification for an order that it does not know.
    const isUnknown = genuine.every(({ attempts }) => attempts.every(({ status }) => status === 404));
    const verdict = isUnknown
      ? ({ verdict: 'inconclusive', note: NOT_FOUND } as const)
      : { verdict: 'violated' as const };
    const judgement = { invariant: 'I9' as const, ...verdict, observation };
    caseVerdicts.record(judgement, NO_FAULTS, order.channel, historyOf(observation), file);
  } catch (error) {
    if (!(error instanceof AdapterError)) {
      throw error;
    }
    caseVerdicts.record({ invariant: 'I9', verdict: 'inconclusive', note: messageOf(error) }, NO_FAULTS, order.channel);
  }
  return { caseVerdicts, orders };
}

type NotifiedPayments = Omit<Observation, 'order' | 'orderId'>;

/** Resolves once every notification was acknowledged or given up, or after one attempt of each if any of these timed out. */
async function notifyAll(target: ExaminedShop, order: OrderInput): Promise<NotifiedPayments> {
  const { client } = target;
  await client.advance(FIRST_NOTIFICATION_WAIT);
  const side = await readProviderSide(target, order);
  if (genuineIn(side).some(({ attempts }) => attempts.some(isTimedOut))) {
    return { ...NOTHING_SEEN, ...side };
  }
  await client.runUntilIdle();
  return { ...NOTHING_SEEN, ...(await readProviderSide(target, order)) };
}

/** The history of the first payment, and a summary of all. */
function historyOf(observation: Observation): Step[] {
  const { payments, timelines, requests } = observation;
  const firstOnly = {
    timelines: timelines.slice(0, 1),
    requests: requests.filter(({ records }) => records.some(({ id }) => id === payments[0]?.id)),
  };
  const statuses = genuineIn(observation).flatMap(({ attempts }) => attempts.map(({ status }) => status ?? 0));
  const isSlow = genuineIn(observation).some(({ attempts }) => attempts.some(isTimedOut));
  const isRefused = statuses.every((status) => status >= 400 && status < 500);
  return [
    ...storyOf({ ...observation, ...firstOnly }, 'receiver'),
    step(
      'receiver',
      `does not acknowledge ${isSlow ? 'all' : 'any'} notifications of ${plural(payments.length, 'payment')}${isSlow ? ' in time' : ''}`,
    ),
    ...(isRefused
      ? [
          step(
            'receiver',
            'refuses all of them: check that it verifies with the secret in --secret, and that the order in --reference exists',
          ),
        ]
      : []),
  ];
}
