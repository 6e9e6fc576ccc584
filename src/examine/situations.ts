import type { InvariantId } from './invariants.ts';
import type { Observation } from './observation.ts';

/** What of a case a situation changes; of each kind a case has one. */
export const KINDS = ['call', 'status-query', 'notification', 'outcome', 'afterwards'] as const;
export type Kind = (typeof KINDS)[number];

/** A rule of a scenario, as in fixtures/scenarios. */
export type Rule = Readonly<Record<string, unknown>>;

/** Something that a provider does to a shop. */
export interface Situation {
  /** Never changes. */
  id: string;
  kind: Kind;
  title: string;
  /** Members of the scenario's rule for payments. */
  payment?: Rule;
  /** Members of the scenario's rule for status queries. */
  statusQuery?: Rule;
  /** How the provider behaves. */
  behaviour?: string;
  /** What is done once nothing is under way any more. */
  afterwards?: 'send-first-again';
  /** What can break by it, the one that it is there for first. */
  invariants: readonly InvariantId[];
  /** Whether it struck. */
  struck(observation: Observation): boolean;
}

const wasCalled = ({ requests }: Observation) => requests.length > 0;
const faultOn = (operation: 'initiation' | 'status-query') => (observation: Observation) =>
  observation.requests.some((request) => request.fault !== null && isOf(request.operation, operation));
const isOf = (operation: string | null, kind: 'initiation' | 'status-query') =>
  (operation === 'getPaymentStatus') === (kind === 'status-query');
const notified = (mode: string) => (observation: Observation) =>
  observation.deliveries.some(
    ({ webhookBehaviour, attempts, state }) =>
      webhookBehaviour.mode === mode && (attempts.length > 0 || state === 'dropped'),
  );
const forgery = (kind: string) => (observation: Observation) =>
  observation.deliveries.some((delivery) => delivery.forgery === kind && delivery.attempts.length > 0);
const ended = (state: string) => (observation: Observation) =>
  observation.payments.some(({ history }) => history.some(({ to }) => to === state));
const adjusted = (observation: Observation) =>
  observation.payments.some(({ adjustments = [] }) => adjustments.length > 0);
const isSentAgain = (observation: Observation) =>
  observation.deliveries.some(({ replays, attempts }) => replays > 0 && attempts.length > 1);

const DELAY = 'PT3S';
/** A shop that is not told has to ask. */
const MUST_ASK = { webhook: { mode: 'dropped' } };
const STATUS_503 = { kind: 'status', status: 503, message: 'The service is not available at this moment' };
const STATUS_500 = { kind: 'status', status: 500, message: 'Something went wrong' };

/** The fault strikes once: who tries again goes through. */
function call(id: string, title: string, fault: Rule, invariants: readonly InvariantId[]): Situation {
  return {
    id,
    kind: 'call',
    title,
    payment: { fault: { times: 1, ...fault } },
    invariants,
    struck: faultOn('initiation'),
  };
}

function statusQuery(id: string, title: string, fault: Rule): Situation {
  return {
    id,
    kind: 'status-query',
    title,
    payment: MUST_ASK,
    statusQuery: { fault: { times: 2, ...fault } },
    invariants: ['I4', 'I1'],
    struck: faultOn('status-query'),
  };
}

function notification(
  id: string,
  title: string,
  webhook: Rule & { mode: string },
  invariants: readonly InvariantId[],
): Situation {
  return { id, kind: 'notification', title, payment: { webhook }, invariants, struck: notified(webhook.mode) };
}

function forged(kind: string, id: string, title: string): Situation {
  return {
    id,
    kind: 'notification',
    title,
    // Nobody pays: what the order becomes is the forgery's doing.
    payment: { webhook: { mode: 'forged', forgeries: [kind] }, settle: { outcome: 'Failed', after: DELAY } },
    invariants: ['I7', 'I1'],
    struck: forgery(kind),
  };
}

function outcome(
  id: string,
  title: string,
  payment: Rule,
  invariants: readonly InvariantId[],
  struck: Situation['struck'],
): Situation {
  return { id, kind: 'outcome', title, payment, invariants, struck };
}

const LOST = ['I10', 'I3', 'I4'] as const;

const PAID_AFTER_FAILURE = {
  settle: { outcome: 'Failed', after: DELAY },
  lateOutcome: { outcome: 'Paid', after: 'PT1H' },
};

/** THE TABLE of what can happen to a shop. The first of each kind is what happens on a good day. */
export const SITUATIONS: readonly Situation[] = [
  { id: 'call-answered', kind: 'call', title: 'the call is answered', invariants: [], struck: wasCalled },
  call('call-refused', 'the call is answered with 503, and nothing was done', { at: 'before', ...STATUS_503 }, [
    'I3',
    'I1',
  ]),
  call('call-cut-before', 'the connection is cut before anything was done', { at: 'before', kind: 'reset' }, [
    'I3',
    'I1',
  ]),
  call('answer-is-error', 'the payment is made, and the call answered with 500', { at: 'after', ...STATUS_500 }, LOST),
  call('answer-lost', 'the payment is made, and the connection cut', { at: 'after', kind: 'reset' }, LOST),
  call('answer-empty', 'the payment is made, and the answer is empty', { at: 'after', kind: 'empty-body' }, LOST),
  call('answer-broken', 'the payment is made, and the answer is broken', { at: 'after', kind: 'malformed-body' }, LOST),
  call('answer-never', 'the payment is made, and no answer comes', { at: 'after', kind: 'timeout' }, LOST),
  call('answer-slow', 'the answer takes 20 seconds', { at: 'after', kind: 'latency', latency: 'PT20S' }, LOST),
  {
    id: 'query-answered',
    kind: 'status-query',
    title: 'status queries are answered',
    invariants: [],
    struck: wasCalled,
  },
  statusQuery('query-refused', 'status queries are answered with 503', { at: 'before', ...STATUS_503 }),
  statusQuery('query-cut', 'status queries are cut', { at: 'before', kind: 'reset' }),
  statusQuery('query-broken', 'the answer to status queries is broken', { at: 'after', kind: 'malformed-body' }),
  {
    id: 'query-lags',
    kind: 'status-query',
    title: 'the status query says what was half a minute ago',
    payment: MUST_ASK,
    behaviour: 'status-lags',
    invariants: ['I4', 'I1'],
    struck: ({ requests }) => requests.some(({ operation }) => operation === 'getPaymentStatus'),
  },
  {
    id: 'notified',
    kind: 'notification',
    title: 'the shop is notified once',
    invariants: ['I4', 'I9'],
    struck: notified('normal'),
  },
  notification('notified-twice', 'the notification comes twice', { mode: 'duplicate' }, ['I2']),
  notification(
    'notified-at-once',
    'the notification comes five times at the same moment',
    { mode: 'burst', count: 5 },
    ['I2'],
  ),
  notification('notified-late', 'the notification comes an hour late', { mode: 'delayed', delay: 'PT1H' }, [
    'I4',
    'I2',
  ]),
  notification('notified-never', 'the notification never comes', { mode: 'dropped' }, ['I4']),
  notification('notified-tampered', 'the body of the notification was changed on its way', { mode: 'tampered' }, [
    'I7',
    'I5',
  ]),
  notification('notified-before-answer', 'the notification comes before the answer', { mode: 'before-answer' }, [
    'I4',
    'I2',
  ]),
  notification('notified-slowly', 'the notification stops halfway for two seconds', { mode: 'slow', delay: 'PT2S' }, [
    'I4',
    'I2',
  ]),
  forged('wrong-signature', 'forged-signature', 'a notification with a wrong signature says Paid'),
  forged('unsigned', 'forged-unsigned', 'a notification without a signature says Paid'),
  forged('old-timestamp', 'forged-old', 'a notification with an old timestamp says Paid'),
  forged('wrong-amount', 'forged-amount', 'a signed notification says Paid, with a wrong amount'),
  forged('unknown-reference', 'forged-reference', 'a signed notification says Paid, of an unknown reference'),
  outcome(
    'paid',
    'the payer pays',
    { settle: { outcome: 'Paid', after: DELAY } },
    ['I4', 'I1', 'I2', 'I5'],
    ended('Paid'),
  ),
  outcome(
    'failed',
    'the payment fails',
    { settle: { outcome: 'Failed', after: DELAY } },
    ['I11', 'I1'],
    ended('Failed'),
  ),
  outcome(
    'cancelled',
    'the payer cancels',
    { settle: { outcome: 'Cancelled', after: DELAY } },
    ['I11', 'I1'],
    ended('Cancelled'),
  ),
  outcome(
    'expired',
    'the payer does nothing',
    { settle: { outcome: 'Expired', after: 'PT15M' } },
    ['I11', 'I1'],
    ended('Expired'),
  ),
  outcome(
    'paid-after-failure',
    'the payment fails, and is paid an hour later',
    PAID_AFTER_FAILURE,
    ['I12', 'I2'],
    ended('Paid'),
  ),
  outcome(
    'paid-after-expiry',
    'the payment expires, and is paid an hour later',
    { settle: { outcome: 'Expired', after: 'PT15M' }, lateOutcome: { outcome: 'Paid', after: 'PT1H' } },
    ['I12', 'I2'],
    ended('Paid'),
  ),
  { id: 'nothing-more', kind: 'afterwards', title: 'nothing comes after it', invariants: [], struck: wasCalled },
  {
    id: 'first-again',
    kind: 'afterwards',
    title: 'the first notification comes once more at the end',
    afterwards: 'send-first-again',
    invariants: ['I2'],
    struck: isSentAgain,
  },
  {
    id: 'older-again',
    kind: 'afterwards',
    title: 'a failure that a payment has overtaken is told once more',
    payment: PAID_AFTER_FAILURE,
    afterwards: 'send-first-again',
    invariants: ['I6', 'I2', 'I12'],
    struck: isSentAgain,
  },
  {
    id: 'refunded',
    kind: 'afterwards',
    title: 'the payment is refunded in whole a day later',
    payment: { adjustments: { kind: 'refund', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
  {
    id: 'reversed',
    kind: 'afterwards',
    title: 'the payment is reversed a day later',
    payment: { adjustments: { kind: 'reversal', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
  {
    id: 'charged-back',
    kind: 'afterwards',
    title: 'the payment is charged back a day later',
    payment: { adjustments: { kind: 'chargeback', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
];
