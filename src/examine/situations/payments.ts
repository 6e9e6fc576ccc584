import type { InvariantId } from '../verdicts/invariants.ts';
import { FIRST_OUTCOME_AFTER, type Rule, type Situation } from './situation.ts';
import { adjusted, did, ended, isSentAgain, wasCalled } from './struck.ts';

function outcome(
  id: string,
  title: string,
  payment: Rule,
  invariants: readonly InvariantId[],
  struck: Situation['struck'],
): Situation {
  return { id, kind: 'outcome', title, payment, invariants, struck };
}

const PAID_AFTER_FAILURE = {
  settle: { outcome: 'Failed', after: FIRST_OUTCOME_AFTER },
  lateOutcome: { outcome: 'Paid', after: 'PT1H' },
};

/** Situations of a payment and its order. */
export const PAYMENTS: readonly Situation[] = [
  {
    id: 'shop-does-nothing',
    kind: 'while-undecided',
    title: 'the shop does nothing',
    invariants: [],
    struck: wasCalled,
  },
  {
    id: 'shop-restarted',
    kind: 'while-undecided',
    title: 'the shop restarts before the payer decides',
    deed: 'restart',
    invariants: ['I4', 'I2', 'I1'],
    struck: did('restart'),
  },
  {
    id: 'order-cancelled',
    kind: 'while-undecided',
    title: 'the customer cancels the order in the shop but pays anyway',
    deed: 'cancel',
    invariants: ['I12', 'I2'],
    struck: did('cancel'),
  },
  outcome(
    'paid',
    'the payer pays',
    { settle: { outcome: 'Paid', after: FIRST_OUTCOME_AFTER } },
    ['I4', 'I1', 'I2', 'I5'],
    ended('Paid'),
  ),
  outcome(
    'failed',
    'the payment fails',
    { settle: { outcome: 'Failed', after: FIRST_OUTCOME_AFTER } },
    ['I11', 'I1'],
    ended('Failed'),
  ),
  outcome(
    'cancelled',
    'the payer cancels',
    { settle: { outcome: 'Cancelled', after: FIRST_OUTCOME_AFTER } },
    ['I11', 'I1'],
    ended('Cancelled'),
  ),
  outcome(
    'expired',
    'the payer does nothing, and the payment expires',
    { settle: { outcome: 'Expired', after: 'PT15M' } },
    ['I11', 'I1'],
    ended('Expired'),
  ),
  outcome(
    'paid-after-failure',
    'the payment fails, then succeeds an hour later',
    PAID_AFTER_FAILURE,
    ['I12', 'I2'],
    ended('Paid'),
  ),
  outcome(
    'paid-after-expiry',
    'the payment expires, then succeeds an hour later',
    { settle: { outcome: 'Expired', after: 'PT15M' }, lateOutcome: { outcome: 'Paid', after: 'PT1H' } },
    ['I12', 'I2'],
    ended('Paid'),
  ),
  {
    id: 'nothing-more',
    kind: 'afterwards',
    title: 'nothing happens after the payment',
    invariants: [],
    struck: wasCalled,
  },
  {
    id: 'first-again',
    kind: 'afterwards',
    title: 'the first notification arrives again at the end',
    sendsFirstAgain: true,
    invariants: ['I2'],
    struck: isSentAgain,
  },
  {
    id: 'older-again',
    kind: 'afterwards',
    title: 'an earlier failure is notified again after the payment has succeeded',
    payment: PAID_AFTER_FAILURE,
    sendsFirstAgain: true,
    invariants: ['I6', 'I2', 'I12'],
    struck: isSentAgain,
  },
  {
    id: 'refunded',
    kind: 'afterwards',
    title: 'the payment is refunded in full a day later',
    payment: { adjustments: { kind: 'refund', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
  {
    id: 'reversed',
    kind: 'afterwards',
    title: 'the payment is reversed a day later',
    payment: { adjustments: { kind: 'reversal', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
  {
    id: 'charged-back',
    kind: 'afterwards',
    title: 'the payment is charged back a day later',
    payment: { adjustments: { kind: 'chargeback', after: 'P1D' } },
    invariants: ['I8', 'I2'],
    struck: adjusted,
  },
  {
    id: 'shop-refunded',
    kind: 'afterwards',
    title: 'the shop refunds the payment, and the first notification arrives again',
    deed: 'refund',
    sendsFirstAgain: true,
    invariants: ['I8', 'I2'],
    struck: did('refund'),
  },
];
