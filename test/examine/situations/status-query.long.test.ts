import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const SITUATION = 'query-refused-notified';
// The shop must be known to query the status of an order without faults.
const only = ['mobile-money', 'paid', SITUATION];

it('a correct shop refuses a notification while it cannot query the status', async () => {
  const examined = await examine({ queriesIfNotified: true }, { only });
  expect(problemsIn(examined)).toEqual([]);
  expect(examined.verdicts).toContainEqual(
    expect.objectContaining({ invariant: 'I4', situation: SITUATION, verdict: 'handled' }),
  );
});

it('a shop that takes a failed query for a failed payment is detected', async () => {
  const examined = await examine({ queriesIfNotified: true, mistake: 'fails-if-query-fails' }, { only });
  expect(verdictIn(examined, 'I4')).toMatchObject({ situation: SITUATION, verdict: 'violated', isScored: false });
});

it('a shop that believes a verified notification is not tried', async () => {
  const { verdicts } = await examine({}, { only });
  expect(new Set(verdicts.map(({ situation }) => situation))).toEqual(new Set(['paid']));
});
