import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';

it('a correct shop refuses no order whose answer was lost, and accepts notifications', async () => {
  const only = [CHANNEL, 'answer-lost', 'answer-is-error', 'notified-late', 'notified-in-other-json'];
  const examined = await examine({}, { only });
  expect(problemsIn(examined)).toEqual([]);
  const judged = new Set(examined.verdicts.map(({ invariant }) => invariant));
  expect([...judged]).toEqual(expect.arrayContaining(['I14', 'I15']));
});

it('an order that is unknown after it was paid is a violation, even if the shop exports no job', async () => {
  const design = { mistake: 'loses-unanswered', exportsJob: false } as const;
  const found = verdictIn(await examine(design, { only: [CHANNEL, 'answer-lost'] }), 'I4');
  expect(found).toMatchObject({ verdict: 'violated', isScored: true });
  expect(found?.history.at(-1)?.text).toBe('says in the end: there is no such order');
});

it.each(['loses-unanswered', 'refuses-unanswered'] as const)('a shop that %s violates I14', async (mistake) => {
  const found = verdictIn(await examine({ mistake }, { only: [CHANNEL, 'answer-lost'] }), 'I14');
  expect(found).toMatchObject({ verdict: 'violated', isScored: false });
});

it('the verdict is inconclusive if a shop refuses an order after its own query failed, too', async () => {
  const only = [CHANNEL, 'I14-answer-lost+query-refused-mobile-money'];
  const examined = await examine({ mistake: 'queries-and-refuses' }, { only });
  expect(verdictIn(examined, 'I14')).toMatchObject({ verdict: 'inconclusive' });
});

it('a shop that refuses all notifications violates I15', async () => {
  const examined = await examine({ mistake: 'refuses-notifications' }, { only: [CHANNEL, 'notified-late'] });
  expect(verdictIn(examined, 'I15')).toMatchObject({ verdict: 'violated', isScored: false });
});
