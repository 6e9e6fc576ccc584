import { type CellKey as Cell, type CoverageCell, cellKeyOf } from '../../base/report/coverage-cells.ts';
import { ADJUSTMENT_EVENTS, type Fault, faultCell, OPERATIONS } from '../../server/index.ts';
import { INITIATIONS } from '../observation/observation.ts';
import type { Situation } from '../situations/situation.ts';

/** Whether a part of a situation never happened in the shop's own tests; only outcomes are distinguished by channel. */
export type IsUncovered = (situation: Situation, channel: string) => boolean;

/**
 * Without coverage of the shop's tests, no situation counts as uncovered. Actions of the shop, such as a restart, are not part of
 * coverage, and do not count either.
 */
export function isUncoveredBy(cells: readonly CoverageCell[] | undefined): IsUncovered {
  if (!cells) {
    return () => false;
  }
  const seenCells = cells.filter(({ degree }) => degree === 'seen');
  return (situation, channel) => cellTestsFor(situation, channel).some((showsPart) => !seenCells.some(showsPart));
}

type CellTest = (cell: Cell) => boolean;

interface Adjustment {
  kind: keyof typeof ADJUSTMENT_EVENTS;
}

/** The parts of a situation, each as a test for the coverage cells that show it. */
function cellTestsFor({ payment = {}, statusQuery = {}, other }: Situation, channel: string): CellTest[] {
  const { settle, webhook, adjustments, lateOutcome, fault } = payment as {
    settle?: { outcome: string };
    webhook?: { mode: string };
    adjustments?: Adjustment | Adjustment[];
    lateOutcome?: { outcome: string };
    fault?: Fault;
  };
  return [
    ...(settle
      ? [
          ({ class: name, of, what }: Cell) =>
            name === 'outcomes' && of === channel && what.startsWith(`${settle.outcome} `),
        ]
      : []),
    ...(webhook ? [({ class: name, what }: Cell) => name === 'notifications' && what === webhook.mode] : []),
    ...[adjustments ?? [], lateOutcome?.outcome === 'Failed' ? { kind: 'late-failure' as const } : []].flat().map(
      ({ kind }) =>
        ({ of }: Cell) =>
          of === ADJUSTMENT_EVENTS[kind],
    ),
    ...faultCellTests(INITIATIONS, fault),
    ...faultCellTests(new Set(['getPaymentStatus']), statusQuery['fault'] as Fault | undefined),
    ...(other ? faultCellTests(new Set([other.operation]), other.rule['fault'] as Fault | undefined) : []),
  ];
}

function faultCellTests(names: ReadonlySet<string>, fault: Fault | undefined): CellTest[] {
  if (!fault) {
    return [];
  }
  const cells = OPERATIONS.filter(({ name }) => names.has(name)).map((each) => cellKeyOf(faultCell(each, fault)));
  return [(cell) => cells.includes(cellKeyOf(cell))];
}
