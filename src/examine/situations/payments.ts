import type { InvariantId } from '../verdicts/invariant.ts';
import { hasDone, hasReached, wasAdjusted, wasOvertaken, wasSentAgain, withoutFault } from './occurrence.ts';
import { FIRST_OUTCOME_AFTER, inNextRequirements, type RuleMembers, type Situation } from './situation.ts';

function outcome(
  id: string,
  title: string,
  payment: RuleMembers,
  invariants: readonly InvariantId[],
  state: string,
): Situation {
  return { id, kind: 'outcome', title, payment, invariants, hasOccurred: hasReached(state) };
}

const settle = (outcome: string, after = FIRST_OUTCOME_AFTER) => ({ settle: { outcome, after } });
const EXPIRED = settle('Expired', 'PT15M');
const PAID_AFTER_FAILURE = {
  ...settle('Failed'),
  lateOutcome: { outcome: 'Paid', after: 'PT1H' },
};

/** Less than any random amount of an order; as a floating-point number, it is less than 115 cents. */
const PARTIAL_AMOUNT = '1.15';
const REFUND = { kind: 'refund', after: 'P1D' };
const PARTIAL_REFUND = { ...REFUND, amount: PARTIAL_AMOUNT };
const CHARGEBACK = { kind: 'chargeback', after: 'P1D' };
const REVERSAL = { kind: 'reversal', after: 'P1D' };
/** The invariants that a change of a paid payment can break. */
const IF_CHANGED = ['I8', 'I2'] as const;
const DROPPED = { mode: 'dropped' };

function afterwards(
  id: string,
  title: string,
  payment: RuleMembers,
  invariants: readonly InvariantId[],
  hasOccurred: Situation['hasOccurred'] = wasAdjusted(),
  members: Pick<Situation, 'resends' | 'isOnlyNotified' | 'action' | 'forges'> = {},
): Situation {
  return { id, kind: 'afterwards', title, payment, invariants, hasOccurred, ...members };
}

/** Not in the requirements of 2026-12. */
const LATER_CHANGES: readonly Situation[] = [
  afterwards(
    'late-failure',
    'the payment succeeds, then fails an hour later',
    { lateOutcome: { outcome: 'Failed', after: 'PT1H' } },
    IF_CHANGED,
  ),
  afterwards(
    'older-first-time',
    'the first notification of a failure arrives after the later success',
    { ...PAID_AFTER_FAILURE, webhook: DROPPED },
    ['I6', 'I12', 'I2'],
    wasOvertaken,
    { resends: 'all, the latest first' },
  ),
  afterwards(
    'paid-after-refund',
    'the first notification of the payment arrives after its refund',
    { adjustments: REFUND, webhook: DROPPED },
    IF_CHANGED,
    wasOvertaken,
    { resends: 'all, the latest first' },
  ),
  afterwards(
    'refunded-first-again',
    'the payment is refunded in full, and the first notification arrives again',
    { adjustments: REFUND },
    IF_CHANGED,
    wasSentAgain,
    { resends: 'first' },
  ),
  afterwards(
    'partly-refunded',
    'a part of the payment is refunded a day later',
    { adjustments: PARTIAL_REFUND },
    ['I13', 'I2'],
    wasAdjusted(),
    { isOnlyNotified: true },
  ),
  afterwards(
    'partly-refunded-again',
    'a part of the payment is refunded, and its notification arrives again',
    { adjustments: PARTIAL_REFUND },
    ['I13', 'I2'],
    wasSentAgain,
    { resends: 'second' },
  ),
  afterwards(
    'partly-refunded-twice',
    'two equal parts of the payment are refunded on two days',
    { adjustments: [PARTIAL_REFUND, { ...PARTIAL_REFUND, after: 'P2D' }] },
    ['I13', 'I2'],
    wasAdjusted(2),
    { isOnlyNotified: true },
  ),
  afterwards(
    'partly-charged-back',
    'a part of the payment is charged back a day later',
    { adjustments: { ...CHARGEBACK, amount: PARTIAL_AMOUNT } },
    ['I13', 'I2'],
    wasAdjusted(),
    { isOnlyNotified: true },
  ),
  afterwards(
    'chargeback-won',
    'the payment is charged back, and the chargeback is reversed a week later',
    { adjustments: [CHARGEBACK, { kind: 'chargeback-reversed', after: 'P8D' }] },
    ['I13', 'I2'],
    wasAdjusted(2),
  ),
  afterwards(
    'chargeback-won-again',
    'a chargeback is reversed, and the notification of the chargeback arrives again',
    { adjustments: [CHARGEBACK, { kind: 'chargeback-reversed', after: 'P8D' }] },
    ['I13', 'I2'],
    wasSentAgain,
    { resends: 'second' },
  ),
  afterwards(
    'forged-refund',
    'a notification with a wrong signature says that the payment was refunded',
    settle('Paid'),
    ['I7'],
    ({ forged }) => forged !== undefined,
    { forges: 'Refunded', isOnlyNotified: true },
  ),
  afterwards(
    'order-backdated',
    'no notification arrives, and the shop queries the payment only when the order is 90 minutes old',
    { webhook: DROPPED },
    ['I4', 'I2'],
    hasDone('backdate'),
    { action: 'backdate' },
  ),
];

export const PAYMENTS: readonly Situation[] = [
  withoutFault('while-undecided', 'shop-does-nothing', 'the shop does nothing'),
  {
    id: 'shop-restarted',
    kind: 'while-undecided',
    title: 'the shop restarts before the payer decides',
    action: 'restart',
    invariants: ['I4', 'I2', 'I1'],
    hasOccurred: hasDone('restart'),
  },
  {
    id: 'order-cancelled',
    kind: 'while-undecided',
    title: 'the customer cancels the order in the shop but pays anyway',
    action: 'cancel',
    invariants: ['I12', 'I2'],
    hasOccurred: hasDone('cancel'),
  },
  outcome('paid', 'the payer pays', settle('Paid'), ['I4', 'I1', 'I2', 'I5'], 'Paid'),
  outcome('failed', 'the payment fails', settle('Failed'), ['I11', 'I1'], 'Failed'),
  outcome('cancelled', 'the payer cancels', settle('Cancelled'), ['I11', 'I1'], 'Cancelled'),
  outcome('expired', 'the payer does nothing, and the payment expires', EXPIRED, ['I11', 'I1'], 'Expired'),
  outcome(
    'paid-after-failure',
    'the payment fails, then succeeds an hour later',
    PAID_AFTER_FAILURE,
    ['I12', 'I2'],
    'Paid',
  ),
  outcome(
    'paid-after-expiry',
    'the payment expires, then succeeds an hour later',
    { ...EXPIRED, lateOutcome: { outcome: 'Paid', after: 'PT1H' } },
    ['I12', 'I2'],
    'Paid',
  ),
  withoutFault('afterwards', 'nothing-more', 'nothing happens after the payment'),
  {
    id: 'first-again',
    kind: 'afterwards',
    title: 'the first notification arrives again at the end',
    resends: 'first',
    invariants: ['I2'],
    hasOccurred: wasSentAgain,
  },
  {
    id: 'older-again',
    kind: 'afterwards',
    title: 'the notification of a failure arrives again after the payment has succeeded',
    payment: PAID_AFTER_FAILURE,
    resends: 'first',
    invariants: ['I6', 'I2', 'I12'],
    hasOccurred: wasSentAgain,
  },
  afterwards('refunded', 'the payment is refunded in full a day later', { adjustments: REFUND }, IF_CHANGED),
  afterwards('reversed', 'the payment is reversed a day later', { adjustments: REVERSAL }, IF_CHANGED),
  afterwards('charged-back', 'the payment is charged back a day later', { adjustments: CHARGEBACK }, IF_CHANGED),
  {
    id: 'shop-refunded',
    kind: 'afterwards',
    title: 'the shop refunds the payment, and the first notification arrives again',
    action: 'refund',
    resends: 'first',
    invariants: IF_CHANGED,
    hasOccurred: hasDone('refund'),
  },
  ...LATER_CHANGES.map(inNextRequirements),
];
