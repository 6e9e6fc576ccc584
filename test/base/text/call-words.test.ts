import { callInWords, replacesAnswer } from '../../../src/base/text/call-words.ts';

const CALL = { method: 'POST', path: '/pay', reference: 'ORDER-1', answer: { status: 200 }, findings: [] };

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

it('only a latency does not replace the answer', () => {
  const kinds = ['reset', 'timeout', 'empty-body', 'malformed-body', 'status', 'latency', 'latency after the call'];
  expect(kinds.filter((kind) => !replacesAnswer(kind))).toEqual(['latency', 'latency after the call']);
});
