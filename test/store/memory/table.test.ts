import * as fc from 'fast-check';
import { hashOf } from '../../../src/base/hash-table.ts';
import { Table } from '../../../src/store/memory/table.ts';
import { cases } from '../../cases.ts';
import { payment } from '../samples.ts';

// Texts of the same hash.
const [ONE, OTHER] = ['costarring', 'liquid'] as const;

function tableWith(...records: ReturnType<typeof payment>[]): Table {
  const table = new Table({ indexes: ['paymentId'], counted: [] });
  for (const record of records) {
    table.put(record.id, record, JSON.stringify(record));
  }
  return table;
}

it('tells records apart whose ids have the same hash', () => {
  expect(hashOf(ONE)).toBe(hashOf(OTHER));
  const [one, other] = [payment(ONE, { dueAt: 1 }), payment(OTHER, { dueAt: 2 })];
  const table = tableWith(one);
  expect(table.get(OTHER)).toBeUndefined();
  expect(table.add(OTHER, other, JSON.stringify(other))).toBe(true);
  expect(table.add(ONE, one, JSON.stringify(one))).toBe(false);
  expect([table.get(ONE), table.get(OTHER)]).toEqual([one, other]);
  expect(table.due()).toEqual([
    { id: ONE, dueAt: 1 },
    { id: OTHER, dueAt: 2 },
  ]);
  table.remove(ONE);
  expect([table.get(ONE), table.get(OTHER)]).toEqual([undefined, other]);
  table.remove(OTHER);
  expect(table.get(OTHER)).toBeUndefined();
});

it('finds by a value those that have it, and not those whose value has the same hash', () => {
  const [first, second, third] = [ONE, OTHER, ONE].map((paymentId, index) =>
    payment(`payment-${index}`, { paymentId }),
  );
  const table = tableWith(...[first, second, third].flatMap((record) => record ?? []));
  expect(table.find('paymentId', ONE)).toEqual([first, third]);
  expect(table.find('paymentId', OTHER)).toEqual([second]);
  table.remove('payment-0');
  table.remove('payment-1');
  expect(table.find('paymentId', ONE)).toEqual([third]);
  expect(table.find('paymentId', OTHER)).toEqual([]);
});

it('knows every record by its id, whatever the ids end in and wherever the numbers begin', () => {
  const anyId = fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((number) => `delivery-${number}`),
    fc.constantFrom('12', 'delivery-07', 'delivery-99999999999999999999', 'delivery-', '', ONE, OTHER),
  );
  const anyStep = fc.tuple(anyId, fc.constantFrom('put', 'put', 'remove', 'undo'));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.array(anyStep, { maxLength: 60 }), (first, steps) => {
      const table = tableWith();
      const model = new Map<string, ReturnType<typeof payment>>();
      const ids = new Set(steps.map(([id]) => id));
      for (const [step, [id, what]] of [[`delivery-${first}`, 'put'] as const, ...steps].entries()) {
        const record = payment(id, { amount: step });
        const before = table.placeOf(id);
        if (what === 'remove') {
          table.remove(id);
          model.delete(id);
        } else {
          table.put(id, record, JSON.stringify(record));
          if (what === 'undo') {
            table.putBack(id, before);
          } else {
            model.set(id, record);
          }
        }
        for (const each of ids) {
          expect(table.get(each)).toEqual(model.get(each));
        }
      }
    }),
    { numRuns: cases(150) },
  );
});
