import { Comparison } from '../../../src/recordings/drift/comparison.ts';
import { NOISE } from '../../../src/recordings/drift/noise.ts';
import { NoiseFilter } from '../../../src/recordings/drift/noise-rules.ts';
import { usedBytes } from '../../used-bytes.ts';
import { answered } from './compared.ts';

test('100,000 exchanges take hardly more memory than 10,000', () => {
  const comparison = new Comparison(new NoiseFilter(NOISE));
  const [few, many] = [10_000, 100_000];
  let before = 0;
  for (let count = 0; count < many; count += 1) {
    // Ever new values, and now and then a member that was never seen.
    const more = (side: string) => (count < few || count % 100 === 0 ? { [`${side}-${count}`]: count } : {});
    const exchange = answered({ code: `A${count}000000`, ...more('recorded') });
    const replayed = answered({ code: `B${count}000000`, ...more('sandbox') });
    const kind = { operation: 'listBanks', channel: null, environment: 'production' as const };
    comparison.call({ recorded: { exchange, file: 'a.jsonl', line: count }, replayed, ...kind });
    if (count === few) {
      before = usedBytes();
    }
  }
  expect(usedBytes() - before).toBeLessThan(2_000_000);
  const { compared, differences, notCompared } = comparison.end({ recorded: 0, sandbox: 0 });
  expect(compared.exchanges).toBe(many);
  expect(differences.length).toBeLessThan(6000);
  expect(notCompared.map(({ reason }) => reason)).toEqual(['members with more names than can be told apart']);
}, 60_000);
