import { EarlierOrders } from '../../../src/examine/observation/earlier-orders.ts';
import type { Observation } from '../../../src/examine/observation/observation.ts';

function recordsOf(
  ...payments: [reference: string, amount: string][]
): Pick<Observation, 'payments' | 'deliveries' | 'requests'> {
  const of = (values: object[]) => values as unknown as never[];
  return {
    payments: of(payments.map(([payerReference, amount]) => ({ id: `of ${payerReference}`, payerReference, amount }))),
    deliveries: of(payments.map(([reference]) => ({ subjectId: `of ${reference}` }))),
    requests: of(payments.map(([reference]) => ({ operation: 'initiatePayment', reference }))),
  };
}

const earlier = new EarlierOrders();
earlier.add(recordsOf(['ORDER-1', '10.00']), { amount: '10.00' });
earlier.startCase();

it('a late call for an earlier order does not count', () => {
  expect(earlier.without(recordsOf(['ORDER-1', '10.00'], ['ORDER-2', '10.00']), { amount: '10.00' })).toEqual(
    recordsOf(['ORDER-2', '10.00']),
  );
  expect(earlier.without(recordsOf(['ORDER-1', '10.00']), { amount: '20.00' })).toEqual(recordsOf());
});

it('a shop may use a reference again, as after a reset', () => {
  const again = recordsOf(['ORDER-1', '20.00']);
  expect(earlier.without(again, { amount: '20.00' })).toEqual(again);
});

it('calls for earlier orders do not count beside the order of the current case', () => {
  const orders = new EarlierOrders();
  orders.add(recordsOf(['ORDER-1', '10.00']), { amount: '10.00' });
  orders.startCase();
  orders.add(recordsOf(['ORDER-2', '10.00']), { amount: '10.00' });
  const both = recordsOf(['ORDER-1', '10.00'], ['ORDER-2', '10.00']);
  expect(orders.without(both, { amount: '10.00' })).toEqual(recordsOf(['ORDER-2', '10.00']));
  expect(orders.references).toEqual(['ORDER-1', 'ORDER-2']);
});

it('a payment of an earlier order that is requested only now does not count', () => {
  const orders = new EarlierOrders();
  orders.startCase();
  orders.add(recordsOf(), { amount: '64.95' });
  orders.startCase();
  const own = ['ORDER-2', '39.70'] as const;
  expect(orders.without(recordsOf(['ORDER-1', '64.95'], [...own]), { amount: own[1] })).toEqual(recordsOf([...own]));
  const rounded = recordsOf([own[0], '40.00']);
  expect(orders.without(rounded, { amount: own[1] })).toEqual(rounded);
});

it('only the last 500 references of earlier orders are listed, because they are part of a scenario', () => {
  const orders = new EarlierOrders();
  const all = Array.from({ length: 501 }, (_, index): [string, string] => [`ORDER-${index}`, '10.00']);
  orders.add(recordsOf(...all), { amount: '10.00' });
  expect(orders.references).toHaveLength(500);
  expect(orders.references.at(-1)).toBe('ORDER-500');
});
