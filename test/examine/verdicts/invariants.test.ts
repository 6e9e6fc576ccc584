import type { Observation } from '../../../src/examine/observation/observation.ts';
import { invariantOf } from '../../../src/examine/verdicts/invariants.ts';

const WORDS = { open: new Set(['open']), paid: new Set(['paid']), givenUp: new Set(['failed']) };
const REFUNDED = {
  payments: [],
  requests: [],
  order: { amount: '59.25' },
  actions: ['refund'],
} as unknown as Observation;

it.each([
  ['paid', '59.25', false],
  // The shop added the refund to the paid amount.
  ['paid', '118.50', false],
  ['paid', '0.00', true],
  ['refunded', '59.25', true],
])(
  'a refunded order with the state %s and the paid amount %s reflects the refund: %s',
  (state, paidAmount, expected) => {
    expect(invariantOf('I8').judge(REFUNDED, { state, paidAmount, fulfilments: 1 }, WORDS)).toBe(expected);
  },
);

it.each([
  [1, '20.00', false],
  [2, '20.00', true],
  [2, '10.00', true],
])('with %i paid payments of 10.00, a paid amount of %s matches the order: %s', (count, paidAmount, expected) => {
  const payment = { amount: '10.00', currency: 'USD', state: 'Paid', history: [{ to: 'Paid' }] };
  const observation = {
    payments: Array.from({ length: count }, () => payment),
    requests: [],
    order: { amount: '10.00', currency: 'USD' },
    actions: [],
  } as unknown as Observation;
  const state = { state: 'paid', paidAmount, fulfilments: 1 };
  expect(invariantOf('I5').judge(observation, state, WORDS)).toBe(expected);
});
