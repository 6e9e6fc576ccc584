import fc from 'fast-check';
import { Volume } from '../../../src/server/control-api/volume.ts';
import { cases } from '../../cases.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
/** The last instant whose year has four digits. */
const LAST = 253_402_300_799_999;
const CHANNELS = ['qr-wallet', 'card-switch', 'of-ones-own'];

const payments = fc.array(
  fc.record({
    createdAt: fc.oneof(
      fc.integer({ min: START, max: START + 100_000 }),
      fc.integer({ min: START, max: START + 10 ** 9 }),
      fc.integer({ min: 0, max: LAST }),
    ),
    channel: fc.constantFrom(...CHANNELS),
  }),
  { maxLength: 200 },
);

function volumeOf(created: readonly { createdAt: number; channel: string }[]) {
  const volume = new Volume();
  for (const payment of created) {
    volume.add(payment);
  }
  const { seconds, intervals } = volume;
  return { seconds, intervals };
}

describe('the volume over time', () => {
  it('counts each payment in one of at most 48 intervals, in any order of counting', () => {
    fc.assert(
      fc.property(payments, (created) => {
        const { seconds, intervals } = volumeOf(created);
        for (const channel of CHANNELS) {
          for (const { at, channels } of intervals) {
            const inInterval = created.filter((each) => each.createdAt >= at && each.createdAt < at + seconds * 1000);
            expect(channels.get(channel) ?? 0).toBe(inInterval.filter((each) => each.channel === channel).length);
          }
        }
        const counted = intervals.flatMap(({ channels }) => [...channels.values()]);
        expect(counted.reduce((sum, count) => sum + count, 0)).toBe(created.length);
        const [first, last] = [intervals[0]?.at ?? 0, intervals.at(-1)?.at ?? 0];
        expect((last - first) / seconds / 1000).toBeLessThan(48);
        const newestFirst = created.toSorted((one, other) => other.createdAt - one.createdAt);
        const sorted = volumeOf(newestFirst);
        expect(sorted.seconds).toBe(seconds);
        expect(sorted.intervals.map(({ at, channels }) => [at, new Set(channels)])).toEqual(
          intervals.map(({ at, channels }) => [at, new Set(channels)]),
        );
      }),
      { numRuns: cases(100) },
    );
  });

  it.each([
    [0, 1],
    [47, 1],
    [48, 5],
    [3600, 300],
    [30 * 86_400, 86_400],
  ])('counts payments over %d seconds in intervals of %d seconds', (span, seconds) => {
    const created = [0, span].map((after) => ({ createdAt: START + after * 1000, channel: 'qr-wallet' }));
    expect(volumeOf(created).seconds).toBe(seconds);
  });
});
