import type { InvariantId } from '../verdicts/invariant.ts';
import { next, type SeveralOrders, type Situation } from './situation.ts';
import { wasCalled } from './struck.ts';

/** More than the usual page of a list. */
const MANY = 25;
const ALL_PAID: Pick<SeveralOrders, 'outcomes' | 'haveOwnPayers'> = {
  outcomes: Array.from({ length: MANY }, () => 'Paid'),
  haveOwnPayers: true,
};
const UNNOTIFIED = { payment: { webhook: { mode: 'dropped' } }, needs: 'reconcile' } as const;

function several(
  id: string,
  title: string,
  orders: SeveralOrders,
  invariants: readonly InvariantId[],
  more: Pick<Situation, 'payment' | 'needs'> = {},
): Situation {
  return { id, kind: 'alone', title, orders, invariants, struck: wasCalled, ...more };
}

/** Situations that are tried only by themselves, because they are about more than one payment of one order. */
const ALL: readonly Situation[] = [
  {
    id: 'nothing-else',
    kind: 'alone',
    title: 'the shop has only this order',
    invariants: [],
    struck: wasCalled,
  },
  several(
    'equal-orders-at-once',
    'two equal orders of one customer are placed at the same moment, and both are paid',
    { outcomes: ['Paid', 'Paid'], areAtOnce: true },
    ['I16', 'I4', 'I2'],
  ),
  several(
    'equal-order-first-paid',
    'of two equal orders of one customer, the first is paid, and then the second one fails',
    { outcomes: ['Paid', 'Failed'] },
    ['I1', 'I4', 'I11', 'I16'],
  ),
  several(
    'equal-order-last-paid',
    'of two equal orders of one customer, the second is paid, and then the first one fails',
    { outcomes: ['Failed', 'Paid'] },
    ['I1', 'I4', 'I11', 'I16'],
  ),
  several('many-open', `${MANY} orders are paid, and no notification arrives`, ALL_PAID, ['I4', 'I2'], UNNOTIFIED),
  several(
    'many-open-one-unknown',
    `${MANY} orders are paid, no notification arrives, and each status query of one of them fails`,
    { ...ALL_PAID, unknown: Math.floor(MANY / 2) },
    ['I4', 'I2'],
    UNNOTIFIED,
  ),
];

export const ALONE = ALL.map(next);
