import type { MinorUnits } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { feeOf, type SettlementLine } from './settlement-lines.ts';

export type SettlementTotals = NonNullable<Settlement['totals']>;
type Sums = Pick<SettlementTotals, 'count' | 'gross' | 'fee' | 'net'>;

/** The rules that decide whether the total of a settlement is transferred. */
export interface SettlementTerms {
  /** A smaller positive total is carried over. */
  minimum: MinorUnits;
  negativeBalance: 'carry' | 'collect' | 'invoice';
}

/** carriedIn + net is transferred, carried over or invoiced as a whole. Adds up in steps, so that other work can run. */
export function* totalsOf(
  lines: readonly SettlementLine[],
  carriedIn: MinorUnits,
  terms: SettlementTerms,
): Steps<SettlementTotals> {
  const allSums = zeroSums();
  const byType = new Map<string, Sums>();
  for (const line of lines) {
    const sums = byType.get(line.type) ?? zeroSums();
    byType.set(line.type, sums);
    addLine(allSums, line);
    addLine(sums, line);
    yield;
  }
  const amount = carriedIn + allSums.net;
  const disposition = dispositionOf(amount, terms);
  return {
    ...allSums,
    carriedIn,
    transferred: disposition === 'transferred' ? amount : 0,
    carriedOut: disposition === 'carriedOut' ? amount : 0,
    ...(disposition === 'invoiced' ? { invoiced: amount } : {}),
    types: Object.fromEntries([...byType].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

function dispositionOf(amount: MinorUnits, { minimum, negativeBalance }: SettlementTerms) {
  if (amount < 0 && negativeBalance !== 'carry') {
    return negativeBalance === 'collect' ? 'transferred' : 'invoiced';
  }
  return amount >= Math.max(minimum, 1) ? 'transferred' : 'carriedOut';
}

export function* sumsOf(lines: readonly SettlementLine[]): Steps<Sums> {
  const sums = zeroSums();
  for (const line of lines) {
    addLine(sums, line);
    yield;
  }
  return sums;
}

function zeroSums(): Sums {
  return { count: 0, gross: 0, fee: 0, net: 0 };
}

function addLine(sums: Sums, line: SettlementLine): void {
  const fee = feeOf(line);
  sums.count += 1;
  sums.gross += line.gross;
  sums.fee += fee;
  sums.net += line.gross + fee;
}
