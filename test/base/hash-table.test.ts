import * as fc from 'fast-check';
import { HashTable } from '../../src/base/hash-table.ts';
import { cases } from '../cases.ts';

// Few, so that they meet; some of them have the same home, and some of those have it at the end.
const anyHash = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(7, 15, 1031, -1017, -1, -1025, 2 ** 31 - 1),
);
const anyStep = fc.record({ hash: anyHash, number: fc.option(fc.nat(2 ** 31 - 2), { freq: 2 }) });

it('knows what a Map would, whatever is set and deleted', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const table = new HashTable();
      const model = new Map<number, number>();
      for (const { hash, number } of steps) {
        if (number === null) {
          table.delete(hash);
          model.delete(hash);
        } else {
          table.set(hash, number);
          model.set(hash, number);
        }
      }
      for (const { hash } of steps) {
        expect(table.get(hash)).toBe(model.get(hash));
      }
    }),
    { numRuns: cases(1000) },
  );
});

it('grows with what it keeps', () => {
  const table = new HashTable();
  for (let number = 0; number < 10_000; number += 1) {
    table.set(number * 64, number);
  }
  for (let number = 0; number < 10_000; number += 1) {
    expect(table.get(number * 64)).toBe(number);
  }
  expect(table.get(1)).toBeUndefined();
});
