import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';
import type { Design } from '../shop-of-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';
const EQUAL = ['equal-orders-at-once', 'equal-order-first-paid', 'equal-order-last-paid'];
const AFTER_RESTART = 'equal-order-after-restart';
const MANY = ['many-open', 'many-open-one-unknown'];

it.each<[string, Design, string[]]>([
  ['without a worker', {}, [...EQUAL, ...MANY]],
  ['that is restarted between two orders', { restarts: true }, [AFTER_RESTART]],
  ['with a slow worker', { hasWorker: true, retryMs: 300, shipMs: 200 }, [...EQUAL, ...MANY]],
  ['that runs its own job and exports none', { jobMs: 1000 }, EQUAL],
  ['that states how long its own job takes', { jobMs: 1000, stated: { patienceMs: 4000 } }, MANY],
  ['whose orders are open again after a failure', { reopens: true, stated: { reopens: true } }, EQUAL],
])('a correct shop %s handles several open orders', async (_what, design, only) => {
  const examined = await examine(design, { only: [CHANNEL, ...only] });
  expect(problemsIn(examined)).toEqual([]);
  expect(new Set(examined.verdicts.map(({ situation }) => situation))).toEqual(new Set(only));
});

it.each<[string, Design, string, string]>([
  ['finds the oldest order by its amount', { mistake: 'finds-the-oldest-by-amount' }, 'equal-order-last-paid', 'I1'],
  ['finds the newest order by its amount', { mistake: 'finds-the-newest-by-amount' }, 'equal-order-first-paid', 'I1'],
  [
    'counts its references from one after a restart',
    { mistake: 'counts-from-one-after-restart', restarts: true },
    AFTER_RESTART,
    'I16',
  ],
  [
    'repeats the ids of its orders after a restart',
    { mistake: 'repeats-ids-after-restart', restarts: true },
    AFTER_RESTART,
    'I16',
  ],
  ['makes references from customer and amount', { mistake: 'shares-references' }, 'equal-orders-at-once', 'I16'],
  ['queries only one page of orders', { mistake: 'pages-once' }, 'many-open', 'I4'],
  [
    'queries only one page of orders in its own job',
    { mistake: 'pages-once', jobMs: 1000, stated: { patienceMs: 4000 } },
    'many-open',
    'I4',
  ],
  ['ends its job at the first failure', { stopsAtFailure: true }, 'many-open-one-unknown', 'I4'],
])('a shop that %s is detected', async (_what, design, situation, invariant) => {
  const examined = await examine(design, { only: [CHANNEL, situation] });
  expect(verdictIn(examined, invariant)).toMatchObject({ verdict: 'violated', situation, isScored: false });
});

it('the story has both of two equal orders', async () => {
  const examined = await examine(
    { mistake: 'finds-the-oldest-by-amount' },
    { only: [CHANNEL, 'equal-order-last-paid'] },
  );
  const story = verdictIn(examined, 'I1')?.history.map(({ text }) => text) ?? [];
  expect(story).toEqual(
    expect.arrayContaining([
      'accepts 1 other order like it',
      expect.stringMatching(/^says of the other order in the end: /),
    ]),
  );
  expect(story.filter((text) => text.startsWith('records payment-'))).toHaveLength(4);
});

it('equal orders that a shop merges into one are not exercised', async () => {
  const examined = await examine({ mergesEqual: true }, { only: [CHANNEL, ...EQUAL, 'many-open'] });
  const verdicts = examined.verdicts
    .filter(({ invariant }) => invariant === 'I4')
    .map(({ situation, verdict }) => [situation, verdict]);
  expect(verdicts).toEqual([...EQUAL.map((id) => [id, 'not-exercised']), ['many-open', 'handled-after-reconcile']]);
  expect(examined.verdicts[0]?.note).toContain('it needs another customer');
});

it('the verdict names the export that is missing to run the job of a shop', async () => {
  const examined = await examine({ exportsJob: false }, { only: [CHANNEL, 'many-open'] });
  expect(examined.verdicts[0]).toMatchObject({
    verdict: 'not-applicable',
    note: 'the adapter does not export reconcile',
  });
});
