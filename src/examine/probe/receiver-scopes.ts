import type { DeliveryView } from '../../base/schema/generated/control.ts';
import { type Case, isDefault, situationsOf } from '../cases/case.ts';
import type { Observation } from '../observation/observation.ts';
import type { Scope } from '../scope.ts';
import { AdapterError } from '../shop/adapter.ts';
import type { Situation } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { genuineIn } from '../verdicts/payment-facts.ts';
import { invariantsOf, type Judgement, judge } from '../verdicts/verdicts.ts';

/** A receiver knows only notified payments, and cannot distinguish a late failure from an old one. */
const RECEIVER_SITUATIONS = SITUATIONS.filter(
  ({ kind, action, id }) =>
    !['call', 'other-call', 'status-query', 'race', 'alone'].includes(kind) &&
    action === undefined &&
    id !== 'notified-never' &&
    id !== 'late-failure',
);

/** Whether the notification itself is wrong, so that a receiver must not trust it. */
const isForgedOrAltered = ({ id }: Situation) => id.startsWith('forged-') || id === 'notified-tampered';

/** Invariants that cannot be judged without a genuine notification. */
const NEED_GENUINE: ReadonlySet<InvariantId> = new Set(['I4', 'I6', 'I8', 'I11', 'I12', 'I13']);

/** Without I3, I10, I14 and I16 to I19, because a receiver sends no payment requests or payouts. I9 includes I15. */
const JUDGED_BY_CHECK: readonly InvariantId[] = ['I1', 'I2', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I11', 'I12', 'I13'];

/** For a receiver with a check that returns the state of orders. */
export const CHECKED_RECEIVER: Scope = {
  subject: 'receiver',
  situations: RECEIVER_SITUATIONS.map((situation) =>
    !isDefault(situation) && !isForgedOrAltered(situation)
      ? { ...situation, invariants: [...situation.invariants, 'I9'] }
      : situation,
  ),
  invariants: JUDGED_BY_CHECK,
  judge(testCase, observation, reconciled, words) {
    assertPaymentMade(observation);
    const isGenuineSent = genuineIn(observation).length > 0;
    const judgements = judge(testCase, observation, reconciled, words);
    const isStored = judgements.every(({ invariant, verdict }) => invariant !== 'I9' || verdict !== 'violated');
    const others = judgements
      .filter(
        ({ invariant }) =>
          JUDGED_BY_CHECK.includes(invariant) && invariant !== 'I9' && (isGenuineSent || !NEED_GENUINE.has(invariant)),
      )
      .map((each): Judgement => (each.invariant === 'I7' && isFulfilledByForgery(observation) ? violated('I7') : each));
    return [...others, ...judgeAcknowledgement(testCase, observation, isStored)];
  },
  unseen: [],
};

/** For a receiver without a check, so that only its answers are known. */
export const UNCHECKED_RECEIVER: Scope = {
  subject: 'receiver',
  situations: RECEIVER_SITUATIONS.map((situation) =>
    !isDefault(situation) ? { ...situation, invariants: [isForgedOrAltered(situation) ? 'I7' : 'I9'] } : situation,
  ),
  invariants: ['I7', 'I9'],
  judge(testCase, observation) {
    assertPaymentMade(observation);
    const missedSituation = situationsOf(testCase).find((situation) => !situation.hasOccurred(observation));
    const acknowledgement = judgeAcknowledgement(testCase, observation, true);
    return [...acknowledgement, ...judgeForgeryAnswers(testCase, observation)].map((each) =>
      missedSituation && each.verdict !== 'violated'
        ? { ...each, verdict: 'not-exercised', note: `this did not happen: ${missedSituation.title}` }
        : each,
    );
  },
  unseen: [
    'Without --check, only the answers of the receiver are checked, not what happens to the orders.',
    'I9 then means that genuine notifications are acknowledged in time, not that they are stored. I7 means that forged ones are refused; if one is acknowledged, it is inconclusive. Nothing else is judged.',
  ],
};

const violated = (invariant: InvariantId): Judgement => ({ invariant, verdict: 'violated' });

/** Throws AdapterError if the probe itself could not pay, because nothing can be judged then. */
function assertPaymentMade({ refusal }: Observation): void {
  if (refusal !== undefined) {
    throw new AdapterError(`the payment could not be made: ${refusal}`);
  }
}

/** Whether the order was fulfilled only because of a forged or altered notification. */
function isFulfilledByForgery(observation: Observation): boolean {
  return (
    genuineIn(observation).length === 0 &&
    (observation.finalState?.fulfilments ?? 0) > 0 &&
    statusQueriesIn(observation).length === 0
  );
}

const statusQueriesIn = ({ requests }: Pick<Observation, 'requests'>) =>
  requests.filter(({ operation }) => operation === 'getPaymentStatus');

/** Real milliseconds after which a notification counts as not acknowledged. */
const ACKNOWLEDGEMENT_TIMEOUT_MS = 15_000;

export function isTimedOut({ status, ms }: DeliveryView['attempts'][number]): boolean {
  return status === null && ms >= ACKNOWLEDGEMENT_TIMEOUT_MS;
}

/** Each genuine notification must be acknowledged in the end, and never too late. */
function judgeAcknowledgement(testCase: Case, observation: Observation, isStored: boolean): Judgement[] {
  const genuine = genuineIn(observation);
  if (genuine.length === 0) {
    const note = 'no genuine notification was sent';
    return invariantsOf(testCase).includes('I9') ? [{ invariant: 'I9', verdict: 'not-exercised', note }] : [];
  }
  const isAcknowledged = genuine.every(({ state, attempts }) => state === 'delivered' && !attempts.some(isTimedOut));
  return [isAcknowledged && isStored ? { invariant: 'I9', verdict: 'handled' } : violated('I9')];
}

/** A refusal counts as handled; any other answer is inconclusive, because an acknowledgement does not prove an effect. */
function judgeForgeryAnswers(testCase: Case, observation: Observation): Judgement[] {
  if (!situationsOf(testCase).some(isForgedOrAltered)) {
    return [];
  }
  const genuine = genuineIn(observation);
  const wrong = observation.deliveries.filter((each) => !genuine.includes(each)).flatMap(({ attempts }) => attempts);
  const answers = [...new Set(wrong.map(({ status, error }) => String(status ?? error)))].join(', ');
  if (wrong.every(({ status }) => status !== null && status >= 400)) {
    return [{ invariant: 'I7', verdict: 'handled' }];
  }
  // A query after a genuine notification may be caused by that one.
  const firstGenuineAt = genuine[0]?.attempts[0]?.at ?? '9999';
  const hasQueried = statusQueriesIn(observation).some(({ at }) => at < firstGenuineAt);
  const queryText = hasQueried
    ? 'and queried the status of the payment, which is a valid defence if it relies on the result'
    : 'and did not query the status before the genuine notification arrived';
  const note = `the receiver answered ${answers} ${queryText}: check whether the order was fulfilled, or use --check`;
  const { orderId } = observation;
  return [{ invariant: 'I7', verdict: 'inconclusive', note, ...(orderId === undefined ? {} : { orderId }) }];
}
