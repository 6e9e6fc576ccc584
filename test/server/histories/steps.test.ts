import { firstDifferentStep } from '../../../src/base/compare-histories.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { stepsOf } from '../../../src/server/histories/steps.ts';
import type { CallFacts, HistoryEntry } from '../../../src/server/sessions/history-entry.ts';
import { delivery, state } from '../store/samples.ts';

interface HistoryVariation {
  session?: string;
  call?: Partial<CallFacts>;
  data?: object;
  status?: number;
  headers?: Record<string, string>;
}

/** A history with a call, its commit with an event, and a delivery attempt of the notification. */
function historyWith({
  session = 'one',
  call = {},
  data = {},
  status = 200,
  headers = {},
}: HistoryVariation): HistoryEntry[] {
  const facts: CallFacts = {
    method: 'POST',
    path: `/s/${session}/pay`,
    search: '',
    headers: {},
    body: { amount: 1 },
    answer: { status: 200, headers: {}, body: '{"ok":true}' },
    ...call,
  };
  const event = { id: 1, at: 0, type: 'payment.paid', collection: 'payments', subjectId: 'payment-1', requestId: null };
  const attempt = { at: 0, headers, status, ms: 1, error: null, response: null };
  const sent = { ...delivery('delivery-1', 0), body: '{"state":"Paid"}', attempts: [attempt] };
  return [
    { kind: 'call', id: 'request-1', origin: 'merchant', at: 0, bytes: 0, describe: () => facts },
    {
      kind: 'commit',
      cause: 'request-1',
      at: 0,
      state: state(),
      changes: [],
      events: [{ ...event, data: { ...data } }],
    } as HistoryEntry,
    { kind: 'answer', of: 'request-1', at: 0 },
    {
      kind: 'commit',
      cause: 'attempt-delivery delivery-1',
      at: 0,
      state: state(),
      changes: [{ collection: 'deliveries', id: 'delivery-1', record: sent }],
      events: [],
    },
  ];
}

function firstDifference(one: HistoryVariation, other: HistoryVariation) {
  const [first, second] = [one, other].map((members) =>
    runSteps(stepsOf(historyWith(members), members.session ?? 'one')),
  );
  const difference = firstDifferentStep(first ?? [], second ?? [])?.difference;
  return difference && [difference.step, difference.part];
}

describe('the first step at which two histories differ', () => {
  it.each<[string, HistoryVariation, string[]]>([
    ['the body of a call', { call: { body: { amount: 2 } } }, ['request-1', 'call body']],
    ['the path of a call', { call: { path: '/s/one/refund' } }, ['request-1', 'call']],
    ['the data of an event', { data: { code: 'X' } }, ['payment.paid payment-1', 'data']],
    [
      'the status of an answer',
      { call: { answer: { status: 500, headers: {}, body: '{"ok":true}' } } },
      ['request-1', 'status'],
    ],
    [
      'the body of an answer',
      { call: { answer: { status: 200, headers: {}, body: '{"ok":false}' } } },
      ['request-1', 'body'],
    ],
    ['the answer of a receiver', { status: 500 }, ['attempt-delivery delivery-1 (1)', 'outcome']],
    ['a header of a notification', { headers: { 'x-own': '1' } }, ['attempt-delivery delivery-1 (1)', 'headers']],
  ])('is found when %s differs', (_title, other, expected) => {
    expect(firstDifference({}, other)).toEqual(expected);
  });

  it.each<[string, HistoryVariation, HistoryVariation]>([
    ['the names of the sessions', { session: 'one' }, { session: 'other' }],
    ['signatures', { headers: { 'webhook-signature': 'v1,a' } }, { headers: { 'webhook-signature': 'v1,b' } }],
    [
      'tokens of forms',
      { call: { answer: { status: 200, headers: {}, body: '<input name="formToken" value="a"/>' } } },
      { call: { answer: { status: 200, headers: {}, body: '<input name="formToken" value="b"/>' } } },
    ],
    [
      'numbers of events',
      { call: { answer: { status: 200, headers: {}, body: '{"id":17}' } } },
      { call: { answer: { status: 200, headers: {}, body: '{"id":18}' } } },
    ],
  ])('is undefined when only %s differ', (_title, one, other) => {
    expect(firstDifference(one, other)).toBeUndefined();
  });
});

it('a step shows no secret of an event', () => {
  const steps = runSteps(stepsOf(historyWith({ data: { url: 'http://shop.test/?token=a-secret-of-mine' } }), 'one'));
  expect(JSON.stringify(steps)).toContain('shop.test');
  expect(JSON.stringify(steps)).not.toContain('a-secret-of-mine');
});
