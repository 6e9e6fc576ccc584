import { crc32 } from 'node:zlib';
import { DIGEST_BEGIN, slicesOf } from '../../../../src/server/store/file/state-text.ts';
import { payment, state } from '../samples.ts';

const SLICE_LENGTH = 262_144;

describe('the text of a state', () => {
  const records = Array.from({ length: 10 }, (_, index) =>
    payment(`payment-${index}`, { payerName: 'ä'.repeat(90_000) }),
  );
  const sessions = [{ name: 'shop', state: state(), collections: [{ name: 'payments' as const, records }] }];
  const slices = [...slicesOf({ lastCommit: 7, sessions, journal: 'none', isUnchanged: true }, 'state.json')];
  const text = Buffer.concat(slices).toString();

  it('contains the records of all slices, and the digest of the text before the digest', () => {
    const digested = text.slice(0, text.indexOf(DIGEST_BEGIN));
    expect(JSON.parse(text)).toEqual({
      $schema: 'state.json',
      format: expect.any(Number),
      lastCommit: 7,
      sessions: [{ name: 'shop', state: state(), payments: records }],
      digest: crc32(digested).toString(16).padStart(8, '0'),
      journal: 'none',
    });
  });

  it('consists of slices, each of which ends with the line that reaches the slice length', () => {
    const lengths = slices.map((slice) => slice.toString().length);
    const longestLine = Math.max(...text.split('\n').map((line) => line.length + 1));
    expect(lengths).toHaveLength(4);
    for (const length of lengths.slice(0, -1)) {
      expect(length).toBeGreaterThanOrEqual(SLICE_LENGTH);
      expect(length).toBeLessThan(SLICE_LENGTH + longestLine);
    }
  });
});
