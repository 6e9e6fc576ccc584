import { PARTY_NAMES, type Party, partiesIn, type RaceStep } from './schedule.ts';

const CLAUSES: Readonly<Record<Party | 'decision', string>> = {
  decision: 'the payment is decided',
  notification: 'the notification arrives',
  'first-notification': 'the notification of the first attempt arrives',
  return: 'the browser returns',
  'return-elsewhere': 'the browser returns in another session, without cookies',
  'return-changed': 'the browser returns with a query string that says Paid',
  reconciler: 'the reconciler runs',
};

/** The sequence in words, without the outcome of the payment. A decision at the beginning is omitted, because most sequences have it. */
export function raceTitleOf(steps: readonly RaceStep[]): string {
  const clauses = clausesOf(steps[0] === 'decision' ? steps.slice(1) : steps);
  const last = clauses.pop();
  const sequence = clauses.length === 0 ? last : `${clauses.join(', ')}, and then ${last}`;
  return partiesIn(steps).has('notification') ? `${sequence}` : `${sequence}, and no notification arrives`;
}

function clausesOf(steps: readonly RaceStep[]): string[] {
  return steps.map((step, index) => {
    const isRepeated = steps.indexOf(step) < index;
    return typeof step === 'string' && isRepeated ? repeatedClauseOf(step) : clauseOf(step);
  });
}

function clauseOf(step: RaceStep): string {
  if (typeof step === 'string') {
    return CLAUSES[step];
  }
  if ('atOnce' in step) {
    return atOnce(
      step.atOnce.map((party, index, all) => (all.indexOf(party) < index ? another(party) : PARTY_NAMES[party])),
    );
  }
  if ('killedDuring' in step) {
    return `the shop is killed during ${PARTY_NAMES[step.killedDuring]}, and started again`;
  }
  const { held, during, releasedWith } = step;
  const isAnswer = held === 'answer';
  if (releasedWith !== undefined) {
    const answer = isAnswer ? PARTY_NAMES.answer : `the answer to the status query of ${PARTY_NAMES[held]}`;
    return atOnce([answer, PARTY_NAMES[releasedWith]]);
  }
  const events = during.map((each) => (each === held ? repeatedClauseOf(each) : clauseOf(each))).join(' and ');
  return `${events} ${isAnswer ? `before ${PARTY_NAMES.answer}` : `while ${PARTY_NAMES[held]} waits for its status query`}`;
}

const atOnce = (nouns: readonly string[]) => `${nouns.slice(0, -1).join(', ')} and ${nouns.at(-1)} at once`;

const another = (party: Party) => PARTY_NAMES[party].replace('the', 'another');

/** A repeated notification is a different one, but a browser or a job repeats the same action. */
function repeatedClauseOf(step: Party | 'decision'): string {
  return step === 'notification' ? 'another notification arrives' : `${CLAUSES[step]} again`;
}
