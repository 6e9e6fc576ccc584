import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const SITUATION = 'query-refused-notified';
const only = ['mobile-money', SITUATION];

it('a shop that queries the status on each notification has no violations if a query fails', async () => {
  const examined = await examine({ queriesIfNotified: true }, { only });
  expect(problemsIn(examined)).toEqual([]);
  expect(verdictIn(examined, 'I4')).toMatchObject({ situation: SITUATION, verdict: 'handled' });
});

it('a shop that takes a failed query for a failed payment is detected', async () => {
  const examined = await examine({ queriesIfNotified: true, mistake: 'fails-if-query-fails' }, { only });
  expect(verdictIn(examined, 'I4')).toMatchObject({ situation: SITUATION, verdict: 'violated', isScored: false });
});

it('a failing query does not apply to a shop that believes a verified notification', async () => {
  expect(verdictIn(await examine({}, { only }), 'I4')).toMatchObject({
    verdict: 'not-applicable',
    note: 'this did not happen: the notification arrives, but status queries are answered with 503',
  });
});
