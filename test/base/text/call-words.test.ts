import { callInWords, replacesAnswer } from '../../../src/base/text/call-words.ts';

const ANSWER = { status: 200, headers: {}, body: '{"status":"Paid","description":"Paid"}' };
const CALL = {
  method: 'POST',
  path: '/pay',
  operation: 'initiatePayment',
  reference: 'ORDER-1',
  answer: ANSWER,
  fault: null,
  findings: [],
};
const QUERY = { ...CALL, method: 'GET', operation: 'getPaymentStatus' };

describe('a call in words', () => {
  it.each([
    ['latency before the call, latency 2 s', 'processed, but the answer is slow'],
    ['latency after the call, latency 2 s', 'processed, but the answer is slow'],
    ['timeout before the call', 'not processed, and no answer arrives'],
    ['timeout after the call', 'processed, but no answer arrives'],
    ['status 503 on arrival', 'not processed, and answered 503'],
  ])('with the fault "%s" is %s', (fault, end) => {
    expect(callInWords({ ...CALL, fault })).toBe(`POST /pay for ORDER-1: ${end}`);
  });
});

it.each([
  ['has the status that it returned', QUERY, 'GET /pay for ORDER-1: answered 200, Paid'],
  [
    'has no status if it had a fault',
    { ...QUERY, fault: 'latency before the call' },
    'GET /pay for ORDER-1: processed, but the answer is slow',
  ],
  ['has no status if it was not answered', { ...QUERY, answer: null }, 'GET /pay for ORDER-1: no answer'],
  [
    'has no status if the answer is cut off',
    { ...QUERY, answer: { ...ANSWER, body: '{"sta' } },
    'GET /pay for ORDER-1: answered 200',
  ],
])('a status query in words %s', (_, query, words) => {
  expect(callInWords(query)).toBe(words);
});

it('a call in words has no status unless it is a status query', () => {
  expect(callInWords(CALL)).toBe('POST /pay for ORDER-1: answered 200');
});

it('every fault except a latency replaces the answer', () => {
  const kinds = ['reset', 'timeout', 'empty-body', 'malformed-body', 'status', 'latency', 'latency after the call'];
  expect(kinds.filter((kind) => !replacesAnswer(kind))).toEqual(['latency', 'latency after the call']);
});
