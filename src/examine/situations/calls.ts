import type { InvariantId } from '../verdicts/invariant.ts';
import { type Rule, type Situation, secondCallAfter } from './situation.ts';
import { faultOn, faultsOnPayments, wasCalled } from './struck.ts';

/** A shop without a notification must query the status. */
const MUST_ASK = { webhook: { mode: 'dropped' } };
export const STATUS_503 = { kind: 'status', status: 503, message: 'The service is not available at this moment' };
export const STATUS_500 = { kind: 'status', status: 500, message: 'Something went wrong' };

const LOST = ['I10', 'I3', 'I4', 'I14'] as const;

/** The fault strikes once: who tries again goes through. */
function call(id: string, title: string, fault: Rule, invariants: readonly InvariantId[]): Situation {
  const payment = { fault: { times: 1, ...fault } };
  return { id, kind: 'call', title, payment, invariants, struck: faultsOnPayments(1) };
}

/** The fault strikes the first call and the one that a shop makes after it. */
function again(first: string, id: string, title: string, fault: Rule, invariants: readonly InvariantId[]): Situation {
  const payment = { fault: { times: 2, ...fault } };
  return { id, kind: 'call', title, payment, point: secondCallAfter(first), invariants, struck: faultsOnPayments(2) };
}

/** Calls of a shop other than payments and status queries, by their purpose. */
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
  const one = (id: string, what: string, fault: Rule): Situation => ({
    id: `${operation}-${id}`,
    kind: 'other-call',
    title: `${name} ${what}`,
    other: { operation, rule: { fault: { times: 1, ...fault } } },
    point: operation,
    invariants: ['I4', 'I1', 'I3'],
    struck: faultOn(operation),
  });
  return [
    one('refused', 'is answered with 503', { at: 'before', ...STATUS_503 }),
    one('cut', 'fails with a connection reset', { at: 'before', kind: 'reset' }),
    one('broken', 'gets a malformed answer', { at: 'after', kind: 'malformed-body' }),
  ];
}

function statusQuery(id: string, title: string, fault: Rule): Situation {
  return {
    id,
    kind: 'status-query',
    title,
    payment: MUST_ASK,
    statusQuery: { fault: { times: 2, ...fault } },
    invariants: ['I4', 'I1'],
    struck: faultOn('getPaymentStatus'),
  };
}

/** Situations of the calls that a shop makes. */
export const CALLS: readonly Situation[] = [
  { id: 'call-answered', kind: 'call', title: 'the payment request is answered', invariants: [], struck: wasCalled },
  call(
    'call-refused',
    'the payment request is answered with 503, and no payment is made',
    { at: 'before', ...STATUS_503 },
    ['I3', 'I1'],
  ),
  call('call-cut-before', 'the connection is reset before a payment is made', { at: 'before', kind: 'reset' }, [
    'I3',
    'I1',
  ]),
  call(
    'answer-is-error',
    'the payment is made, but the request is answered with 500',
    { at: 'after', ...STATUS_500 },
    LOST,
  ),
  call('answer-lost', 'the payment is made, but the connection is reset', { at: 'after', kind: 'reset' }, LOST),
  call('answer-empty', 'the payment is made, but the answer is empty', { at: 'after', kind: 'empty-body' }, LOST),
  call(
    'answer-broken',
    'the payment is made, but the answer is malformed',
    { at: 'after', kind: 'malformed-body' },
    LOST,
  ),
  call('answer-never', 'the payment is made, but no answer arrives', { at: 'after', kind: 'timeout' }, LOST),
  call(
    'answer-slow',
    'the answer to the payment request takes 20 seconds',
    { at: 'after', kind: 'latency', latency: 'PT20S' },
    LOST,
  ),
  again(
    'call-refused',
    'calls-refused',
    'the payment request and the next one are answered with 503',
    { at: 'before', ...STATUS_503 },
    ['I3', 'I1'],
  ),
  again(
    'answer-lost',
    'answers-lost',
    'two payment requests each make a payment, but the connection is reset',
    { at: 'after', kind: 'reset' },
    LOST,
  ),
  again(
    'answer-is-error',
    'answers-are-errors',
    'two payment requests each make a payment, but are answered with 500',
    { at: 'after', ...STATUS_500 },
    LOST,
  ),
  {
    id: 'others-answered',
    kind: 'other-call',
    title: 'other requests are answered',
    invariants: [],
    struck: wasCalled,
  },
  ...Object.entries(OTHER_OPERATIONS).flatMap(otherCalls),
  {
    id: 'query-answered',
    kind: 'status-query',
    title: 'status queries are answered',
    invariants: [],
    struck: wasCalled,
  },
  statusQuery('query-refused', 'status queries are answered with 503', { at: 'before', ...STATUS_503 }),
  statusQuery('query-cut', 'status queries fail with a connection reset', { at: 'before', kind: 'reset' }),
  statusQuery('query-broken', 'status queries get a malformed answer', { at: 'after', kind: 'malformed-body' }),
  {
    id: 'query-lags',
    kind: 'status-query',
    title: 'status queries return the status of 30 seconds ago',
    payment: MUST_ASK,
    behaviour: 'status-lags',
    lag: 'PT30S',
    invariants: ['I4', 'I1'],
    struck: ({ requests }) => requests.some(({ operation }) => operation === 'getPaymentStatus'),
  },
];
