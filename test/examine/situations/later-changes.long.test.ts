import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';
import type { Design } from '../shop-of-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';
const ALL = [
  'late-failure',
  'older-first-time',
  'paid-after-refund',
  'refunded-first-again',
  'partly-refunded',
  'partly-refunded-again',
  'partly-refunded-twice',
  'partly-charged-back',
  'chargeback-won',
  'chargeback-won-again',
];

it('a correct shop handles each change of a payment', async () => {
  const examined = await examine({}, { only: [CHANNEL, ...ALL] });
  expect(problemsIn(examined)).toEqual([]);
  expect(new Set(examined.verdicts.map(({ situation }) => situation))).toEqual(new Set(ALL));
});

it('a shop that keeps the whole amount with another state has no violations', async () => {
  const only = [CHANNEL, 'partly-refunded', 'partly-charged-back'];
  expect(problemsIn(await examine({ keepsAmounts: true }, { only }))).toEqual([]);
});

it.each<[NonNullable<Design['mistake']>, string, string]>([
  ['ignores-late-failure', 'late-failure', 'I8'],
  ['believes-the-last', 'older-first-time', 'I6'],
  ['believes-the-last', 'paid-after-refund', 'I8'],
  ['believes-the-last', 'refunded-first-again', 'I8'],
  ['ignores-parts', 'partly-refunded', 'I13'],
  ['ignores-parts', 'partly-charged-back', 'I13'],
  ['counts-parts-again', 'partly-refunded-again', 'I13'],
  ['compares-amounts', 'partly-refunded-twice', 'I13'],
  ['ignores-won-chargeback', 'chargeback-won', 'I13'],
  ['counts-parts-again', 'chargeback-won-again', 'I13'],
])('the mistake %s in %s violates %s', async (mistake, situation, invariant) => {
  const found = verdictIn(await examine({ mistake }, { only: [CHANNEL, situation] }), invariant);
  expect(found).toMatchObject({ verdict: 'violated', situation, isScored: false });
});

it('a late failure is not exercised by a shop that queries no status, because it looks like an old one', async () => {
  const found = verdictIn(await examine({ mistake: 'never-queries' }, { only: [CHANNEL, 'late-failure'] }), 'I8');
  expect(found).toMatchObject({ verdict: 'not-exercised', note: expect.stringMatching(/did not query the status/) });
});

it('a late failure that only the job of the shop can find is handled after reconciliation', async () => {
  const design = { mistake: 'never-queries', queriesPaid: true } as const;
  const found = verdictIn(await examine(design, { only: [CHANNEL, 'late-failure'] }), 'I8');
  expect(found).toMatchObject({ verdict: 'handled-after-reconcile' });
});

it('the verdict on a shop that drops the amount after a partial refund is inconclusive, and asks for the remaining amount', async () => {
  const found = verdictIn(await examine({ mistake: 'drops-amounts' }, { only: [CHANNEL, 'partly-refunded'] }), 'I13');
  expect(found).toMatchObject({ verdict: 'inconclusive', note: expect.stringMatching(/return that as paidAmount/) });
});

describe('a backdated order', () => {
  const only = [CHANNEL, 'order-backdated'];

  it.each<[string, Design]>([
    ['queries all open orders', {}],
    ['runs its own job and exports none', { jobMs: 3000, stated: { patienceMs: 10_000 } }],
  ])('is fulfilled by a shop that %s', async (_what, design) => {
    const examined = await examine({ backdates: true, ...design }, { only });
    expect(problemsIn(examined)).toEqual([]);
    expect(examined.verdicts.map(({ situation }) => situation)).toEqual(['order-backdated', 'order-backdated']);
  });

  it('is lost by a shop that handles a lost notification, but whose job queries only recent orders', async () => {
    const design = { backdates: true, mistake: 'queries-recent-only' } as const;
    const examined = await examine(design, { only: [...only, 'notified-never'] });
    const of = (situation: string) => examined.verdicts.find((each) => each.id === `I4-${situation}-${CHANNEL}`);
    expect(of('notified-never')?.verdict).toBe('handled-after-reconcile');
    expect(of('order-backdated')).toMatchObject({ verdict: 'violated', isScored: false });
    expect(of('order-backdated')?.history).toContainEqual(
      expect.objectContaining({ text: 'backdates the order by 90 minutes' }),
    );
  });

  it('is not exercised by a shop that has already fulfilled the order', async () => {
    const found = verdictIn(
      await examine({ backdates: true, hasWorker: true, retryMs: 10, polls: true }, { only }),
      'I4',
    );
    expect(found?.verdict).toBe('not-exercised');
  });

  it('is not tried with an adapter that cannot backdate', async () => {
    const { verdicts } = await examine({}, { only });
    expect(new Set(verdicts.map(({ note }) => note))).toEqual(new Set(['the adapter does not export backdate']));
  });
});
