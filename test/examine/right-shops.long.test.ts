import { createDesignExaminer, problemsIn, verdictIn } from './examine-design.ts';
import type { Design } from './shop-of-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';
const TWO_CHANNELS = ['mobile-money', 'card-switch'];

/** A page that causes nothing: the shop waits for notifications and its job. */
const returnFromPayment = async () => ({});

const mobileNames: Readonly<Record<string, string>> = { open: 'new', paid: 'processing' };
const cardNames: Readonly<Record<string, string>> = { open: 'processing', paid: 'done' };

it.each<[string, Design, string[]]>([
  [
    'whose job ends at its first failure',
    { forgetsToken: true, stopsAtFailure: true },
    ['I4-getAccessToken-refused+query-refused-mobile-money'],
  ],
  [
    'whose worker waits in a held call',
    { hasWorker: true, retryMs: 300, timeoutMs: 2500, exportsJob: false },
    ['answer-never'],
  ],
  [
    'whose queue tries again every 2 s',
    { hasWorker: true, polls: true, retryMs: 2000, exportsJob: false },
    ['query-refused', 'call-refused', 'answer-lost', 'failed'],
  ],
  ['whose job queries an unpaid order forever', { jobMs: 300 }, ['calls-refused']],
  ['that runs its own job every 8 s', { jobMs: 8000 }, ['notified-never']],
  ['that states how long its own job takes', { jobMs: 3000, stated: { patienceMs: 5000 } }, ['notified-never']],
  ['that ships 8 s later', { shipMs: 8000, exportsJob: false }, ['paid']],
  ['that keeps a token until its documented expiry', { trustsToken: true }, ['notified-twice', 'refunded']],
  ['whose orders are open again after a failure', { reopens: true, stated: { reopens: true } }, ['failed', 'expired']],
  [
    'whose own job corrects an order after a race',
    { jobMs: 2000, stated: { patienceMs: 6000, returnFromPayment } },
    ['race-return-alone-paid'],
  ],
  ['that verifies signatures', {}, ['forged-refund']],
  [
    'that requests a payment only after it has accepted the order',
    { hasWorker: true, retryMs: 300, requestAfterMs: 300, stated: { returnFromPayment } },
    ['race-return-before-notification-paid', 'race-reconciler-before-notification-late'],
  ],
  [
    'whose job queries the orders of earlier cases first',
    { queriesOldestFirst: true },
    ['query-refused', 'query-cut', 'query-broken'],
  ],
  ['whose own job queries a status that lags', { jobMs: 1500 }, ['I12-query-lags+paid-after-expiry-mobile-money']],
])('a correct shop %s has no violations', async (_what, design, only) => {
  expect(problemsIn(await examine(design, { only: [CHANNEL, ...only] }))).toEqual([]);
});

it('a situation about one amount is not exercised if the user names another', async () => {
  const examined = await examine({}, { only: [CHANNEL, 'amount-whole'], amount: '19.99' });
  expect(verdictIn(examined, 'I5')).toMatchObject({
    verdict: 'not-exercised',
    note: 'this did not happen: the order costs 20.00, which has no cents',
  });
});

it('a race that is interrupted before its notification is not exercised', async () => {
  const design = { exportsJob: false, stated: { patienceMs: 100, returnFromPayment } };
  const examined = await examine(design, { only: [CHANNEL, 'race-return-before-answer-paid'] });
  expect(verdictIn(examined, 'I4')).toMatchObject({
    verdict: 'not-exercised',
    note: expect.stringContaining('the shop shows no order before its payment request is answered'),
  });
});

it('the state names of one channel are not applied to another', async () => {
  const stateName: Design['stateName'] = (state, { channel }) =>
    (channel === CHANNEL ? mobileNames : cardNames)[state] ?? state;
  expect(problemsIn(await examine({ stateName }, { only: [...TWO_CHANNELS, 'older-again'] }))).toEqual([]);
});

it.each<[string, NonNullable<Design['stateName']>]>([
  ['an id', (state, { id }) => `${state} ${id}`],
  ['its own number', (state, { id }) => (state === 'paid' ? `shipped #${7 * Number(id.split('-')[1])}` : state)],
])('a shop whose state names contain %s is asked for other names, and not judged', async (_what, stateName) => {
  const examined = await examine({ stateName, mistake: 'ignores-failures' }, { only: [CHANNEL, 'failed'] });
  expect(problemsIn(examined)).toEqual([expect.stringMatching(/^I4-paid-mobile-money inconclusive .* must be a word/)]);
});

it.each<[string, Design, string, string]>([
  ['has a job that sends no queries', { mistake: 'never-reconciles' }, 'notified-never', 'I4'],
  [
    'states how long its own job takes, but has none',
    { exportsJob: false, stated: { patienceMs: 500 } },
    'notified-never',
    'I4',
  ],
  ['pays again after a call that was never answered', { mistake: 'pays-again' }, 'answer-never', 'I10'],
  [
    'pays again half a second after a lost answer',
    { mistake: 'pays-again', hasWorker: true, retryMs: 500 },
    'answer-lost',
    'I10',
  ],
  [
    'has a slow worker that ships twice',
    { hasWorker: true, shipMs: 700, mistake: 'ships-twice' },
    'notified-twice',
    'I2',
  ],
  ['leaves an order open after a failure', { mistake: 'ignores-failures' }, 'failed', 'I11'],
  [
    'leaves all orders open, and states that none can be paid again',
    { reopens: true, stated: { reopens: false } },
    'failed',
    'I11',
  ],
  // The payer pays only after the shop has given up.
  ['pays again while the payment is undecided', { mistake: 'pays-again-undecided' }, 'answer-never', 'I3'],
  [
    'has a worker that pays again while the payment is undecided',
    { hasWorker: true, retryMs: 300, timeoutMs: 2500, mistake: 'pays-again-undecided' },
    'answer-never',
    'I3',
  ],
  [
    'counts an order as unpaid, in a new state, after an earlier failure is sent again',
    {
      mistake: 'believes-the-last',
      stateName: (state, { fulfilments }) => (state === 'failed' && fulfilments > 0 ? 'review' : state),
    },
    'older-again',
    'I6',
  ],
  ['verifies no signature', { mistake: 'verifies-nothing' }, 'forged-refund', 'I7'],
  ['compares whole units', { mistake: 'compares-whole-units' }, 'forged-amount', 'I7'],
  ['rounds cents down', { mistake: 'floors-cents' }, 'amount-inexact', 'I5'],
  ['writes 12.05 as 12.5', { mistake: 'does-not-pad-cents' }, 'amount-padded', 'I5'],
  ['ignores a late payment', { mistake: 'ignores-late' }, 'paid-after-expiry', 'I12'],
])('the examination detects that a shop %s', async (_what, design, only, invariant) => {
  const examined = await examine(design, { only: [CHANNEL, only] });
  expect(verdictIn(examined, invariant)).toMatchObject({ verdict: 'violated' });
});

it.each<[string, Design, string, string, RegExp]>([
  [
    'whether a job runs by itself',
    { exportsJob: false },
    'notified-never',
    'I4',
    /if a job does that later, export reconcile/,
  ],
  ['whether an open order can be paid again', { reopens: true }, 'failed', 'I11', /set reopens in the adapter/],
])('the user is asked %s', async (_what, design, only, invariant, words) => {
  const examined = await examine(design, { only: [CHANNEL, only] });
  expect(verdictIn(examined, invariant)).toMatchObject({ verdict: 'inconclusive', note: expect.stringMatching(words) });
});

it('a case is tried again with the same amount, because a mistake may depend on it', async () => {
  const examined = await examine({ mistake: 'truncates' }, { only: [CHANNEL, 'notified-twice', 'paid'], seed: 3 });
  expect(verdictIn(examined, 'I5')?.verdict).toBe('violated');
});

it('the verdicts blame no forgery if none was sent', async () => {
  const { verdicts } = await examine({ mistake: 'fulfils-unpaid' }, { only: [CHANNEL, 'failed'] });
  const violated = verdicts.filter(({ verdict }) => verdict === 'violated').map(({ invariant }) => invariant);
  expect(violated).toContain('I1');
  expect(violated).not.toContain('I7');
});

it('the note on a shop that gets no payment names its refused payment request, not a later call', async () => {
  const { verdicts } = await examine({ mistake: 'sends-no-amount' }, { only: [CHANNEL, 'paid'] });
  expect(verdicts[0]?.note).toMatch(/its request for a payment, POST .*\/wallet, was answered: .*amount/);
});

it('a shop whose first order fails is still examined', async () => {
  let orders = 0;
  const refuseFirst = () => {
    orders += 1;
    return orders === 1;
  };
  expect(problemsIn(await examine({ refuses: refuseFirst }, { only: [CHANNEL, 'paid'] }))).toEqual([]);
});
