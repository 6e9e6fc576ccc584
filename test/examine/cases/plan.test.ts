import { caseIdOf, isTriedAlone, situationsOf } from '../../../src/examine/cases/case.ts';
import { missingSupportFor, planCases } from '../../../src/examine/cases/plan.ts';
import { ReachedCalls } from '../../../src/examine/cases/reached-calls.ts';
import { RACES } from '../../../src/examine/race/races.ts';
import type { Adapter } from '../../../src/examine/shop/adapter.ts';
import { QuietPeriod } from '../../../src/examine/shop/quiet-period.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';

const succeed = async () => undefined;
const WITHOUT_JOB: Adapter = { placeOrder: async () => ({ orderId: '1' }) };
const ADAPTER: Adapter = { ...WITHOUT_JOB, reconcile: succeed };
const RESTARTABLE: Adapter = { ...ADAPTER, restart: succeed };
const WEBHOOK = { url: 'http://shop.test/webhook', secret: 'whsec_' };
const race = (id: string) => RACES.filter((each) => each.id === `race-${id}`);

const CHANNELS = ['qr-wallet', 'mobile-money'];

function planFor(areChannelsNamed: boolean) {
  const selection = { channels: CHANNELS, areChannelsNamed, namedIds: [], findings: [] };
  return planCases(selection, SITUATIONS, CHANNELS, new ReachedCalls(), () => false);
}

it('only outcomes and a lost notification are planned on each channel, unless the user named channels', () => {
  const idsOn = (wanted: string) =>
    planFor(false).flatMap(({ testCase, channel }) => (channel === wanted ? [caseIdOf(testCase)] : []));
  expect(idsOn('mobile-money').toSorted()).toEqual(
    ['notified-never', 'paid', 'failed', 'cancelled', 'expired', 'paid-after-failure', 'paid-after-expiry'].toSorted(),
  );
  const onBoth = planFor(true).filter(({ testCase }) => !isTriedAlone(testCase));
  const onOne = planFor(false).filter(({ testCase, channel }) => channel === 'qr-wallet' && !isTriedAlone(testCase));
  expect(onBoth.length).toBe(2 * onOne.length);
});

it('a plan begins with orders without faults', () => {
  const kinds = planFor(false).map(({ testCase }) => situationsOf(testCase)[0]?.kind);
  const outcomes = kinds.filter((kind) => kind === 'outcome');
  expect(kinds.slice(0, outcomes.length)).toEqual(outcomes);
});

it('a plan has the races at the end, on one channel', () => {
  const cases = planFor(true);
  const races = cases.filter(({ testCase }) => testCase.race.race);
  expect(races.length).toBe(RACES.filter((each) => each.race).length);
  expect(new Set(races.map(({ channel }) => channel))).toEqual(new Set(['qr-wallet']));
  expect(cases.slice(-races.length)).toEqual(races);
});

it('no two races have the same steps and outcome', () => {
  const races = RACES.filter((each) => each.race).map((each) => JSON.stringify(each.race));
  expect(new Set(races).size).toBe(races.length);
});

it.each([
  ['return-alone-paid', { adapter: { ...ADAPTER, returnFromPayment: succeed }, webhook: undefined }, undefined],
  ['return-alone-paid', { adapter: ADAPTER, webhook: WEBHOOK }, 'not-exercised'],
  ['notification-during-reconciler-paid', { adapter: ADAPTER, webhook: undefined }, 'not-applicable'],
  ['notification-during-reconciler-paid', { adapter: WITHOUT_JOB, webhook: WEBHOOK }, 'not-applicable'],
  ['notification-during-reconciler-paid', { adapter: ADAPTER, webhook: WEBHOOK }, undefined],
  ['attempts-at-once-again', { adapter: ADAPTER, webhook: WEBHOOK }, 'not-exercised'],
  ['attempts-at-once-again', { adapter: { ...ADAPTER, payAgain: succeed }, webhook: WEBHOOK }, undefined],
  ['killed-while-notified-paid', { adapter: ADAPTER, webhook: WEBHOOK }, 'not-applicable'],
  ['killed-while-notified-paid', { adapter: RESTARTABLE, webhook: WEBHOOK }, 'not-exercised'],
  ['killed-while-notified-paid', { adapter: RESTARTABLE, webhook: WEBHOOK, shopProcess: {} }, undefined],
])('whether the race %s can be tried is known in advance', (id, members, verdict) => {
  const target = members as Parameters<typeof missingSupportFor>[1];
  expect(race(id)).toHaveLength(1);
  expect(missingSupportFor(race(id), target)?.verdict).toBe(verdict);
});

it('a return needs no adapter function if the payment contains its address', () => {
  const target = { adapter: ADAPTER, webhook: WEBHOOK, shopProcess: undefined, quietPeriod: new QuietPeriod() };
  expect(missingSupportFor(race('return-alone-paid'), target, true)).toBeUndefined();
});

it.each([
  ['zone-ahead', ADAPTER, 'not-exercised'],
  ['payout-lost', ADAPTER, 'not-applicable'],
  ['payout-lost', { ...ADAPTER, payOut: succeed }, undefined],
  ['many-open', ADAPTER, undefined],
  ['many-open', WITHOUT_JOB, 'not-applicable'],
  ['many-open', { ...WITHOUT_JOB, patienceMs: 5000 }, undefined],
  ['race-reconciler-and-notification-at-once-paid', { ...WITHOUT_JOB, patienceMs: 5000 }, 'not-applicable'],
])('whether the shop and its adapter support %s is known in advance', (id, adapter, verdict) => {
  const situations = SITUATIONS.filter((each) => each.id === id);
  expect(situations).toHaveLength(1);
  const quietPeriod = new QuietPeriod(adapter.patienceMs);
  const target = { adapter, webhook: WEBHOOK, shopProcess: undefined, quietPeriod };
  expect(missingSupportFor(situations, target)?.verdict).toBe(verdict);
});
