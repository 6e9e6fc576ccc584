import { EarlierOrders } from '../../../src/examine/observation/earlier-orders.ts';
import type { Observation } from '../../../src/examine/observation/observation.ts';

/** The records of payments by their references and amounts. */
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
earlier.add(recordsOf(['ORDER-1', '10.00']));

it('a late call of an earlier order does not count', () => {
  expect(earlier.without(recordsOf(['ORDER-1', '10.00'], ['ORDER-2', '10.00']), { amount: '10.00' })).toEqual(
    recordsOf(['ORDER-2', '10.00']),
  );
  expect(earlier.without(recordsOf(['ORDER-1', '10.00']), { amount: '20.00' })).toEqual(recordsOf());
});

it('a shop may use a reference again, as after a reset', () => {
  const again = recordsOf(['ORDER-1', '20.00']);
  expect(earlier.without(again, { amount: '20.00' })).toEqual(again);
});
