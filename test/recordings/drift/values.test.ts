import type { RecordedCall } from '../../../src/base/schema/recordings.ts';
import { answered, compareSides, linesOf } from './compared.ts';

function differencesOf(
  recorded: unknown,
  sandbox: unknown,
  sent: Partial<RecordedCall> = {},
  sentNow = sent,
): string[] {
  const side = (json: unknown, changes: Partial<RecordedCall>) => ({ calls: [answered(json as object, changes)] });
  return linesOf(compareSides(side(recorded, sent), side(sandbox, sentNow)));
}

describe('a body is compared', () => {
  test.each([
    [
      'a member that the sandbox does not have',
      { a: { b: 'x', c: 1 } },
      { a: { c: 1 } },
      'missing-member $.a.b: ["x"] | null',
    ],
    ['a member that only the sandbox has', { a: 'x' }, { a: 'x', b: null }, 'new-member $.b: null | [null]'],
    ['a number for a text of one', { a: '10.00' }, { a: 10 }, 'type $.a: ["10.00"] | [10]'],
    ['a text for null', { a: null }, { a: 'x' }, 'type $.a: [null] | ["x"]'],
    ['null for an empty text', { a: '' }, { a: null }, 'null-or-empty $.a: [""] | [null]'],
    ['an empty text for a text', { a: 'x' }, { a: '' }, 'null-or-empty $.a: ["x"] | [""]'],
    ['another word', { status: 'Paid' }, { status: 'Approved' }, 'word $.status: ["Paid"] | ["Approved"]'],
    ['another code', { status: '00' }, { status: 'Success' }, 'word $.status: ["00"] | ["Success"]'],
    [
      'another path of words',
      { path: '/init/merchant/wallet' },
      { path: '/sandbox/init/wallet' },
      'word $.path: ["/init/merchant/wallet"] | ["/sandbox/init/wallet"]',
    ],
    ['true for false', { a: true }, { a: false }, 'word $.a: [true] | [false]'],
    [
      'a Z for an offset',
      { at: '2026-03-01T12:00:00.000+02:00' },
      { at: '2026-03-01T10:00:00.000Z' },
      'format $.at: ["2026-03-01T12:00:00.000+02:00"] | ["2026-03-01T10:00:00.000Z"]',
    ],
    ['other places', { amount: '10.00' }, { amount: '10.0' }, 'format $.amount: ["10.00"] | ["10.0"]'],
    [
      'another offset',
      { at: '2026-03-01T12:00:00Z' },
      { at: '2026-03-01T12:00:00+02:00' },
      'format $.at: ["2026-03-01T12:00:00Z"] | ["2026-03-01T12:00:00+02:00"]',
    ],
    [
      'no time',
      { at: '0000-00-00T00:00:00Z' },
      { at: '2026-03-01T12:00:00Z' },
      'format $.at: ["0000-00-00T00:00:00Z"] | ["2026-03-01T12:00:00Z"]',
    ],
    ['another prefix', { a: 'PAY-1234567' }, { a: 'TXN-1234567' }, 'format $.a: ["PAY-1234567"] | ["TXN-1234567"]'],
    [
      'another path',
      { a: 'https://pay.test/checkout/8Hs2Ja72x?token=1' },
      { a: 'http://127.0.0.1:4000/pay/9Xs2Ja72x?token=1' },
      'format $.a: ["https://pay.test/checkout/8Hs2Ja72x?token=1"] | ["http://127.0.0.1:4000/pay/9Xs2Ja72x?token=1"]',
    ],
    [
      'another picture',
      { a: 'iVBORw0KGgoAAA' },
      { a: '/9j/4AAQSkZJRg' },
      'format $.a: ["iVBORw0KGgoAAA"] | ["/9j/4AAQSkZJRg"]',
    ],
    ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }, 'order $: [["a","b"]] | [["b","a"]]'],
    ['a list for an object', { a: [] }, { a: {} }, 'type $.a: [[]] | [{}]'],
    [
      'a member of items',
      { a: [{ b: 'x', c: 'y' }] },
      { a: [{ b: 'x' }, { b: 'z' }] },
      'missing-member $.a[].c: ["y"] | null',
    ],
    ['the type of items', [{ b: 1 }], [{ b: '1' }, { b: '2' }], 'type $[].b: [1] | ["1"]'],
    ['a word of an item', [{ b: 'x' }, { b: 'y' }], [{ b: 'x' }, { b: 'z' }], 'word $[].b: ["y"] | ["z"]'],
  ])('%s', (_, recorded, sandbox, line) => {
    expect(differencesOf(recorded, sandbox)).toEqual([line]);
  });

  test.each([
    ['ids of one kind', { id: 7, paymentId: 'PAY-8Hs2Ja72x' }, { id: 8, paymentId: 'PAY-9Xs2Ja72x' }],
    ['tokens', { token: 'eyJhbGciOi.eyJzdWIi.abc' }, { token: 'eyJhbGciOi.eyJzdWIj.abd' }],
    ['times', { at: '2026-03-01T12:00:00.000+02:00' }, { at: '2027-03-01T12:00:00.000+02:00' }],
    ['a masked value', { token: '*** 1a2b3c4d' }, { token: 'eyJhbGciOi.eyJzdWIj.abd' }],
    ['hosts and ids in a path', { a: 'https://pay.test/pay/8Hs2Ja72x' }, { a: 'http://localhost:1/pay/9Xs2Ja72x' }],
    ['values in a sentence', { a: 'Order A17 of 10.00 USD' }, { a: 'Order B18 of 12.00 USD' }],
    ['how many items a list has', { a: ['x', 'x'] }, { a: ['x'] }],
    ['items of which there are none', { a: [] }, { a: [{ b: 1 }] }],
  ])('and %s are noise', (_, recorded, sandbox) => {
    expect(differencesOf(recorded, sandbox)).toEqual([]);
  });

  test('and what was sent is expected back', () => {
    const sent = (reference: string) => ({ body: { json: { payerReference: reference, amount: '10.00' } } });
    const answer = (reference: string) => ({ name: reference, sum: 10 });
    expect(differencesOf(answer('one'), answer('two'), sent('one'), sent('two'))).toEqual([]);
    expect(differencesOf(answer('one'), answer('other'), sent('one'), sent('two'))).toEqual([
      'word $.name: the payerReference that was sent | ["other"]',
    ]);
  });

  test('and a list that has an item for each that was sent', () => {
    const sent = { body: { json: { list: [1, 2, 3] } } };
    expect(differencesOf({ a: ['x', 'x', 'x'] }, { a: ['x'] }, sent)).toEqual(['length $.a: [3] | [1]']);
  });

  test('and an id that is drawn by chance may look like anything', () => {
    const side = (...ids: string[]) => ({ calls: ids.map((paymentId) => answered({ paymentId })) });
    const one = side('a1b2c3d4', '12345678', 'e5f6a7b8', 'cv_9dk2ls');
    const other = side('b1b2c3d4', 'c1d2e3f4', '87654321', 'd5f6a7b8');
    const compared = compareSides(one, other);
    expect(linesOf(compared)).toEqual([]);
    expect(compared.noise.find(({ name }) => name === 'varying-ids')?.count).toBeGreaterThan(0);
    const prefixed = side('pay_1a2b', 'pay_3c4d', 'pay_5e6f', 'pay_7a8b');
    expect(linesOf(compareSides(prefixed, other))).toEqual([
      'format $.paymentId: ["pay_1a2b","pay_3c4d","pay_5e6f"] | ["b1b2c3d4","c1d2e3f4","87654321"]',
    ]);
  });

  test('and a value that is another one each time is no word', () => {
    const side = (prefix: number) => ({ calls: [1, 2, 3].map((each) => answered({ code: `${prefix}${each}000` })) });
    const compared = compareSides(side(1), side(2));
    expect(linesOf(compared)).toEqual([]);
    expect(compared.noise.find(({ name }) => name === 'varying-values')?.count).toBe(3);
    const constant = { calls: [1, 2, 3].map(() => answered({ code: '1000' })) };
    expect(linesOf(compareSides(constant, side(2)))).toEqual(['word $.code: ["1000"] | ["21000","22000","23000"]']);
  });
});

describe('an answer is compared', () => {
  const withAnswer = (changes: Partial<NonNullable<RecordedCall['answer']>>): { calls: RecordedCall[] } => {
    const call = answered({ a: 1 });
    return { calls: [{ ...call, answer: call.answer && { ...call.answer, ...changes } }] };
  };
  const header = (name: string, value: string) => ({ headers: [{ name, value }] });
  test.each([
    ['its status', {}, { status: 201 }, ['status status: [200] | [201]']],
    ['of another class without its body', {}, { status: 404, body: null }, ['status status: [200] | [404]']],
    [
      'its content type',
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
    ['its kind of body', {}, { body: { text: '<html>' } }, ['body body: JSON | text']],
    ['headers of the way', header('CF-Ray', '7'), { headers: [] }, []],
    ['cookies', header('Set-Cookie', 'a=1'), header('set-cookie', 'a=2'), []],
    ['a cookie that is not set', header('Set-Cookie', 'a=1'), { headers: [] }, ['header set-cookie: ["a=1"] | null']],
  ])('%s', (_, recorded, sandbox, lines) => {
    expect(linesOf(compareSides(withAnswer(recorded), withAnswer(sandbox)))).toEqual(lines);
  });

  test('a header that is missing everywhere is one difference', () => {
    const calls = (headers: { name: string; value: string }[]) => ({
      calls: ['/init/banks/all', '/api/getPaymentDetails'].map((target) =>
        answered(null, { target, answer: { status: 200, headers, body: null } }),
      ),
    });
    const { differences } = compareSides(calls(header('X-Version', '2').headers), calls([]));
    expect(differences).toMatchObject([{ place: 'x-version', operation: null, channel: null, count: 2, compared: 2 }]);
  });

  test('one that was lost is told only where the sandbox answered', () => {
    const lost = { calls: [answered(null, { answer: null, error: 'socket hang up' })] };
    expect(linesOf(compareSides(lost, { calls: [answered(null)] }))).toEqual(['no-answer answer: null | [200]']);
    const both = compareSides(lost, lost);
    expect(both.differences).toEqual([]);
    expect(both.notCompared).toMatchObject([{ reason: 'calls that neither side answered', count: 1 }]);
    expect(both.compared.exchanges).toBe(0);
  });
});

describe('times without an offset are compared', () => {
  const told = (time: string, at: string) => ({ calls: [answered({ answer: { processed: time } }, { at })] });
  const recorded = told('2026-03-01 10:00:01.250', '2026-03-01T10:00:00.000Z');

  test.each([
    ['2026-03-05 14:00:00.100', ['local date-time of the call | local date-time 2 h after the call']],
    ['2026-03-05 06:30:02.000', ['local date-time of the call | local date-time 5.5 h before the call']],
    ['2026-03-05 12:00:20.000', []],
    ['2026-03-05 12:07:00.000', []],
    ['2020-01-01 00:00:00.000', []],
  ])('by how far from their calls they are: %s', (time, sides) => {
    const compared = compareSides(recorded, told(time, '2026-03-05T12:00:00.000Z'));
    expect(linesOf(compared)).toEqual(sides.map((side) => `format $.answer.processed: ${side}`));
  });
});

describe('how long something counts is compared', () => {
  const expiring = (time: string | null, at = '2026-03-01T10:00:00.000Z') => ({
    calls: [answered({ list: [{ expiry: time }], answer: { tokenExpiry: time } }, { at })],
  });

  test('by the time after the call, to within 20 % and a second', () => {
    const recorded = expiring('2026-03-01T10:15:00.000Z');
    expect(linesOf(compareSides(recorded, expiring('2026-03-05T12:16:00.000Z', '2026-03-05T12:00:00.000Z')))).toEqual(
      [],
    );
    expect(linesOf(compareSides(recorded, expiring('2026-03-05T12:05:00.000Z', '2026-03-05T12:00:00.000Z')))).toEqual([
      'delay $.answer.tokenExpiry: [900000] | [300000]',
    ]);
  });

  test('by the clock of a service that tells another time', () => {
    const ahead = (expiry: string) => ({
      calls: expiring(expiry).calls.map((call) => ({
        ...call,
        answer: call.answer && {
          ...call.answer,
          headers: [...call.answer.headers, { name: 'Date', value: 'Sun, 01 Mar 2026 13:00:00 GMT' }],
        },
      })),
    });
    const sandbox = expiring('2026-03-01T10:15:00.000Z');
    expect(linesOf(compareSides(ahead('2026-03-01T13:15:00.000Z'), sandbox))).toEqual([]);
    expect(linesOf(compareSides(ahead('2026-03-01T13:05:00.000Z'), sandbox))).toEqual([
      'delay $.answer.tokenExpiry: [300000] | [900000]',
    ]);
  });

  test('but not where it is no time', () => {
    const none = expiring('2026-13-45T99:00:00.000Z');
    const lines = linesOf(compareSides(none, expiring('2026-03-01T10:15:00.000Z')));
    expect(lines.map((line) => line.split(':')[0])).toEqual(['format $.list[].expiry', 'format $.answer.tokenExpiry']);
  });

  test('but not where one side says nothing of it', () => {
    const lines = linesOf(compareSides(expiring('2026-03-01T10:15:00.000Z'), expiring(null)));
    expect(lines.filter((line) => line.startsWith('delay'))).toEqual([]);
  });
});
