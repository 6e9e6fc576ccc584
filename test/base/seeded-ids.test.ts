import fc from 'fast-check';
import { SeededIds } from '../../src/base/seeded-ids.ts';
import { cases } from '../cases.ts';

describe('ids from a seed', () => {
  // Because one version may read a state file that another version wrote.
  it('are the same in every version', () => {
    const ids = new SeededIds('a seed', 0);
    expect([ids.text(24), ids.digits(9), ids.upperHex(32)]).toEqual([
      'q3Atbh49xf3RUNHkV2sJxUQh',
      '775058477',
      'CEA06EBFDE2390B94D76E977E17F7029',
    ]);
    expect([...ids.bytes(5)]).toEqual([232, 223, 30, 149, 216]);
    expect([ids.chance(), ids.chance()]).toEqual([0.06430318509228528, 0.8763718812260777]);
    expect(ids.rngPosition).toBe(26);
    expect(new SeededIds('', 4_000_000_000).chance()).toBe(0.6645503651816398);
  });

  it('continue from any position as if there had been no interruption', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (seed, before) => {
        const ids = new SeededIds(seed, 0);
        const drawn = Array.from({ length: before + 1 }, () => ids.chance());
        expect(new SeededIds(seed, before).chance()).toBe(drawn[before]);
        ids.rewind(before);
        expect([ids.rngPosition, ids.chance()]).toEqual([before, drawn[before]]);
      }),
      { numRuns: cases(100) },
    );
  });

  it('repeat after 2³² draws, from any stored position on', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 2 ** 32 - 1 }), fc.nat({ max: 2 ** 20 - 1 }), (seed, position, rounds) => {
        const distant = new SeededIds(seed, position + rounds * 2 ** 32);
        expect(distant.chance()).toBe(new SeededIds(seed, position).chance());
        expect(distant.rngPosition).toBe((position + 1) % 2 ** 32);
      }),
      { numRuns: cases(100) },
    );
  });

  it('have the requested length and alphabet', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
        const ids = new SeededIds(seed, 0);
        expect(ids.digits(size)).toMatch(new RegExp(`^[0-9]{${size}}$`));
        expect(ids.upperHex(size)).toMatch(new RegExp(`^[0-9A-F]{${size}}$`));
        expect(ids.text(size)).toMatch(new RegExp(`^[0-9A-Za-z]{${size}}$`));
        expect(ids.bytes(size)).toHaveLength(size);
      }),
      { numRuns: cases(100) },
    );
  });
});
