import { linesOf } from '../../../src/examine/observation/story.ts';
import type { Adapter } from '../../../src/examine/shop/adapter.ts';
import { examineRace } from './examine-race.ts';

const DURING = 'race-notification-during-return-paid';

const verdictsOf = async (wanted: Parameters<typeof examineRace>[0]) => (await examineRace(wanted)).verdicts;

it('a correct shop has no violations', async () => {
  const only = [DURING, 'race-return-before-notification-late', 'race-notification-before-answer-failed'];
  const verdicts = await verdictsOf({ only });
  expect(verdicts.length).toBeGreaterThan(8);
  expect(verdicts.filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
});

it('a shop that lets the notification wait until the return is answered has no violations', async () => {
  const verdicts = await verdictsOf({ isLocking: true, only: [DURING, 'race-return-during-return-paid'] });
  expect(verdicts.length).toBeGreaterThan(8);
  expect(verdicts.filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
});

it('the story of a race has its steps in order', async () => {
  const [found] = await verdictsOf({ mistake: 'an old object is written back', only: [`I2-${DURING}-card-switch`] });
  expect(found).toMatchObject({ verdict: 'violated', isScored: false });
  const lines = linesOf(found?.history ?? []).map((line) => line.slice(20).replace(/RACE-\d+/g, 'RACE-n'));
  const steps = [
    'shop accepts an order',
    'shop sends POST',
    'browser returns to /return?order=RACE-n',
    'shop sends GET /sandbox/api/getPaymentDetails for RACE-n: processed, but the answer is held',
    'provider records payment-1 as Paid',
    'provider sends delivery-1 (Notification payment.paid): shop answered 204',
    'provider sends the answer to the status query, which was held: it says Processing',
    'shop says in the end: open, fulfilled once',
    'shop says after reconciliation: paid, fulfilled 2 times',
  ];
  const places = steps.map((step) => lines.findIndex((line) => line.startsWith(step)));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

it('a race that cannot be tried says what it needs, and places no order', async () => {
  const only = ['race-return-alone-paid', 'race-attempts-at-once-again', 'race-reconciler-before-notification-paid'];
  const { verdicts, cases } = await examineRace({
    only,
    change: ({ returnFromPayment: _, payAgain: __, reconcile: ___, ...adapter }) => adapter,
  });
  const notes = Object.fromEntries(verdicts.map(({ situation, verdict, note }) => [situation, [verdict, note]]));
  expect(notes).toEqual({
    [only[0] ?? '']: ['not-exercised', expect.stringContaining('export returnFromPayment(orderId, { url, signal })')],
    [only[1] ?? '']: ['not-exercised', expect.stringContaining('export payAgain(orderId, { channel, signal })')],
    [only[2] ?? '']: ['not-applicable', 'the adapter does not export reconcile'],
  });
  expect(cases).toBeLessThan(6);
});

it('a race that needs a second attempt does not apply to a shop that refuses it', async () => {
  const change = (adapter: Adapter): Adapter => ({
    ...adapter,
    payAgain: async () => {
      throw new Error('the first payment is open');
    },
  });
  const verdicts = await verdictsOf({ only: ['race-first-success-after-second-attempt-first-attempt'], change });
  expect(verdicts.map(({ verdict, note }) => [verdict, note])).toEqual(
    ['I2', 'I4', 'I9'].map(() => ['not-applicable', 'the shop refused the second attempt: the first payment is open']),
  );
});

it.each([
  ['race-return-elsewhere-paid', 'let returnFromPayment resolve with { url }'],
  ['race-notification-during-return-paid', 'the return causes no status query that could be held'],
])('a return that opens no page means that %s is not exercised', async (only, note) => {
  const change = (adapter: Adapter): Adapter => ({
    ...adapter,
    returnFromPayment: async () => undefined,
  });
  const verdicts = await verdictsOf({ only: [only], change });
  expect(verdicts[0]).toMatchObject({ verdict: 'not-exercised', note: expect.stringContaining(note) });
});
