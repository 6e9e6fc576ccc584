import type { RecordedCall, RecordedNotification } from '../../../src/base/schema/generated/recordings.ts';
import { compareSides, initiation, linesOf, notification, type Side, statusQuery } from './compared.ts';

const ANSWER = { status: 'Processing', paymentId: 'PAY-1234567' };

function side(calls: RecordedCall[], notifications: RecordedNotification[] = [], until = 60): Side {
  return { calls: [initiation('ORDER-1', 0, ANSWER), ...calls], notifications, until };
}

describe('the comparison of payment states', () => {
  const query = (seconds: number, status: string) => statusQuery('PAY-1234567', seconds, status);

  test('reports a different status of a payment, even if another payment has it on both sides', () => {
    const recorded = side([query(1, 'Processing')], [notification('ORDER-1', 3, 'Paid')]);
    const sandbox = side([query(1, 'Processing')], [notification('ORDER-1', 3, 'Failed')]);
    const other = [initiation('ORDER-2', 0, { paymentId: 'PAY-7654321' }), statusQuery('PAY-7654321', 1, 'Failed')];
    const compared = compareSides(
      { ...recorded, calls: [...recorded.calls, ...other] },
      { ...sandbox, calls: [...sandbox.calls, ...other] },
    );
    expect(linesOf(compared)).toEqual(['sequence states: [["Processing","Paid"]] | [["Processing","Failed"]]']);
    expect(compared.notCompared).toMatchObject([
      { reason: 'notifications of a payment whose states differ', count: 2 },
    ]);
  });

  test('reports different words for all states once, as a different sequence', () => {
    const recorded = side([query(1, 'Pending'), query(5, 'Complete')], [notification('ORDER-1', 3, 'Complete')]);
    const sandbox = side([query(1, 'Processing'), query(5, 'Paid')], [notification('ORDER-1', 3, 'Paid')]);
    const compared = compareSides(recorded, sandbox);
    expect(linesOf(compared)).toEqual(['sequence states: [["Pending","Complete"]] | [["Processing","Paid"]]']);
    expect(compared.notCompared).toMatchObject([
      { reason: 'bodies of answers to status queries whose payment statuses differ', count: 2 },
      { reason: 'notifications of a payment whose states differ', count: 2 },
    ]);
  });

  test.each(['7', 'A', 'AB', 'ABC'])('matches payments by any reference of the merchant, such as %s', (reference) => {
    const calls = (status: string) => [
      initiation(reference, 0, { paymentId: 'PAY-1234567', payerAccountId: 7 }),
      statusQuery(reference, 1, 'Processing'),
      statusQuery(reference, 5, status),
    ];
    expect(linesOf(compareSides({ calls: calls('Paid') }, { calls: calls('Processing') }))).toEqual([
      'sequence states: [["Processing","Paid"]] | [["Processing"]]',
    ]);
  });

  test('does not mistake another member with the same value for a short reference', () => {
    const calls = (status: string) => [
      initiation('7', 0, { paymentId: 'PAY-7654321' }),
      initiation('ORDER-1', 0, ANSWER),
      { ...statusQuery('ORDER-1', 1, status), body: { json: { payerAccountId: 7, transactionReference: 'ORDER-1' } } },
    ];
    const withoutQuery = (all: RecordedCall[]) =>
      all.map((call) => ({ ...call, target: call.target.replace(/\?.*/, '') }));
    const compared = compareSides({ calls: withoutQuery(calls('Paid')) }, { calls: withoutQuery(calls('Failed')) });
    expect(linesOf(compared)).toEqual(['sequence states: [["Paid"]] | [["Failed"]]']);
    expect(compared.differences).toMatchObject([{ source: { line: 3 } }]);
  });

  test('does not assign a status to a second initiation that one side refused because of its reference', () => {
    const calls = (status: string, second: number) => [
      initiation('ORDER-1', 0, ANSWER),
      { ...initiation('ORDER-1', 1, {}), answer: { status: second, headers: [], body: null } },
      query(5, status),
    ];
    const compared = compareSides({ calls: calls('Paid', 409) }, { calls: calls('Processing', 200) });
    expect(linesOf(compared)).toEqual([
      'status status: [409] | [200]',
      'sequence states: [["Paid"]] | [["Processing"]]',
    ]);
  });

  test('assigns a notification by its reference, not by an amount that another answer contains', () => {
    const other = initiation('ORDER-2', 1, { paymentId: 'PAY-7654321' });
    const calls = [initiation('ORDER-1', 0, { ...ANSWER, amountPaid: '10.01' }), other];
    const sideWith = (members: object) => ({
      calls,
      notifications: [
        notification('', 3, '', { body: { json: { status: 'Paid', paymentReference: 'ORDER-2', ...members } } }),
      ],
    });
    expect(linesOf(compareSides(sideWith({ amountPaid: '10.01' }), sideWith({})))).toEqual([
      'missing-member $.amountPaid: ["10.01"] | null',
    ]);
  });

  test('distinguishes several payments with the same reference', () => {
    const body = (paymentId: string, status: string) => ({
      body: { json: { status, paymentReference: 'ORDER-1', paymentId } },
    });
    const calls = [initiation('ORDER-1', 0, ANSWER), initiation('ORDER-1', 1, { paymentId: 'PAY-7654321' })];
    const sidesWith = (one: string, other: string) => ({
      calls,
      notifications: [
        notification('', 3, '', body('PAY-1234567', one)),
        notification('', 4, '', body('PAY-7654321', other)),
      ],
    });
    expect(linesOf(compareSides(sidesWith('Paid', 'Failed'), sidesWith('Paid', 'Paid')))).toEqual([
      'sequence states: [["Failed"]] | [["Paid"]]',
    ]);
  });

  test.each([
    ['Failed', 'sequence states: [["Processing","Paid"]] | [["Processing","Paid","Failed"]]'],
    ['COMPLETED', 'sequence states: [["Processing","Paid"]] | [["Processing","Paid","COMPLETED"]]'],
    ['Processing', 'delay Paid, by status query: [[6000,9000]] | null'],
  ])('reports %s in all queries after another status was notified', (word, line) => {
    const queries = (lastStatus: string) => [
      ...[query(1, 'Processing'), query(6, 'Processing')],
      ...[9, 11, 13].map((at) => query(at, lastStatus)),
    ];
    const notifications = [notification('ORDER-1', 8)];
    const [recorded, other] = [side(queries('Paid'), notifications, 14), side(queries(word), notifications, 14)];
    expect(linesOf(compareSides(recorded, other))).toEqual([line]);
    expect(compareSides(other, recorded).differences).toHaveLength(1);
  });

  test('reports a first status that is an outcome on one side only', () => {
    const recorded = side([query(5, 'DONE')], [notification('ORDER-1', 3, 'DONE')]);
    const compared = compareSides(recorded, side([query(5, 'Processing')]));
    expect(linesOf(compared)).toEqual(['sequence states: [["DONE"]] | [["Processing"]]']);
  });

  test('assigns a notification to the latest payment that had begun, if several have the same reference', () => {
    const calls = [
      initiation('ORDER-1', 0, {}),
      statusQuery('ORDER-1', 4, 'Paid'),
      initiation('ORDER-1', 20, {}),
      statusQuery('ORDER-1', 24, 'Paid'),
    ];
    const sideAt = (second: number) => ({
      calls,
      notifications: [notification('ORDER-1', 3), notification('ORDER-1', 20 + second)],
    });
    expect(linesOf(compareSides(sideAt(3), sideAt(3)))).toEqual([]);
    expect(linesOf(compareSides(sideAt(1), sideAt(3)))).toEqual(['delay Paid: [1000] | [3000]']);
  });

  test('allows notifications to be 20 % or a second late', () => {
    const sideAt = (seconds: number) => side([], [notification('ORDER-1', seconds)]);
    expect(linesOf(compareSides(sideAt(10), sideAt(11.9)))).toEqual([]);
    expect(linesOf(compareSides(sideAt(10), sideAt(12.1)))).toEqual(['delay Paid: [10000] | [12100]']);
    expect(linesOf(compareSides(sideAt(1), sideAt(2)))).toEqual([]);
    expect(linesOf(compareSides(sideAt(1), sideAt(2.1)))).toEqual(['delay Paid: [1000] | [2100]']);
  });

  test('uses the time of a notification that arrives after a query returned the state', () => {
    const sideAt = (seconds: number) =>
      side([query(2, 'Processing'), query(3, 'Paid')], [notification('ORDER-1', seconds)]);
    expect(linesOf(compareSides(sideAt(3.2), sideAt(4.1)))).toEqual([]);
    expect(linesOf(compareSides(sideAt(3.2), sideAt(9)))).toEqual(['delay the notification Paid: [3200] | [9000]']);
    expect(linesOf(compareSides(sideAt(2.5), sideAt(9)))).toEqual(['delay the notification Paid: [2500] | [9000]']);
  });

  test('reports a missing answer once, without its effects', () => {
    const { answer: _, ...lost } = initiation('ORDER-1', 0, ANSWER);
    const unknown = { ...query(1, ''), answer: { status: 404, headers: [], body: null } };
    const silent = { ...lost, answer: null, error: 'no answer' };
    const compared = compareSides(side([query(1, 'Paid')], [notification('ORDER-1', 1)]), { calls: [silent, unknown] });
    expect(linesOf(compared)).toEqual(['no-answer answer: [200] | null']);
    expect(compared.notCompared).toMatchObject([
      { reason: 'calls about a payment that may exist on only one side', count: 1 },
      { reason: 'notifications of a payment that may exist on only one side', count: 1 },
    ]);
  });

  test('reports a status in a different case as a different value, not as a different state', () => {
    const sideWith = (word: string) => side([query(5, 'Paid')], [notification('ORDER-1', 3, word)]);
    expect(linesOf(compareSides(sideWith('Paid'), sideWith('PAID')))).toEqual(['word $.status: ["Paid"] | ["PAID"]']);
    const queriedSide = (word: string) => side([query(1, word)], [notification('ORDER-1', 3, word)]);
    expect(linesOf(compareSides(queriedSide('paid'), queriedSide('Paid')))).toEqual([
      'word $.status: ["paid"] | ["Paid"]',
      'word $.status: ["paid"] | ["Paid"]',
    ]);
  });

  test('reports only the type if a status is not a text on one side', () => {
    const sideWith = (status: unknown) => side([query(1, status as string), query(5, status as string)]);
    const compared = compareSides(sideWith('Paid'), sideWith({ code: 2 }));
    expect(linesOf(compared)).toEqual(['type $.status: ["Paid"] | [{"code":2}]']);
  });

  test('reads notifications in forms as well as in JSON', () => {
    const form = 'status=Paid&paymentReference=ORDER-1';
    const recorded = side([], [notification('ORDER-1', 3)]);
    const sandbox = side([], [notification('ORDER-1', 3, 'Paid', { body: { text: form } })]);
    expect(linesOf(compareSides(recorded, sandbox))).toEqual(['body body: JSON | text']);
    const parts = Object.entries({ status: 'Paid', paymentReference: 'ORDER-1' });
    const multipart = { form: parts.map(([name, value]) => ({ name, value })) };
    expect(
      linesOf(compareSides(recorded, side([], [notification('ORDER-1', 3, 'Paid', { body: multipart })]))),
    ).toEqual(['body body: JSON | form']);
  });

  test('compares intervals if only queries returned the state', () => {
    const recorded = side([query(2, 'Processing'), query(10, 'Paid')]);
    const sandbox = (seconds: number, second: string) =>
      side([query(2, 'Processing'), query(10, second)], [notification('ORDER-1', seconds)]);
    expect(linesOf(compareSides(recorded, sandbox(6, 'Paid'))).filter((line) => line.startsWith('delay'))).toEqual([]);
    const late = compareSides(recorded, sandbox(20, 'Processing'));
    expect(linesOf(late)).toEqual(['delay Paid: [[2000,10000]] | [20000]']);
    expect(late.notCompared).toMatchObject([
      { reason: 'bodies of answers to status queries whose payment statuses differ' },
      { reason: 'notifications of a payment whose states differ' },
    ]);
  });

  test('reports a missing state if the other side was queried in between', () => {
    const between = side([query(1, 'Processing'), query(3, 'Authorised'), query(5, 'Paid')]);
    const without = side([query(1, 'Processing'), query(3, 'Processing'), query(5, 'Paid')]);
    const line = 'sequence states: [["Processing","Authorised","Paid"]] | [["Processing","Paid"]]';
    expect(linesOf(compareSides(between, without))).toEqual([line]);
    const soonPaid = side([query(1, 'Processing'), query(3, 'Paid'), query(5, 'Paid')]);
    expect(linesOf(compareSides(between, soonPaid))).not.toContain(line);
  });

  test('does not report a state that had ended before the other side was queried', () => {
    const recorded = side([query(2.9, 'Processing')], [notification('ORDER-1', 3)]);
    const sandbox = side([query(2.9, 'Paid')], [notification('ORDER-1', 2.8)]);
    expect(linesOf(compareSides(recorded, sandbox))).toEqual([]);
  });

  test('does not report a state that could have followed the end of the recording', () => {
    const recorded = side([], [], 5);
    expect(linesOf(compareSides(recorded, side([], [notification('ORDER-1', 4.5)], 5)))).toEqual([]);
    expect(linesOf(compareSides(recorded, side([], [notification('ORDER-1', 1)], 5)))).toEqual([
      'sequence states: [[]] | [["Paid"]]',
    ]);
  });

  test('reports a refusal once, without its effects', () => {
    const recorded = side([query(1, 'Processing')], [notification('ORDER-1', 3)]);
    const refused = initiation('ORDER-1', 0, { message: 'no' });
    const sandbox = {
      calls: [{ ...refused, answer: refused.answer && { ...refused.answer, status: 400 } }, query(1, 'none')],
    };
    const compared = compareSides(recorded, sandbox);
    expect(linesOf(compared)).toEqual(['status status: [200] | [400]']);
    expect(compared.notCompared).toMatchObject([
      { reason: 'calls about a payment that may exist on only one side', count: 1 },
      { reason: 'notifications of a payment that may exist on only one side', count: 1 },
    ]);
  });
});

test('a second initiation with the same reference is not reported if both sides give the same answer', () => {
  for (const second of ['1001', '1002']) {
    const calls = [
      initiation('ORDER-1', 0, { paymentCode: '1001' }),
      initiation('ORDER-1', 1, { paymentCode: second }),
      statusQuery('ORDER-1', 5, 'Paid'),
    ];
    expect(linesOf(compareSides({ calls }, { calls }))).toEqual([]);
  }
});

describe('the comparison of notifications', () => {
  const HASH = { name: 'X-Hash', value: 'a'.repeat(128) };
  const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({ name, value: '1' }));
  const sideWith = (changes: Partial<RecordedNotification>) => side([], [notification('ORDER-1', 3, 'Paid', changes)]);

  test.each([
    ['reports a different method', sideWith({ method: 'PUT' }), sideWith({}), ['method method: ["PUT"] | ["POST"]']],
    [
      'reports a different signature',
      sideWith({ headers: [HASH] }),
      sideWith({ headers: STANDARD }),
      ['signature signature: ["hexadecimal text of 128 characters"] | Standard Webhooks'],
    ],
    [
      'reports a missing signature',
      sideWith({ headers: [] }),
      sideWith({ headers: STANDARD }),
      ['signature signature: no signature | Standard Webhooks'],
    ],
    [
      'does not report a masked signature',
      sideWith({ headers: [{ name: 'x-hash', value: '*** 1a2b3c4d' }] }),
      sideWith({ headers: [HASH] }),
      [],
    ],
    [
      'reports different headers',
      sideWith({ headers: [{ name: 'X-Event', value: 'paid' }] }),
      sideWith({ headers: [] }),
      ['header x-event: ["paid"] | null'],
    ],
    [
      'reports a different body',
      sideWith({ body: { json: { status: 'Paid', paymentReference: 'ORDER-1', amount: '1.00' } } }),
      sideWith({ body: { json: { status: 'Paid', paymentReference: 'ORDER-1', amount: 1 } } }),
      ['type $.amount: ["1.00"] | [1]'],
    ],
    ['does not report a missing notification if the states differ', sideWith({}), side([]), []],
  ])('%s', (_, recorded, sandbox, lines) => {
    expect(linesOf(compareSides(recorded, sandbox)).filter((line) => !line.startsWith('sequence'))).toEqual(lines);
  });

  const attempts = (times: number[], until: number) =>
    side(
      [],
      times.map((seconds) => notification('ORDER-1', seconds)),
      until,
    );
  test.each([
    [
      'reports a different number of attempts',
      attempts([3, 8, 13], 60),
      attempts([3, 8], 60),
      ['attempts attempts: [3] | [2]'],
    ],
    ['does not report attempts after the end of the recording', attempts([3, 8], 12), attempts([3, 8, 13], 14), []],
    [
      'reports different times between attempts',
      attempts([3, 8, 13], 60),
      attempts([3, 13, 23], 60),
      ['spacing spacing: [[5000,5000]] | [[10000,10000]]'],
    ],
    ['allows attempts to be a second late', attempts([3, 8], 60), attempts([3, 9], 60), []],
  ])('%s', (_, recorded, sandbox, lines) => {
    expect(linesOf(compareSides(recorded, sandbox))).toEqual(lines);
  });

  test('reports a notification that only one side sent', () => {
    const query = statusQuery('PAY-1234567', 3, 'Paid');
    const recorded = side([query], [notification('ORDER-1', 3)]);
    expect(linesOf(compareSides(recorded, side([query])))).toEqual(['notification Paid: sent | null']);
    const unknown = { calls: [], notifications: [notification('ORDER-9', 3)] };
    expect(linesOf(compareSides(unknown, { calls: [] }))).toEqual(['notification Paid: sent | null']);
  });
});
