import { messageOf } from '../../base/errors.ts';
import type { Case } from '../cases/case.ts';
import { everPaid, type Observation, type Words } from '../observation/observation.ts';
import { observe, reconcile } from '../observation/observe.ts';
import { observeRace } from '../race/observe-race.ts';
import type { Scope } from '../scope.ts';
import { AdapterError, type OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { type Judgement, wantedIn } from './verdicts.ts';

/** The judgement of one invariant with its observation, if there is one. */
export interface TriedJudgement extends Judgement {
  observation?: Observation;
}

/** Runs one order in a case, and judges it. `run` counts the orders of a race. A missing ability of the shop or its adapter is not a verdict on the shop. */
export async function tryCase(
  examined: Case,
  order: OrderInput,
  target: ExaminedShop,
  words: Words,
  { judge }: Pick<Scope, 'judge'>,
  run = 0,
): Promise<TriedJudgement[]> {
  try {
    const { race } = examined.race;
    const seen = race ? await observeRace(race, examined, order, target, run) : await observe(examined, order, target);
    if (seen.refused !== undefined && seen.requests.length === 0) {
      throw new AdapterError(
        seen.payments.length > 0
          ? `${seen.refused}, and a request of the shop is still waiting for its answer: without a timeout it waits as long as the provider allows`
          : `no request of the shop was answered: ${seen.refused}`,
      );
    }
    const first = judge(examined, seen, undefined, words);
    const isBroken = first.some(({ verdict }) => verdict === 'violated');
    // In a race, the next run of the job may repeat what a party has done but not recorded.
    const isForgotten = race && everPaid(seen).length > 0 && !words.paid.has(seen.after?.state ?? '');
    const then = isBroken || isForgotten ? await reconcile(seen, target) : undefined;
    const judgements = then ? judge(examined, seen, then, words) : first;
    return judgements.map((judgement) => ({ ...judgement, observation: then ?? seen }));
  } catch (error) {
    return wantedIn(examined).map((invariant) => ({ invariant, verdict: 'inconclusive', note: messageOf(error) }));
  }
}

/** How often a violation must happen to count. */
export const TIMES = 3;

/** The verdict of several runs of a case on an invariant that was violated in the first run. */
export function verdictOf(
  { invariant }: TriedJudgement,
  runs: readonly (readonly TriedJudgement[])[],
  isMendable: boolean,
  times = TIMES,
): TriedJudgement {
  const found = runs.map((run) => run.find((each) => each.invariant === invariant));
  const broken = found.filter((each): each is TriedJudgement => each?.verdict === 'violated');
  const last = found.at(-1);
  if (broken.length === times) {
    return broken.at(-1) ?? { invariant, verdict: 'violated' };
  }
  // The later runs waited longer, so they decide about effects that take time.
  if (isMendable && broken.length === 1 && last) {
    return last;
  }
  const note = `it was violated ${broken.length} out of ${times} times`;
  const observation = broken.at(-1)?.observation;
  return { invariant, verdict: 'inconclusive', note, ...(observation ? { observation } : {}) };
}
