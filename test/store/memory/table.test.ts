import { hashOf } from '../../../src/store/memory/hash-table.ts';
import { Table } from '../../../src/store/memory/table.ts';
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
