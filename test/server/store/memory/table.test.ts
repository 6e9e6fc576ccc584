import * as fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { Table } from '../../../../src/server/store/memory/table.ts';
import { cases } from '../../../cases.ts';
import { payment } from '../samples.ts';

function tableWith(...records: Payment[]): Table<Payment> {
  const table = new Table<Payment>({ indexes: ['paymentId'], counted: [] });
  for (const record of records) {
    table.put(record.id, record);
  }
  return table;
}

it('a table finds all records with a value, oldest first, while records change and are removed', () => {
  const anyStep = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('one', 'two', null, 'removed'));
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const table = tableWith(...[1, 2, 3, 4, 5, 6].map((number) => payment(`payment-${number}`)));
      const model = new Map([1, 2, 3, 4, 5, 6].map((number) => [`payment-${number}`, payment(`payment-${number}`)]));
      for (const [number, value] of steps) {
        const id = `payment-${number}`;
        if (value === 'removed') {
          table.put(id, null);
          model.delete(id);
        } else {
          const record = payment(id, { paymentId: value });
          table.put(id, record);
          model.set(id, record);
        }
        for (const each of ['one', 'two']) {
          const all = [...model.values()].filter((one) => one.paymentId === each);
          expect(table.find('paymentId', each)).toEqual(all);
          expect(table.find('paymentId', each, { newest: 2 })).toEqual(all.slice(-2));
          for (const [index, { id: from }] of all.entries()) {
            expect(table.find('paymentId', each, { from })).toEqual(all.slice(index));
          }
        }
      }
    }),
    { numRuns: cases(150) },
  );
});

it('a table finds every record by its id, after any insertions, removals and undos', () => {
  const anyId = fc.constantFrom('delivery-1', 'delivery-2', '12', '', 'constructor');
  const anyStep = fc.tuple(anyId, fc.constantFrom('put', 'put', 'remove', 'undo'));
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const table = tableWith();
      const model = new Map<string, Payment>();
      for (const [step, [id, action]] of steps.entries()) {
        const record = payment(id, { amount: step });
        if (action === 'remove') {
          table.put(id, null);
          model.delete(id);
        } else {
          const undo = table.put(id, record);
          if (action === 'undo') {
            undo();
          } else {
            model.set(id, record);
          }
        }
        expect(table.all()).toEqual([...model.values()]);
        for (const [each] of steps) {
          expect(table.get(each)).toEqual(model.get(each));
        }
      }
    }),
    { numRuns: cases(150) },
  );
});
