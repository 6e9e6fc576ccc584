import { withoutFault } from '../situations/occurrence.ts';
import { inNextRequirements, type RuleMembers, type Situation } from '../situations/situation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { RACE_ROWS, type RaceRow } from './race-rows.ts';
import { raceTitleOf } from './race-title.ts';
import { isKilling, isPaidLater, partiesIn, type Race, type RaceOutcome } from './schedule.ts';

/** Session time after which a failed payment is paid. */
export const LATE_OUTCOME_AFTER = 'PT5M';

/** How the last payment of a race is decided, in words, and the invariants that its orders can break, the main one first. */
export const OUTCOMES: Readonly<Record<RaceOutcome, OutcomeFacts>> = {
  paid: { decision: 'Paid', words: 'the payment is paid', invariants: ['I4', 'I2', 'I6', 'I1', 'I5'] },
  failed: { decision: 'Failed', words: 'the payment fails', invariants: ['I11', 'I1'] },
  expired: { decision: 'Expired', words: 'the payment expires', invariants: ['I11', 'I1'] },
  late: { words: 'the payment is paid after it failed', invariants: ['I12', 'I2', 'I6'] },
  again: { decision: 'Paid', words: 'a second attempt is paid', invariants: ['I4', 'I2', 'I6', 'I3'] },
  'late-again': {
    decision: 'Cancelled',
    words: 'the payer cancels a second attempt, and the first is paid late',
    invariants: ['I12', 'I2', 'I6'],
  },
};

interface OutcomeFacts {
  /** Undefined if it is already decided. */
  decision?: 'Paid' | 'Failed' | 'Expired' | 'Cancelled';
  words: string;
  invariants: readonly InvariantId[];
}

export const RACE = 'race';

/** The situations of the race, which `--only race` selects. */
export const RACES: readonly Situation[] = [
  inNextRequirements(withoutFault(RACE, 'no-race', 'no party overtakes another')),
  ...RACE_ROWS.flatMap(({ outcomes, ...each }) => outcomes.map((outcome) => situationOf(each, outcome))),
];

function situationOf({ id, steps }: Omit<RaceRow, 'outcomes'>, outcome: RaceOutcome): Situation {
  const { words, invariants } = OUTCOMES[outcome];
  const isPaymentNotified = partiesIn(steps).has('notification') && invariants.includes('I4');
  return {
    id: `${RACE}-${id}-${outcome}`,
    kind: 'race',
    title: `${raceTitleOf(steps)}; ${words}`,
    payment: paymentRule({ outcome }),
    race: { steps, outcome },
    ...(isKilling({ steps }) ? { needs: 'restart' } : {}),
    invariants: isPaymentNotified ? [...invariants, 'I9'] : invariants,
    isNext: true,
    hasOccurred: ({ race }) => race !== undefined && race.missingSupport === undefined,
  };
}

/** The examination itself decides the payment and sends each notification, so that these happen in the sequence of the race. */
function paymentRule(race: Pick<Race, 'outcome'>): RuleMembers {
  return {
    settle: undefined,
    webhook: { mode: 'dropped' },
    ...(isPaidLater(race) ? { lateOutcome: { outcome: 'Paid', after: LATE_OUTCOME_AFTER } } : {}),
  };
}
