import { confirmVerdict, type TriedJudgement } from '../../../src/examine/verdicts/trial.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';

const judgement = (verdict: Verdict): TriedJudgement => ({ invariant: 'I4', verdict });
const runs = (...verdicts: Verdict[]) => verdicts.map((verdict) => [judgement(verdict)]);
const verdictAfter = (isCorrectable: boolean, ...verdicts: Verdict[]) =>
  confirmVerdict(judgement('violated'), runs(...verdicts), isCorrectable).verdict;

it('the verdict is violated if each run has a violation', () => {
  expect(verdictAfter(true, 'violated', 'violated', 'violated')).toBe('violated');
  expect(verdictAfter(false, 'violated', 'violated', 'violated')).toBe('violated');
});

it('the verdict on a shop that only needed time is that of the longer runs', () => {
  expect(verdictAfter(true, 'violated', 'handled', 'handled')).toBe('handled');
  expect(verdictAfter(true, 'violated', 'handled', 'handled-after-reconcile')).toBe('handled-after-reconcile');
});

it('the verdict is inconclusive if only some runs have a violation', () => {
  expect(verdictAfter(false, 'violated', 'handled', 'handled')).toBe('inconclusive');
  expect(verdictAfter(true, 'violated', 'violated', 'handled')).toBe('inconclusive');
  expect(verdictAfter(true, 'violated', 'inconclusive', 'inconclusive')).toBe('inconclusive');
});
