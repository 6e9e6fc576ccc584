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
  // Paid twice after the refund.
  ['paid', '118.50', false],
  ['paid', '0.00', true],
  ['refunded', '59.25', true],
])(
  'a refunded order with the state %s and the paid amount %s reflects the refund: %s',
  (state, paidAmount, expected) => {
    expect(invariantOf('I8').judge(REFUNDED, { state, paidAmount, fulfilments: 1 }, WORDS)).toBe(expected);
  },
);
