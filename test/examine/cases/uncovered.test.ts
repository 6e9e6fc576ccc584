import { type CellKey, type CoverageCell, cellKeyOf } from '../../../src/base/report/coverage-cells.ts';
import { situationsOf } from '../../../src/examine/cases/case.ts';
import { planCases } from '../../../src/examine/cases/plan.ts';
import { ReachedCalls } from '../../../src/examine/cases/reached-calls.ts';
import { isUncoveredBy } from '../../../src/examine/cases/uncovered.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { faultCells } from '../../../src/server/findings/coverage/faults.ts';
import { notificationCells } from '../../../src/server/findings/coverage/notifications.ts';
import { outcomeCells } from '../../../src/server/findings/coverage/outcomes.ts';

const fixtures = await loadFixtures();
const CELLS = [...outcomeCells(fixtures), ...faultCells(), ...notificationCells(fixtures)];
const CHANNELS = ['mobile-money', 'qr-wallet'];

/** The coverage of a suite that has seen all cells but these. */
function coverageWithout(isMissed: (cell: CellKey) => boolean): CoverageCell[] {
  return CELLS.map((cell) => ({ ...cell, degree: isMissed(cell) ? 'produced' : 'seen' }));
}

function uncoveredWithout(isMissed: (cell: CellKey) => boolean, channel = 'mobile-money'): string[] {
  const isUncovered = isUncoveredBy(coverageWithout(isMissed));
  return SITUATIONS.filter((each) => isUncovered(each, channel)).map(({ id }) => id);
}

it('situations refer only to existing cells, so none is uncovered with full coverage', () => {
  expect(uncoveredWithout(() => false)).toEqual([]);
  const observable = SITUATIONS.filter(({ payment, statusQuery, other }) => payment ?? statusQuery ?? other);
  expect(uncoveredWithout(() => true)).toEqual(observable.map(({ id }) => id));
});

it.each([
  ['an outcome', ({ what }: CellKey) => what.startsWith('Cancelled '), ['cancelled']],
  ['a notification', ({ what }: CellKey) => what === 'burst', ['notified-at-once']],
  ['a status query', (cell: CellKey) => cellKeyOf(cell) === 'faults: getPaymentStatus: reset', ['query-cut']],
  ['a reversal', ({ of }: CellKey) => of === 'payment.reversed', ['reversed']],
  [
    'a reversed chargeback among several changes',
    ({ of }: CellKey) => of === 'payment.chargeback-reversed',
    ['chargeback-won', 'chargeback-won-again'],
  ],
  ['another call', (cell: CellKey) => cellKeyOf(cell) === 'faults: calculateFees: reset', ['calculateFees-cut']],
  // Shops use different operations to pay, so one of them is enough.
  ['one operation of several', (cell: CellKey) => cellKeyOf(cell) === 'faults: initiatePayment: reset', []],
])('tests that have never seen %s leave exactly its situations uncovered', (_what, isMissed, expected) => {
  expect(uncoveredWithout(isMissed)).toEqual(expected);
});

it('each channel has its own uncovered situations, and without coverage no situation is uncovered', () => {
  const isMissed = ({ of, what }: CellKey) => of === 'qr-wallet' && what.startsWith('Failed ');
  expect(uncoveredWithout(isMissed, 'mobile-money')).toEqual([]);
  expect(uncoveredWithout(isMissed, 'qr-wallet')).toContain('failed');
  expect(SITUATIONS.some((each) => isUncoveredBy(undefined)(each, 'qr-wallet'))).toBe(false);
});

it('a plan starts with orders without faults, then uncovered situations, then all others', () => {
  const selection = { channels: CHANNELS, areChannelsNamed: true, namedIds: [], findings: [] };
  const casesFor = (coverage: CoverageCell[] | undefined) =>
    planCases(selection, SITUATIONS, CHANNELS, new ReachedCalls(), isUncoveredBy(coverage)).map(
      ({ testCase, channel }) => `${situationsOf(testCase)[0]?.id} ${channel}`,
    );
  const defaultOrder = casesFor(undefined);
  const ordered = casesFor(coverageWithout(({ what }) => what === 'burst' || what === 'tampered'));
  const undisturbed = defaultOrder.findIndex((place) => place.startsWith('notified'));
  expect(ordered.slice(0, undisturbed)).toEqual(defaultOrder.slice(0, undisturbed));
  expect(ordered.slice(undisturbed, undisturbed + 4)).toEqual(
    ['notified-at-once', 'notified-tampered'].flatMap((id) => CHANNELS.map((channel) => `${id} ${channel}`)),
  );
  expect(ordered.toSorted()).toEqual(defaultOrder.toSorted());
});
