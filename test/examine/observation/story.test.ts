import type { TimelineEntry, TimelineView } from '../../../src/base/schema/generated/control.ts';
import type { Observation } from '../../../src/examine/observation/observation.ts';
import { storyOf } from '../../../src/examine/observation/story.ts';

/** A story of entries by their words. */
function textsOf(...words: string[]): string[] {
  const entries = words.map((text, place): Partial<TimelineEntry> => {
    return { at: `2026-03-01T10:00:0${place}.000Z`, kind: 'request.answered', words: text };
  });
  const timelines = [{ record: { id: 'payment-1' }, entries }] as unknown as TimelineView[];
  const order = { amount: '10.00', currency: 'USD', channel: 'mobile-money' };
  const unseen = {
    refused: undefined,
    before: undefined,
    cancelled: undefined,
    after: undefined,
    reconciled: undefined,
  };
  const records = { payments: [], deliveries: [], requests: [], timelines };
  const observation: Observation = { order, orderId: '1', deeds: [], ...unseen, ...records };
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
