import type { RequestView, TimelineEntry, TimelineView } from '../../../src/base/schema/generated/control.ts';
import { NOTHING_SEEN, type Observation } from '../../../src/examine/observation/observation.ts';
import { storyOf } from '../../../src/examine/observation/story.ts';

function textsOf(...words: string[]): string[] {
  return textsIn(
    words.map((text, index) => {
      return { at: `2026-03-01T10:00:0${index}.000Z`, kind: 'request.answered', words: text };
    }),
  );
}

function textsIn(entries: readonly Partial<TimelineEntry>[], requests: readonly Partial<RequestView>[] = []): string[] {
  const timelines = [{ record: { id: 'payment-1' }, entries }] as unknown as TimelineView[];
  const order = { amount: '10.00', currency: 'USD', channel: 'mobile-money' };
  const records = { payments: [], deliveries: [], requests: requests as RequestView[], timelines };
  const observation: Observation = { ...NOTHING_SEEN, order, orderId: '1', ...records };
  return storyOf(observation, 'shop')
    .slice(1)
    .map(({ text }) => text);
}

it('repeated steps are merged', () => {
  expect(textsOf('a', 'b', 'b', 'b', 'a')).toEqual(['sends a', 'sends b, 3 times', 'sends a']);
});

it('repeated pairs of steps are merged', () => {
  expect(textsOf('a', 'b', 'c', 'b', 'c', 'b', 'c', 'd')).toEqual([
    'sends a',
    'sends b',
    'sends c; both 3 times',
    'sends d',
  ]);
});

it('steps with the same time are in the order of the calls of the shop', () => {
  const at = '2026-03-01T10:00:00.000Z';
  const call = (id: string, path: string): Partial<RequestView> => ({
    id,
    at,
    operation: path,
    method: 'POST',
    path: `/${path}`,
    reference: null,
    fault: null,
    findings: [],
    answer: { status: 200, headers: {}, body: '' },
  });
  const entries = [
    { at, kind: 'request.answered', words: 'the payment request', requestId: 'request-2' },
    { at, kind: 'payment.created', title: 'Created', words: '' },
  ];
  const requests = [call('request-1', 'first'), call('request-2', 'pay'), call('request-3', 'last')];
  const texts = textsIn(entries, requests).map((text) => /first|payment request|Created|last/.exec(text)?.[0]);
  expect(texts).toEqual(['first', 'payment request', 'Created', 'last']);
});
