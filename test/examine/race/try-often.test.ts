import { tryOften } from '../../../src/examine/race/try-often.ts';
import type { InvariantId } from '../../../src/examine/verdicts/invariants.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';

/** Tries a race whose orders end in these verdicts, and then in the last one. */
async function tried(invariant: InvariantId, ...verdicts: readonly Verdict[]) {
  const stretched: number[] = [];
  let runs = 0;
  const patience = { stretch: (factor: number) => void stretched.push(factor) };
  const [judgement] = await tryOften(async (run) => {
    runs += 1;
    return [{ invariant, verdict: verdicts[run] ?? verdicts.at(-1) ?? 'handled' }];
  }, patience);
  return { judgement, runs, stretched };
}

it('is handled if no order was wrong', async () => {
  expect(await tried('I2', 'handled')).toMatchObject({ judgement: { verdict: 'handled' }, runs: 8, stretched: [] });
});

it('is violated by goods that left twice only once, and says how often', async () => {
  const { judgement, stretched } = await tried('I2', 'handled', 'handled', 'violated', 'handled');
  expect(judgement).toMatchObject({ verdict: 'violated', note: 'in 1 of 19 orders' });
  expect(stretched).toEqual([4, 1]);
});

it('ends with an order that was wrong, because its bundle shows that one', async () => {
  const wrong = Array.from({ length: 10 }, (_, run): Verdict => (run === 0 || run === 9 ? 'violated' : 'handled'));
  expect(await tried('I2', ...wrong, 'handled')).toMatchObject({ judgement: { note: 'in 2 of 10 orders' }, runs: 10 });
});

it('counts what takes time only in orders that were given more of it', async () => {
  expect((await tried('I4', 'violated')).judgement).toMatchObject({ verdict: 'violated', note: 'in 8 of 8 orders' });
  expect((await tried('I4', 'violated', 'handled')).judgement).toMatchObject({
    verdict: 'inconclusive',
    note: 'it was violated once, and in none of 16 orders that were given more time',
  });
});

it('places one order where the race cannot take place', async () => {
  expect(await tried('I2', 'not-exercised')).toMatchObject({ judgement: { verdict: 'not-exercised' }, runs: 1 });
});
