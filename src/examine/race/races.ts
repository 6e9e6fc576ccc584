import type { RuleMembers, Situation } from '../situations/situation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { RACE_ROWS, type RaceRow } from './race-rows.ts';
import { raceTitleOf } from './race-title.ts';
import { isKilling, isPaidLater, partiesIn, type Race, type RaceOutcome } from './schedule.ts';

/** Session time after which a failed payment is paid. */
export const LATE_OUTCOME_AFTER = 'PT5M';

/** How each payment ends, in words, and the invariants that its orders can break, the main one first. */
const OUTCOMES: Readonly<Record<RaceOutcome, { words: string; invariants: readonly InvariantId[] }>> = {
  paid: { words: 'the payment is paid', invariants: ['I4', 'I2', 'I6', 'I1', 'I5'] },
  failed: { words: 'the payment fails', invariants: ['I11', 'I1'] },
  expired: { words: 'the payment expires', invariants: ['I11', 'I1'] },
  late: { words: 'the payment is paid after it failed', invariants: ['I12', 'I2', 'I6'] },
  'late-again': {
    words: 'the payer cancels a second attempt, and the first is paid late',
    invariants: ['I12', 'I2', 'I6'],
  },
  again: { words: 'a second attempt is paid', invariants: ['I4', 'I2', 'I6', 'I3'] },
};

export const RACE = 'race';

/** The situations of the race, which `--only race` selects. */
export const RACES: readonly Situation[] = [
  {
    id: 'no-race',
    kind: 'race',
    title: 'no party overtakes another',
    invariants: [],
    isNext: true,
    hasOccurred: ({ requests }) => requests.length > 0,
  },
  ...RACE_ROWS.flatMap(({ outcomes, ...each }) => outcomes.map((outcome) => situationOf(each, outcome))),
];

function situationOf({ id, steps }: Omit<RaceRow, 'outcomes'>, outcome: RaceOutcome): Situation {
  const { words, invariants } = OUTCOMES[outcome];
  const isAcknowledged = partiesIn(steps).has('notification') && invariants.includes('I4');
  return {
    id: `${RACE}-${id}-${outcome}`,
    kind: 'race',
    title: `${raceTitleOf(steps)}; ${words}`,
    payment: paymentRule({ outcome }),
    race: { steps, outcome },
    ...(isKilling({ steps }) ? { needs: 'restart' } : {}),
    invariants: isAcknowledged ? [...invariants, 'I9'] : invariants,
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
