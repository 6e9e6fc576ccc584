import * as fc from 'fast-check';
import { validate } from '../../../src/base/schema/validation.ts';
import { idOf, MAX_RECORD_NUMBER, numberIn } from '../../../src/server/store/record-numbers.ts';
import { recordSchemas } from '../../../src/server/store/record-schemas.ts';
import type { DueCollection } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';

const COLLECTIONS: DueCollection[] = ['payments', 'payouts', 'settlements', 'recurringPayments', 'deliveries'];

/** Ends of ids: numbers, and texts that resemble numbers. */
const anyEnd = fc.oneof(
  fc.integer({ min: -1, max: 1_000_000_001 }).map(String),
  fc.constantFrom('', '0', '01', '1e3', '1.0', '+1', '0x1', '1 ', ' 1', '1\n', '١', '999999999', '1000000000'),
);
const anyPrefix = fc.constantFrom('', 'payment-', 'payout-', 'settlement-', 'delivery-', 'payment', 'Payment-');

it('a counter of a state cannot exceed the largest number that fits into an id', async () => {
  const isRefused = async (last: number) => {
    const findings = await validate('records/session-state', { counters: { payment: last } });
    return findings.some(({ path }) => path === '$.counters.payment');
  };
  expect(await Promise.all([0, MAX_RECORD_NUMBER, MAX_RECORD_NUMBER + 1].map(isRefused))).toEqual([false, false, true]);
  for (const collection of COLLECTIONS) {
    expect(numberIn(collection, idOf(collection, MAX_RECORD_NUMBER))).toBe(MAX_RECORD_NUMBER);
    expect(() => numberIn(collection, idOf(collection, MAX_RECORD_NUMBER + 1))).toThrow('cannot have the id');
  }
});

describe.each(COLLECTIONS)('the number in an id of %s', (collection) => {
  it('is the number from which the id was created', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
        expect(numberIn(collection, idOf(collection, number))).toBe(number);
      }),
      { numRuns: cases(100) },
    );
  });

  it('exists if, and only if, the schema accepts the id', async () => {
    await fc.assert(
      fc.asyncProperty(anyPrefix, anyEnd, async (prefix, end) => {
        const id = prefix + end;
        const findings = await validate(recordSchemas()[collection], { id });
        const isValid = !findings.some(({ path }) => path === '$.id');
        const read = () => numberIn(collection, id);
        if (isValid) {
          expect(idOf(collection, read())).toBe(id);
        } else {
          expect(read).toThrow(`a record of ${collection} cannot have the id ${id}`);
        }
      }),
      { numRuns: cases(100) },
    );
  });
});
