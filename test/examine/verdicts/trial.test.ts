import { type TriedJudgement, verdictOf } from '../../../src/examine/verdicts/trial.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';

const seen = (verdict: Verdict): TriedJudgement => ({ invariant: 'I4', verdict });
const runs = (...verdicts: Verdict[]) => verdicts.map((verdict) => [seen(verdict)]);
const after = (isMendable: boolean, ...verdicts: Verdict[]) =>
  verdictOf(seen('violated'), runs(...verdicts), isMendable).verdict;

it('says violated of what is violated each time', () => {
  expect(after(true, 'violated', 'violated', 'violated')).toBe('violated');
  expect(after(false, 'violated', 'violated', 'violated')).toBe('violated');
});

it('takes the word of those that waited longer where a shop only took its time', () => {
  expect(after(true, 'violated', 'handled', 'handled')).toBe('handled');
  expect(after(true, 'violated', 'handled', 'handled-after-reconcile')).toBe('handled-after-reconcile');
});

it('says inconclusive where goods or money were gone once, and not each time', () => {
  expect(after(false, 'violated', 'handled', 'handled')).toBe('inconclusive');
  expect(after(true, 'violated', 'violated', 'handled')).toBe('inconclusive');
  expect(after(true, 'violated', 'inconclusive', 'inconclusive')).toBe('inconclusive');
});
