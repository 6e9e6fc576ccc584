import type { MinorUnits } from '../../base/money.ts';
import type { Settlement } from '../../base/schema/records.ts';
import { feeOf, type Line, netOf } from './lines.ts';

export type Totals = NonNullable<Settlement['totals']>;
type Sums = Pick<Totals, 'count' | 'gross' | 'fee' | 'net'>;

/**
 * What lines add up to, and what becomes of it: all of it is transferred where it is at least the minimum and above 0, else it
 * is left to the next settlement. So carriedIn + net = transferred + carriedOut.
 */
export function totalsOf(lines: readonly Line[], carriedIn: MinorUnits, minimum: MinorUnits): Totals {
  const all = sumsOf(lines);
  const types = [...new Set(lines.map(({ type }) => type))].sort();
  const amount = carriedIn + all.net;
  const transferred = amount >= Math.max(minimum, 1) ? amount : 0;
  return {
    ...all,
    carriedIn,
    transferred,
    carriedOut: amount - transferred,
    types: Object.fromEntries(types.map((type) => [type, sumsOf(lines.filter((line) => line.type === type))])),
  };
}

function sumsOf(lines: readonly Line[]): Sums {
  const sums = { count: lines.length, gross: 0, fee: 0, net: 0 };
  for (const line of lines) {
    sums.gross += line.gross;
    sums.fee += feeOf(line);
    sums.net += netOf(line);
  }
  return sums;
}
