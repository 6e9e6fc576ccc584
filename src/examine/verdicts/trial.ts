import { messageOf } from '../../base/errors.ts';
import { type Case, caseOf } from '../cases/case.ts';
import { isInstruction, observeInstruction } from '../observation/instruction.ts';
import { type InstructionCall, type Observation, paidIn, type Words } from '../observation/observation.ts';
import { observe, reconcile } from '../observation/observe.ts';
import { hasHeldCall } from '../observation/provider-side.ts';
import { placeSeveral } from '../observation/several-orders.ts';
import { waitUntilRight } from '../observation/shop-timers.ts';
import { MissingSupport } from '../race/missing-support.ts';
import { observeRace } from '../race/observe-race.ts';
import type { Race } from '../race/schedule.ts';
import type { Scope } from '../scope.ts';
import { AdapterError, type OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { OWN_JOB_MS } from '../shop/quiet-period.ts';
import type { SeveralOrders } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';
import { invariantOf } from './invariants.ts';
import { isOrderLost, isUncheckedFailure } from './payment-facts.ts';
import { DECISIVE_FIRST, invariantsOf, type Judgement } from './verdicts.ts';

export interface TriedJudgement extends Judgement {
  observation?: Observation;
}

/** A failure of the shop or its adapter, or missing support, is not a violation. */
export async function tryCase(
  testCase: Case,
  order: OrderInput,
  target: ExaminedShop,
  words: Words,
  scope: Pick<Scope, 'judge' | 'subject'>,
  runIndex = 0,
): Promise<TriedJudgement[]> {
  const { race } = testCase.race;
  const { orders, needs } = testCase.alone;
  const trial = { testCase, order, target, words, scope };
  try {
    if (race) {
      return await tryRace(race, trial, runIndex);
    }
    if (isInstruction(needs)) {
      return await tryInstruction(needs, trial);
    }
    return await (orders ? trySeveral(orders, trial) : tryOnce(trial));
  } catch (error) {
    const verdict = error instanceof MissingSupport ? 'not-exercised' : 'inconclusive';
    return invariantsOf(testCase).map((invariant) => ({ invariant, verdict, note: messageOf(error) }));
  }
}

interface OrderTrial {
  testCase: Case;
  order: OrderInput;
  target: ExaminedShop;
  words: Words;
  scope: Pick<Scope, 'judge' | 'subject'>;
}

async function tryOnce(trial: OrderTrial): Promise<TriedJudgement[]> {
  const observation = await observe(trial.testCase, trial.order, trial.target);
  assertAnswered(observation);
  return judgeAfterRepair(observation, trial);
}

/** Tries orders that are open at the same time; if there are more than two, stops at the first wrong one. */
async function trySeveral(orders: SeveralOrders, trial: OrderTrial): Promise<TriedJudgement[]> {
  const { order, target } = trial;
  if (!target.adapter.reconcile && !target.quietPeriod.isOwnJobKnown) {
    await learnOwnJob(order, target);
  }
  const all = await placeSeveral(orders, trial.testCase, order, target);
  const initialObservations: Observation[] = [];
  for (const { observe } of all) {
    initialObservations.push(await observe());
  }
  const judgements: TriedJudgement[] = [];
  for (const [index, { observe, target: ownTarget }] of all.entries()) {
    // Observed again, because the job that ran for the previous order may have corrected this one.
    const observation = { ...(await observe()), siblings: initialObservations.toSpliced(index, 1) };
    judgements.push(...(await judgeAfterRepair(observation, { ...trial, target: ownTarget })));
    if (all.length > 2 && judgements.some(({ verdict }) => verdict === 'violated')) {
      // Each further order would take several runs of the job.
      break;
    }
  }
  const rank = ({ verdict }: Judgement) => DECISIVE_FIRST.indexOf(verdict);
  const worst = judgements.toSorted((one, other) => rank(one) - rank(other));
  return worst.filter(({ invariant }, index) => index === worst.findIndex((each) => each.invariant === invariant));
}

/** The channel of `order` does not matter. */
async function tryInstruction(
  call: InstructionCall,
  { testCase, order, target, words, scope }: OrderTrial,
): Promise<TriedJudgement[]> {
  const observation = await observeInstruction(call, testCase, order, target);
  return scope.judge(testCase, observation, undefined, words).map((judgement) => ({ ...judgement, observation }));
}

/** Judges an observation once the shop has had time to repair a correctable violation. */
async function judgeAfterRepair(
  initial: Observation,
  trial: OrderTrial,
  tryAgain = () => tryOnce(trial),
): Promise<TriedJudgement[]> {
  const { testCase, order, target, words, scope } = trial;
  const { judge, subject } = scope;
  const hasNoCorrectableViolation = (before: Observation, after?: Observation) =>
    !judge(testCase, before, after, words).some((each) => each.verdict === 'violated' && isCorrectable(each));
  const hasJob = target.adapter.reconcile !== undefined;
  let [observation, reconciled]: [Observation, Observation?] = [initial];
  // In a race, a party may fulfil an order without recording this, and then the next run of the job may fulfil it again.
  const isForgotten =
    initial.race && hasJob && paidIn(initial).length > 0 && !words.paid.has(initial.finalState?.state ?? '');
  // Without a status query the shop cannot know of a late failure, but its job may query.
  const isUnchecked = hasJob && isUncheckedFailure(initial);
  if (isForgotten || isUnchecked || !hasNoCorrectableViolation(initial)) {
    if (subject === 'shop' && !hasJob && !target.quietPeriod.isOwnJobKnown) {
      await learnOwnJob(order, target);
      return tryAgain();
    }
    const isRight = (each: Observation) => hasNoCorrectableViolation(initial, each);
    reconciled = await reconcile(testCase, initial, target, isRight);
    if (reconciled) {
      reconciled = await waitUntilRight(reconciled, target, isRight);
    } else {
      observation = await waitUntilRight(initial, target, (each) => hasNoCorrectableViolation(each));
    }
  }
  const latest = reconciled ?? observation;
  return judge(testCase, observation, reconciled, words).map((judgement) => ({
    ...(subject === 'shop' ? downgradeIfAmbiguous(judgement, latest, target, words) : judgement),
    observation: latest,
  }));
}

async function tryRace(race: Race, trial: OrderTrial, runIndex: number): Promise<TriedJudgement[]> {
  const observation = await observeRace(race, trial.testCase, trial.order, trial.target, runIndex);
  assertAnswered(observation);
  return judgeAfterRepair(observation, trial, () => tryRace(race, trial, runIndex));
}

/** Throws AdapterError if the shop refused the order and none of its requests was answered, because the order shows nothing then. */
function assertAnswered({ refusal, requests, payments }: Observation): void {
  if (refusal !== undefined && requests.length === 0) {
    throw new AdapterError(
      payments.length > 0
        ? `${refusal}, and a request of the shop is still waiting for its answer: without a timeout it waits as long as the provider allows`
        : `no request of the shop was answered: ${refusal}`,
    );
  }
}

const isCorrectable = ({ invariant }: Pick<Judgement, 'invariant'>) => invariantOf(invariant).isCorrectable;

/** Learns whether a job that the shop runs by itself fulfils an order if no notification arrives. */
async function learnOwnJob(order: OrderInput, target: ExaminedShop): Promise<void> {
  const isFulfilled = ({ finalState }: Observation) => (finalState?.fulfilments ?? 0) > 0;
  const unnotified = caseOf(SITUATIONS.filter(({ id }) => id === 'notified-never'));
  const observation = await observe(unnotified, order, target);
  const latest = await waitUntilRight(observation, target, isFulfilled, () => OWN_JOB_MS);
  target.quietPeriod.recordOwnJob(isFulfilled(latest));
}

/** The same judgement, or inconclusive for a violation if only the user can tell whether it is one. */
function downgradeIfAmbiguous(
  judgement: Judgement,
  { finalState, reconciledState, ...side }: Observation,
  { adapter, quietPeriod }: ExaminedShop,
  words: Words,
): Judgement {
  const { open, givenUp, reopens } = words;
  const { invariant, verdict } = judgement;
  const ask = (note: string): Judgement => ({ invariant, verdict: 'inconclusive', note });
  if (verdict !== 'violated' || !isCorrectable(judgement)) {
    return judgement;
  }
  if (hasHeldCall(side)) {
    return ask('a request of the shop still waits for its answer: give it a timeout, or set patience in the adapter');
  }
  const last = reconciledState ?? finalState;
  if (invariant === 'I4' && !adapter.reconcile && quietPeriod.statedMs === undefined && !isOrderLost(last, words)) {
    return ask('the paid order was not fulfilled: if a job does that later, export reconcile, or set patience');
  }
  if (invariant === 'I11' && reopens === undefined && givenUp.size === 0 && open.has(last?.state ?? '')) {
    return ask(
      'the order is open as before, after a payment that failed, was cancelled or expired: can the customer try again? set reopens in the adapter, true or false',
    );
  }
  return judgement;
}

/** How often a violation must happen to count, unless the result of the case is random. */
export const CONFIRMING_RUNS = 3;

/** Judges several runs of a case by an invariant that was violated in the first. */
export function confirmVerdict(
  { invariant }: TriedJudgement,
  runs: readonly (readonly TriedJudgement[])[],
  isCorrectable: boolean,
  times = CONFIRMING_RUNS,
): TriedJudgement {
  const verdicts = runs.map((run) => run.find((each) => each.invariant === invariant));
  const violations = verdicts.filter((each): each is TriedJudgement => each?.verdict === 'violated');
  const last = verdicts.at(-1);
  if (violations.length === times) {
    return violations.at(-1) ?? { invariant, verdict: 'violated' };
  }
  // The later runs waited longer, so they decide about effects that take time.
  if (isCorrectable && violations.length === 1 && last) {
    return last;
  }
  const note = `it was violated ${violations.length} out of ${times} times`;
  const observation = violations.at(-1)?.observation;
  return { invariant, verdict: 'inconclusive', note, ...(observation ? { observation } : {}) };
}
