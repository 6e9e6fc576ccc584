import type { MinorUnits } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { feeOf, type Line, netOf } from './lines.ts';

export type Totals = NonNullable<Settlement['totals']>;
type Sums = Pick<Totals, 'count' | 'gross' | 'fee' | 'net'>;

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
export function* totalsOf(lines: readonly Line[], carriedIn: MinorUnits, terms: Terms): Steps<Totals> {
  const all = yield* sumsOf(lines);
  const types: Totals['types'] = {};
  for (const type of [...new Set(lines.map((line) => line.type))].sort()) {
    types[type] = yield* sumsOf(lines.filter((line) => line.type === type));
  }
  const amount = carriedIn + all.net;
  const fate = fateOf(amount, terms);
  return {
    ...all,
    carriedIn,
    transferred: fate === 'transferred' ? amount : 0,
    carriedOut: fate === 'carriedOut' ? amount : 0,
    ...(fate === 'invoiced' ? { invoiced: amount } : {}),
    types,
  };
}

function fateOf(amount: MinorUnits, { minimum, negativeBalance }: Terms): 'transferred' | 'carriedOut' | 'invoiced' {
  if (amount < 0 && negativeBalance !== 'carry') {
    return negativeBalance === 'collect' ? 'transferred' : 'invoiced';
  }
  return amount >= Math.max(minimum, 1) ? 'transferred' : 'carriedOut';
}

export function* sumsOf(lines: readonly Line[]): Steps<Sums> {
  const sums = { count: lines.length, gross: 0, fee: 0, net: 0 };
  for (const line of lines) {
    sums.gross += line.gross;
    sums.fee += feeOf(line);
    sums.net += netOf(line);
    yield;
  }
  return sums;
}
