import type { InvariantId } from '../verdicts/invariant.ts';
import { hasFaultOn, hasFaultsOnPayments, withoutFault } from './occurrence.ts';
import { inNextRequirements, type RuleMembers, type Situation, secondCallAfter } from './situation.ts';

/** Without a notification, a shop must query the status. */
const NO_NOTIFICATION = { webhook: { mode: 'dropped' } };

/** Faults of a call, before or after the provider has processed it. */
export const FAULTS = {
  refused: { at: 'before', kind: 'status', status: 503, message: 'The service is not available at this moment' },
  error: { at: 'after', kind: 'status', status: 500, message: 'Something went wrong' },
  cut: { at: 'before', kind: 'reset' },
  lost: { at: 'after', kind: 'reset' },
  malformed: { at: 'after', kind: 'malformed-body' },
  unanswered: { at: 'after', kind: 'timeout' },
} as const satisfies Record<string, RuleMembers>;

/** The invariants that a payment request without a usable answer can break: if no payment was made, and if one was. */
const UNMADE = ['I3', 'I1', 'I19'] as const;
const MADE = ['I10', 'I3', 'I4', 'I14'] as const;

/** The fault affects the first requests, so a shop that tries again often enough succeeds. */
function call(
  id: string,
  title: string,
  fault: RuleMembers,
  invariants: readonly InvariantId[],
  times: 1 | 2 = 1,
): Situation {
  const payment = { fault: { times, ...fault } };
  return { id, kind: 'call', title, payment, invariants, hasOccurred: hasFaultsOnPayments(times) };
}

/** Operations other than payments and status queries, with their names in titles. */
const OTHER_OPERATIONS = {
  getAccessToken: 'the request for an access token',
  calculateFees: 'the request for fees',
  listCurrencies: 'the request for currencies',
  listBanks: 'the request for banks',
  listPaymentIntervals: 'the request for payment intervals',
  saveFastCheckout: 'the request for a payment link',
  requestPaymentToken: 'the request for a payment token',
} as const;

function otherCalls([operation, name]: [string, string]): Situation[] {
  const disturbed = (id: string, what: string, fault: RuleMembers): Situation => ({
    id: `${operation}-${id}`,
    kind: 'other-call',
    title: `${name} ${what}`,
    other: { operation, rule: { fault: { times: 1, ...fault } } },
    requiredCall: operation,
    invariants: ['I4', 'I1', 'I3'],
    hasOccurred: hasFaultOn(operation),
  });
  return [
    disturbed('refused', 'is answered with 503', FAULTS.refused),
    disturbed('cut', 'fails with a connection reset', FAULTS.cut),
    disturbed('broken', 'gets a malformed answer', FAULTS.malformed),
  ];
}

function statusQuery(id: string, title: string, fault: RuleMembers, payment: RuleMembers = NO_NOTIFICATION): Situation {
  return {
    id,
    kind: 'status-query',
    title,
    payment,
    statusQuery: { fault: { times: 2, ...fault } },
    invariants: ['I4', 'I1'],
    hasOccurred: hasFaultOn('getPaymentStatus'),
  };
}

export const CALLS: readonly Situation[] = [
  withoutFault('call', 'call-answered', 'the payment request is answered'),
  call('call-refused', 'the payment request is answered with 503, and no payment is made', FAULTS.refused, UNMADE),
  call('call-cut-before', 'the connection is reset before a payment is made', FAULTS.cut, UNMADE),
  call('answer-is-error', 'the payment is made, but the request is answered with 500', FAULTS.error, MADE),
  call('answer-lost', 'the payment is made, but the connection is reset', FAULTS.lost, MADE),
  call('answer-empty', 'the payment is made, but the answer is empty', { at: 'after', kind: 'empty-body' }, MADE),
  call('answer-broken', 'the payment is made, but the answer is malformed', FAULTS.malformed, MADE),
  call('answer-never', 'the payment is made, but no answer arrives', FAULTS.unanswered, MADE),
  call(
    'answer-slow',
    'the answer to the payment request takes 20 seconds',
    { at: 'after', kind: 'latency', latency: 'PT20S' },
    MADE,
  ),
  {
    ...call('calls-refused', 'the payment request and the next one are answered with 503', FAULTS.refused, UNMADE, 2),
    requiredCall: secondCallAfter('call-refused'),
  },
  {
    ...call(
      'answers-lost',
      'two payment requests each make a payment, but the connection is reset',
      FAULTS.lost,
      MADE,
      2,
    ),
    requiredCall: secondCallAfter('answer-lost'),
  },
  {
    ...call(
      'answers-are-errors',
      'two payment requests each make a payment, but are answered with 500',
      FAULTS.error,
      MADE,
      2,
    ),
    requiredCall: secondCallAfter('answer-is-error'),
  },
  withoutFault('other-call', 'others-answered', 'other requests are answered'),
  ...Object.entries(OTHER_OPERATIONS).flatMap(otherCalls),
  withoutFault('status-query', 'query-answered', 'status queries are answered'),
  statusQuery('query-refused', 'status queries are answered with 503', FAULTS.refused),
  statusQuery('query-cut', 'status queries fail with a connection reset', FAULTS.cut),
  statusQuery('query-broken', 'status queries get a malformed answer', FAULTS.malformed),
  inNextRequirements({
    ...statusQuery(
      'query-refused-notified',
      'the notification arrives, but status queries are answered with 503',
      FAULTS.refused,
      {},
    ),
    isOptional: true,
  }),
  {
    id: 'query-lags',
    kind: 'status-query',
    title: 'status queries return the status of 30 seconds ago',
    payment: NO_NOTIFICATION,
    behaviour: 'status-lags',
    lag: 'PT30S',
    invariants: ['I4', 'I1'],
    hasOccurred: ({ requests }) => requests.some(({ operation }) => operation === 'getPaymentStatus'),
  },
];
