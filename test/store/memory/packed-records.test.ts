import * as fc from 'fast-check';
import { PackedRecords } from '../../../src/store/memory/packed-records.ts';
import { cases } from '../../cases.ts';
import { payment } from '../samples.ts';

function textOf(ordinal: number, length: number): string {
  return JSON.stringify(payment(`payment-${ordinal}`, { description: 'é'.repeat(length) }));
}

/** What the list should hold: the texts by ordinal. */
type Model = (string | undefined)[];

function expectSame(records: PackedRecords, model: Model): void {
  expect(records.length).toBe(model.length);
  for (const [ordinal, text] of model.entries()) {
    expect(records.has(ordinal)).toBe(text !== undefined);
    expect(records.bytesOf(ordinal)?.toString()).toBe(text);
    expect(records.get(ordinal)).toEqual(text && JSON.parse(text));
  }
}

const anyStep = fc.record({ ordinal: fc.nat(12), length: fc.nat(2000), kind: fc.constantFrom('put', 'put', 'remove') });

it('holds what was put last, however often texts of any length take the place of others', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      const records = new PackedRecords();
      const model: Model = [];
      for (const { kind, ordinal: wanted, length } of steps) {
        const ordinal = Math.min(wanted, model.length);
        if (kind === 'put') {
          model[ordinal] = textOf(ordinal, length);
          records.put(ordinal, textOf(ordinal, length));
          // What was read before must not be read again.
          expect(records.get(ordinal)).toEqual(JSON.parse(textOf(ordinal, length)));
        } else if (ordinal < model.length) {
          model[ordinal] = undefined;
          records.remove(ordinal);
        }
      }
      expectSame(records, model);
    }),
    { numRuns: cases(200) },
  );
});

it('shows what was captured, whatever is put, moved and removed later', () => {
  const records = new PackedRecords();
  const before = Array.from({ length: 40 }, (_, ordinal) => textOf(ordinal, ordinal));
  for (const [ordinal, text] of before.entries()) {
    records.put(ordinal, text);
  }
  const captured = records.capture(0);
  for (let round = 0; round < 20; round += 1) {
    for (let ordinal = round % 2; ordinal < 40; ordinal += 2) {
      records.put(ordinal, textOf(ordinal, 100 * round));
    }
  }
  records.remove(7);
  expect([...captured].map(String)).toEqual(before);
  expect([...records.capture(8)]).toHaveLength(32);
});

it('hands out bytes that stay as they are when their record is put anew', () => {
  const records = new PackedRecords();
  records.put(0, textOf(0, 3));
  const bytes = records.bytesOf(0);
  for (let round = 0; round < 100; round += 1) {
    records.put(0, textOf(0, 500));
  }
  expect(bytes?.toString()).toBe(textOf(0, 3));
});

it('gives up the blocks of texts that do not count any more, and keeps those that do', () => {
  const records = new PackedRecords();
  records.put(0, textOf(0, 1));
  let longest = 0;
  for (let round = 0; round < 5000; round += 1) {
    records.put(1, textOf(1, round % 400));
    longest = Math.max(longest, records.bytes);
  }
  expect(longest).toBeLessThan(8192);
  expectSame(records, [textOf(0, 1), textOf(1, 4999 % 400)]);
});
