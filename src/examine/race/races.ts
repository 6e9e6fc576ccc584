import { withoutFault } from '../situations/occurrence.ts';
import { inNextRequirements, type RuleMembers, type Situation } from '../situations/situation.ts';
import { OUTCOMES, type RaceOutcome } from './race-outcomes.ts';
import { RACE_ROWS, type RaceRow } from './race-rows.ts';
import { raceTitleOf } from './race-title.ts';
import { isKilling, partiesIn } from './schedule.ts';

/** Session time after which a failed payment is paid. */
export const LATE_OUTCOME_AFTER = 'PT5M';

export const RACE = 'race';

/** `--only race` selects them. */
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
    payment: paymentRule(outcome),
    race: { steps, outcome },
    ...(isKilling({ steps }) ? { needs: 'restart' } : {}),
    invariants: isPaymentNotified ? [...invariants, 'I9'] : invariants,
    isNext: true,
    hasOccurred: ({ race }) => race !== undefined && race.missingSupport === undefined,
  };
}

/** The examination itself decides the payment and sends each notification, so that these happen in the sequence of the race. */
function paymentRule(outcome: RaceOutcome): RuleMembers {
  return {
    settle: undefined,
    webhook: { mode: 'dropped' },
    ...(OUTCOMES[outcome].isPaidLater ? { lateOutcome: { outcome: 'Paid', after: LATE_OUTCOME_AFTER } } : {}),
  };
}
