import type { MinorUnits } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { feeOf, type SettlementLine } from './settlement-lines.ts';

export type SettlementTotals = NonNullable<Settlement['totals']>;
type Sums = Pick<SettlementTotals, 'count' | 'gross' | 'fee' | 'net'>;

/** What becomes of what lines add up to. */
export interface Terms {
  /** What is less is carried over, unless it is below 0. */
  minimum: MinorUnits;
  /** What becomes of a balance below 0. */
  negativeBalance: 'carry' | 'collect' | 'invoice';
}

/**
 * What lines add up to, and what becomes of it: all of it is transferred where it is at least the minimum and above 0, or is below 0
 * and collected; all of it is put on the month's invoice where it is below 0 and invoiced; else it is left to the next settlement.
 * So carriedIn + net = transferred + carriedOut + invoiced.
 */
export function* totalsOf(
  lines: readonly SettlementLine[],
  carriedIn: MinorUnits,
  terms: Terms,
): Steps<SettlementTotals> {
  const all = noSums();
  const byType = new Map<string, Sums>();
  for (const line of lines) {
    const sums = byType.get(line.type) ?? noSums();
    byType.set(line.type, sums);
    addLine(all, line);
    addLine(sums, line);
    yield;
  }
  const amount = carriedIn + all.net;
  const fate = fateOf(amount, terms);
  return {
    ...all,
    carriedIn,
    transferred: fate === 'transferred' ? amount : 0,
    carriedOut: fate === 'carriedOut' ? amount : 0,
    ...(fate === 'invoiced' ? { invoiced: amount } : {}),
    types: Object.fromEntries([...byType].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

function fateOf(amount: MinorUnits, { minimum, negativeBalance }: Terms): 'transferred' | 'carriedOut' | 'invoiced' {
  if (amount < 0 && negativeBalance !== 'carry') {
    return negativeBalance === 'collect' ? 'transferred' : 'invoiced';
  }
  return amount >= Math.max(minimum, 1) ? 'transferred' : 'carriedOut';
}

export function* sumsOf(lines: readonly SettlementLine[]): Steps<Sums> {
  const sums = noSums();
  for (const line of lines) {
    addLine(sums, line);
    yield;
  }
  return sums;
}

function noSums(): Sums {
  return { count: 0, gross: 0, fee: 0, net: 0 };
}

function addLine(sums: Sums, line: SettlementLine): void {
  const fee = feeOf(line);
  sums.count += 1;
  sums.gross += line.gross;
  sums.fee += fee;
  sums.net += line.gross + fee;
}
