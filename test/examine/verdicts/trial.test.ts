import { type TriedJudgement, verdictOf } from '../../../src/examine/verdicts/trial.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';

const seen = (verdict: Verdict): TriedJudgement => ({ invariant: 'I4', verdict });
const runs = (...verdicts: Verdict[]) => verdicts.map((verdict) => [seen(verdict)]);
const after = (isMendable: boolean, ...verdicts: Verdict[]) =>
  verdictOf(seen('violated'), runs(...verdicts), isMendable).verdict;

it('the verdict of repeated violations is violated', () => {
  expect(after(true, 'violated', 'violated', 'violated')).toBe('violated');
  expect(after(false, 'violated', 'violated', 'violated')).toBe('violated');
});

it('the verdict of a shop that only needed time is that of the longer trials', () => {
  expect(after(true, 'violated', 'handled', 'handled')).toBe('handled');
  expect(after(true, 'violated', 'handled', 'handled-after-reconcile')).toBe('handled-after-reconcile');
});

it('the verdict of lost goods or money that is not repeated is inconclusive', () => {
  expect(after(false, 'violated', 'handled', 'handled')).toBe('inconclusive');
  expect(after(true, 'violated', 'violated', 'handled')).toBe('inconclusive');
  expect(after(true, 'violated', 'inconclusive', 'inconclusive')).toBe('inconclusive');
});
