import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';
import type { Design } from '../shop-of-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';
const ALL = ['payout', 'payout-refused', 'payout-is-error', 'payout-lost', 'payout-broken', 'payout-never'];

it('a shop that never repeats a payout has no violations', async () => {
  const examined = await examine({ paysOut: true }, { only: [CHANNEL, ...ALL] });
  expect(problemsIn(examined)).toEqual([]);
  expect(examined.verdicts.map(({ id }) => id)).toEqual(ALL.map((each) => `I17-${each}-${CHANNEL}`));
});

it('a shop may repeat a payout that was certainly not made', async () => {
  const examined = await examine({ paysOut: true, mistake: 'pays-out-again' }, { only: [CHANNEL, 'payout-refused'] });
  expect(problemsIn(examined)).toEqual([]);
});

it.each<[NonNullable<Design['mistake']>, string]>([
  ['pays-out-again', 'payout-is-error'],
  ['pays-out-again', 'payout-lost'],
  ['pays-out-again', 'payout-broken'],
  ['pays-out-again', 'payout-never'],
  ['pays-out-too-much', 'payout'],
])('a shop that %s violates I17 in %s', async (mistake, situation) => {
  const found = verdictIn(await examine({ paysOut: true, mistake }, { only: [CHANNEL, situation] }), 'I17');
  expect(found).toMatchObject({ verdict: 'violated', situation, isScored: false });
  const payouts = found?.history.filter(({ text }) => text.startsWith('records payout-')) ?? [];
  expect(payouts.length).toBeGreaterThanOrEqual(mistake === 'pays-out-again' ? 2 : 1);
});

it('payouts that the adapter cannot request are not tried', async () => {
  const { verdicts } = await examine({}, { only: [CHANNEL, 'payout-lost'] });
  expect(verdicts).toMatchObject([{ verdict: 'not-applicable', note: 'the adapter does not export payOut' }]);
});
