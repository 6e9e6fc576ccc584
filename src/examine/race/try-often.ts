import type { Case } from '../cases/case.ts';
import type { QuietPeriod } from '../shop/quiet-period.ts';
import { invariantOf } from '../verdicts/invariants.ts';
import type { TriedJudgement } from '../verdicts/trial.ts';
import { isRandom } from './schedule.ts';

/** A violation that the shop may still correct counts only if it remains after a wait that is longer by this factor. */
export const STRETCH = 4;

/** The maximum number of orders until one is wrong, and the minimum number after that. */
const RUNS = 8;

export function isResultRandom({ race: { race } }: Case): boolean {
  return race !== undefined && isRandom(race);
}

/**
 * Repeats a case with a random result, and reports how often each invariant was violated: a correct shop never violates any. The last
 * order is a wrong one, if possible, because the bundle shows that one.
 */
export async function tryOften(
  tryOnce: (runIndex: number) => Promise<TriedJudgement[]>,
  quietPeriod: Pick<QuietPeriod, 'stretch'>,
): Promise<TriedJudgement[]> {
  const runs: TriedJudgement[][] = [];
  const isLastViolated = () => violatedIn(runs.at(-1) ?? []).length > 0;
  while (runs.length < RUNS && !isLastViolated() && !runs[0]?.some(({ verdict }) => verdict === 'not-exercised')) {
    runs.push(await tryOnce(runs.length));
  }
  if (!isLastViolated()) {
    return mergeRuns(runs, runs);
  }
  const firstRuns = runs.length;
  quietPeriod.stretch(STRETCH);
  try {
    while (runs.length < firstRuns + RUNS || (runs.length < firstRuns + 2 * RUNS && !isLastViolated())) {
      runs.push(await tryOnce(runs.length));
    }
  } finally {
    quietPeriod.stretch(1);
  }
  return mergeRuns(runs, runs.slice(firstRuns));
}

function violatedIn(judgements: readonly TriedJudgement[]): TriedJudgement[] {
  return judgements.filter(({ verdict }) => verdict === 'violated');
}

/** Invariants whose violation the shop may still correct are judged by the orders with the longer waits. */
function mergeRuns(runs: readonly TriedJudgement[][], longerRuns: readonly TriedJudgement[][]): TriedJudgement[] {
  const invariants = new Set(runs.flat().map(({ invariant }) => invariant));
  return [...invariants].flatMap((invariant) => {
    const all = runs.flat().filter((each) => each.invariant === invariant);
    const decisiveRuns = invariantOf(invariant).isCorrectable ? longerRuns : runs;
    const violations = violatedIn(decisiveRuns.flat().filter((each) => each.invariant === invariant));
    const last = violations.at(-1);
    if (last) {
      return [{ ...last, note: `in ${violations.length} of ${decisiveRuns.length} orders` }];
    }
    if (violatedIn(all).length > 0) {
      const note = `it was violated once, and in none of ${decisiveRuns.length} orders that were given more time`;
      return [{ ...(all.at(-1) ?? { invariant }), verdict: 'inconclusive' as const, note }];
    }
    return all.find(({ verdict }) => verdict !== 'handled') ?? all.at(-1) ?? [];
  });
}
