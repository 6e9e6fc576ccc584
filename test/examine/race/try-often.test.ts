import { tryOften } from '../../../src/examine/race/try-often.ts';
import type { InvariantId } from '../../../src/examine/verdicts/invariant.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';

/** Tries a race whose orders have these verdicts; all further orders have the last one. */
async function tryRace(invariant: InvariantId, ...verdicts: readonly Verdict[]) {
  const factors: number[] = [];
  let runs = 0;
  const quietPeriod = { stretch: (factor: number) => void factors.push(factor) };
  const [judgement] = await tryOften(async (runIndex) => {
    runs += 1;
    return [{ invariant, verdict: verdicts[runIndex] ?? verdicts.at(-1) ?? 'handled' }];
  }, quietPeriod);
  return { judgement, runs, factors };
}

it('a case is handled if no order was wrong', async () => {
  expect(await tryRace('I2', 'handled')).toMatchObject({ judgement: { verdict: 'handled' }, runs: 8, factors: [] });
});

it('a case is violated if goods were shipped twice in one order, and its note counts such orders', async () => {
  const { judgement, factors } = await tryRace('I2', 'handled', 'handled', 'violated', 'handled');
  expect(judgement).toMatchObject({ verdict: 'violated', note: 'in 1 of 19 orders' });
  expect(factors).toEqual([4, 1]);
});

it('a violated case ends with a wrong order, because the bundle shows the last order', async () => {
  const wrong = Array.from({ length: 10 }, (_, run): Verdict => (run === 0 || run === 9 ? 'violated' : 'handled'));
  expect(await tryRace('I2', ...wrong, 'handled')).toMatchObject({
    judgement: { note: 'in 2 of 10 orders' },
    runs: 10,
  });
});

it('a verdict that depends on time counts only in orders that got more time', async () => {
  expect((await tryRace('I4', 'violated')).judgement).toMatchObject({ verdict: 'violated', note: 'in 8 of 8 orders' });
  expect((await tryRace('I4', 'violated', 'handled')).judgement).toMatchObject({
    verdict: 'inconclusive',
    note: 'it was violated once, and in none of 16 orders that were given more time',
  });
});

it('a race that cannot happen places only one order', async () => {
  expect(await tryRace('I2', 'not-exercised')).toMatchObject({ judgement: { verdict: 'not-exercised' }, runs: 1 });
});
