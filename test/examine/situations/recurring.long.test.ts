import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';
const MADE = ['recurring-is-error', 'recurring-lost', 'recurring-broken', 'recurring-never'];
const ALL = ['recurring', 'recurring-refused', ...MADE];

it('a shop that never repeats the request for a recurring payment has no violations', async () => {
  const examined = await examine({ subscribes: true }, { only: [CHANNEL, ...ALL] });
  expect(problemsIn(examined)).toEqual([]);
  expect(examined.verdicts.map(({ id }) => id)).toEqual(ALL.map((each) => `I18-${each}-${CHANNEL}`));
});

it('a shop may repeat the request for a recurring payment that was certainly not set up', async () => {
  const only = [CHANNEL, 'recurring-refused'];
  expect(problemsIn(await examine({ subscribes: true, mistake: 'subscribes-again' }, { only }))).toEqual([]);
});

it.each(MADE)('a shop that repeats each failed request violates I18 in %s', async (situation) => {
  const design = { subscribes: true, mistake: 'subscribes-again' } as const;
  const found = verdictIn(await examine(design, { only: [CHANNEL, situation] }), 'I18');
  expect(found).toMatchObject({ verdict: 'violated', situation, isScored: false });
  const story = found?.history.map(({ text }) => text) ?? [];
  expect(story[0]).toMatch(/^accepts a recurring payment of /);
  expect(story.filter((text) => text.startsWith('sends POST /sandbox/api/addRecurringPayment'))).toHaveLength(2);
});

it('recurring payments that the adapter cannot request are not tried', async () => {
  const { verdicts } = await examine({}, { only: [CHANNEL, 'recurring-lost'] });
  expect(verdicts).toMatchObject([{ verdict: 'not-applicable', note: 'the adapter does not export subscribe' }]);
});
