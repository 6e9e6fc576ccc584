import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const SITUATION = 'token-refused-after-restart';
const only = ['mobile-money', SITUATION];

it('a shop that requests a token again after a refusal has no violations', async () => {
  const examined = await examine({ restarts: true }, { only });
  expect(problemsIn(examined)).toEqual([]);
  expect(verdictIn(examined, 'I4')).toMatchObject({ situation: SITUATION, verdict: 'handled-after-reconcile' });
});

it('a shop that keeps a failed token until its next start is detected', async () => {
  const examined = await examine({ restarts: true, mistake: 'keeps-a-failed-token' }, { only });
  expect(verdictIn(examined, 'I4')).toMatchObject({ situation: SITUATION, verdict: 'violated', isScored: false });
});

it('the verdict on a shop that cannot be restarted names the missing export', async () => {
  const examined = await examine({}, { only });
  expect(verdictIn(examined, 'I4')).toMatchObject({
    verdict: 'not-applicable',
    note: 'the adapter does not export restart',
  });
});
