import type { InvariantId } from '../verdicts/invariant.ts';

interface OutcomeFacts {
  words: string;
  /** The first payment fails before the steps of the race. */
  failsFirst?: true;
  /** The customer tries to pay again before the steps of the race. */
  isTriedAgain?: true;
  /** How the oldest open payment is decided; undefined if none is open. */
  decision?: 'Paid' | 'Failed' | 'Expired' | 'Cancelled';
  /** The first payment is paid after that, although it failed. */
  isPaidLater?: true;
  /** The invariants that its orders can break, the main one first. */
  invariants: readonly InvariantId[];
}

const AGAIN = { failsFirst: true, isTriedAgain: true } as const;

/** THE TABLE of how the payments of a race end. */
const ALL = {
  paid: { words: 'the payment is paid', decision: 'Paid', invariants: ['I4', 'I2', 'I6', 'I1', 'I5'] },
  failed: { words: 'the payment fails', decision: 'Failed', invariants: ['I11', 'I1'] },
  expired: { words: 'the payment expires', decision: 'Expired', invariants: ['I11', 'I1'] },
  late: {
    words: 'the payment is paid after it failed',
    failsFirst: true,
    isPaidLater: true,
    invariants: ['I12', 'I2', 'I6'],
  },
  again: { words: 'a second attempt is paid', ...AGAIN, decision: 'Paid', invariants: ['I4', 'I2', 'I6', 'I3'] },
  'late-again': {
    words: 'the payer cancels a second attempt, and the first is paid late',
    ...AGAIN,
    decision: 'Cancelled',
    isPaidLater: true,
    invariants: ['I12', 'I2', 'I6'],
  },
  'both-attempts': {
    words: 'a second attempt is paid, and the first is paid late',
    ...AGAIN,
    decision: 'Paid',
    isPaidLater: true,
    invariants: ['I2'],
  },
  'first-attempt': {
    words: 'the customer tries again while the payment is open, and the first attempt is paid',
    isTriedAgain: true,
    decision: 'Paid',
    invariants: ['I4', 'I2'],
  },
} as const satisfies Record<string, OutcomeFacts>;

export type RaceOutcome = keyof typeof ALL;
export const OUTCOMES: Readonly<Record<RaceOutcome, OutcomeFacts>> = ALL;
