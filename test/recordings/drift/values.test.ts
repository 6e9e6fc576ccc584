import type { RecordedCall } from '../../../src/base/schema/generated/recordings.ts';
import { answeredCall, compareSides, linesOf } from './compared.ts';

function differencesOf(recorded: unknown, sandbox: unknown): string[] {
  const side = (json: unknown) => ({ calls: [answeredCall(json as object)] });
  return linesOf(compareSides(side(recorded), side(sandbox)));
}

describe('the comparison of two bodies', () => {
  test.each([
    [
      'a member that the sandbox does not have',
      { a: { b: 'x', c: 1 } },
      { a: { c: 1 } },
      'missing-member $.a.b: ["x"] | null',
    ],
    ['a member that only the sandbox has', { a: 'x' }, { a: 'x', b: null }, 'new-member $.b: null | [null]'],
    ['a number for a numeric text', { a: '10.00' }, { a: 10 }, 'type $.a: ["10.00"] | [10]'],
    ['a text for null', { a: null }, { a: 'x' }, 'type $.a: [null] | ["x"]'],
    ['null for an empty text', { a: '' }, { a: null }, 'null-or-empty $.a: [""] | [null]'],
    ['an empty text for a text', { a: 'x' }, { a: '' }, 'null-or-empty $.a: ["x"] | [""]'],
    ['a different word', { status: 'Paid' }, { status: 'Approved' }, 'word $.status: ["Paid"] | ["Approved"]'],
    ['a different code', { status: '00' }, { status: 'Success' }, 'word $.status: ["00"] | ["Success"]'],
    [
      'a different path of words',
      { path: '/init/merchant/wallet' },
      { path: '/sandbox/init/wallet' },
      'word $.path: ["/init/merchant/wallet"] | ["/sandbox/init/wallet"]',
    ],
    ['false for true', { a: true }, { a: false }, 'word $.a: [true] | [false]'],
    [
      'a Z for an offset',
      { at: '2026-03-01T12:00:00.000+02:00' },
      { at: '2026-03-01T10:00:00.000Z' },
      'format $.at: ["2026-03-01T12:00:00.000+02:00"] | ["2026-03-01T10:00:00.000Z"]',
    ],
    ['fewer decimals', { amount: '10.00' }, { amount: '10.0' }, 'format $.amount: ["10.00"] | ["10.0"]'],
    [
      'a different offset',
      { at: '2026-03-01T12:00:00Z' },
      { at: '2026-03-01T12:00:00+02:00' },
      'format $.at: ["2026-03-01T12:00:00Z"] | ["2026-03-01T12:00:00+02:00"]',
    ],
    [
      'an invalid time',
      { at: '0000-00-00T00:00:00Z' },
      { at: '2026-03-01T12:00:00Z' },
      'format $.at: ["0000-00-00T00:00:00Z"] | ["2026-03-01T12:00:00Z"]',
    ],
    ['a different prefix', { a: 'PAY-1234567' }, { a: 'TXN-1234567' }, 'format $.a: ["PAY-1234567"] | ["TXN-1234567"]'],
    [
      'a different path',
      { a: 'https://pay.test/checkout/8Hs2Ja72x?token=1' },
      { a: 'http://127.0.0.1:4000/pay/9Xs2Ja72x?token=1' },
      'format $.a: ["https://pay.test/checkout/8Hs2Ja72x?token=1"] | ["http://127.0.0.1:4000/pay/9Xs2Ja72x?token=1"]',
    ],
    [
      'a different picture',
      { a: 'iVBORw0KGgoAAA' },
      { a: '/9j/4AAQSkZJRg' },
      'format $.a: ["iVBORw0KGgoAAA"] | ["/9j/4AAQSkZJRg"]',
    ],
    ['a different order', { a: 1, b: 2 }, { b: 2, a: 1 }, 'order $: [["a","b"]] | [["b","a"]]'],
    ['an object for a list', { a: [] }, { a: {} }, 'type $.a: [[]] | [{}]'],
    [
      'a member of items',
      { a: [{ b: 'x', c: 'y' }] },
      { a: [{ b: 'x' }, { b: 'z' }] },
      'missing-member $.a[].c: ["y"] | null',
    ],
    ['the type of items', [{ b: 1 }], [{ b: '1' }, { b: '2' }], 'type $[].b: [1] | ["1"]'],
    ['a word of an item', [{ b: 'x' }, { b: 'y' }], [{ b: 'x' }, { b: 'z' }], 'word $[].b: ["y"] | ["z"]'],
  ])('reports %s', (_, recorded, sandbox, line) => {
    expect(differencesOf(recorded, sandbox)).toEqual([line]);
  });

  test.each([
    ['ids of one format', { id: 7, paymentId: 'PAY-8Hs2Ja72x' }, { id: 8, paymentId: 'PAY-9Xs2Ja72x' }],
    ['tokens', { token: 'eyJhbGciOi.eyJzdWIi.abc' }, { token: 'eyJhbGciOi.eyJzdWIj.abd' }],
    ['times', { at: '2026-03-01T12:00:00.000+02:00' }, { at: '2027-03-01T12:00:00.000+02:00' }],
    ['a masked value', { token: '*** 1a2b3c4d' }, { token: 'eyJhbGciOi.eyJzdWIj.abd' }],
    ['hosts and ids in a path', { a: 'https://pay.test/pay/8Hs2Ja72x' }, { a: 'http://localhost:1/pay/9Xs2Ja72x' }],
    ['values in a sentence', { a: 'Order A17 of 10.00 USD' }, { a: 'Order B18 of 12.00 USD' }],
    ['the length of a list', { a: ['x', 'x'] }, { a: ['x'] }],
    ['items against an empty list', { a: [] }, { a: [{ b: 1 }] }],
  ])('treats %s as noise', (_, recorded, sandbox) => {
    expect(differencesOf(recorded, sandbox)).toEqual([]);
  });
});

describe('the comparison of two answers', () => {
  const withAnswer = (changes: Partial<NonNullable<RecordedCall['answer']>>): { calls: RecordedCall[] } => {
    const call = answeredCall({ a: 1 });
    return { calls: [{ ...call, answer: call.answer && { ...call.answer, ...changes } }] };
  };
  const header = (name: string, value: string) => ({ headers: [{ name, value }] });
  test.each([
    ['the status', {}, { status: 201 }, ['status status: [200] | [201]']],
    ['only the status, if its class differs', {}, { status: 404, body: null }, ['status status: [200] | [404]']],
    [
      'the content type',
      header('content-type', 'application/json; charset=utf-8'),
      header('Content-Type', 'text/plain;charset=UTF-8'),
      ['content-type content-type: ["application/json; charset=utf-8"] | ["text/plain; charset=utf-8"]'],
    ],
    ['a header', header('X-Version', '2'), { headers: [] }, ['header x-version: ["2"] | null']],
    [
      "a header's value",
      header('Cache-Control', 'no-store'),
      header('cache-control', 'no-cache'),
      ['header cache-control: ["no-store"] | ["no-cache"]'],
    ],
    ['the kind of body', {}, { body: { text: '<html>' } }, ['body body: JSON | text']],
    ['no headers of proxies', header('CF-Ray', '7'), { headers: [] }, []],
    ['no values of cookies', header('Set-Cookie', 'a=1'), header('set-cookie', 'a=2'), []],
    ['a cookie that is not set', header('Set-Cookie', 'a=1'), { headers: [] }, ['header set-cookie: ["a=1"] | null']],
  ])('covers %s', (_, recorded, sandbox, lines) => {
    expect(linesOf(compareSides(withAnswer(recorded), withAnswer(sandbox)))).toEqual(lines);
  });

  test('reports a header that is missing everywhere as one difference', () => {
    const calls = (headers: { name: string; value: string }[]) => ({
      calls: ['/init/banks/all', '/api/getPaymentDetails'].map((target) =>
        answeredCall(null, { target, answer: { status: 200, headers, body: null } }),
      ),
    });
    const { differences } = compareSides(calls(header('X-Version', '2').headers), calls([]));
    expect(differences).toMatchObject([{ place: 'x-version', operation: null, channel: null, count: 2, compared: 2 }]);
  });

  test('reports a lost answer only if the sandbox answered', () => {
    const unanswered = { calls: [answeredCall(null, { answer: null, error: 'socket hang up' })] };
    expect(linesOf(compareSides(unanswered, { calls: [answeredCall(null)] }))).toEqual([
      'no-answer answer: null | [200]',
    ]);
    const comparison = compareSides(unanswered, unanswered);
    expect(comparison.differences).toEqual([]);
    expect(comparison.notCompared).toMatchObject([{ reason: 'calls that neither side answered', count: 1 }]);
    expect(comparison.compared.exchanges).toBe(0);
  });
});
