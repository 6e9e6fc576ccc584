import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { numberIn } from '../../../store/record-numbers.ts';
import { ACCOUNTS } from './accounts.ts';
import { type BookDifference, verify } from './difference.ts';
import { bookOf, isIn, linesOfRecord, netOf, type SettlementLine } from './settlement-lines.ts';
import { totalsOf } from './totals.ts';
import type { BookedRecord } from './walk.ts';

/** All that moved on one merchant's account in one environment and currency, and what was settled of it. */
interface MerchantBook {
  lines: SettlementLine[];
  settlements: Settlement[];
}

/**
 * Holds settlements against the lines that follow from the records: each line in one of them and no other, frozen totals that are
 * what the lines add up to, and nothing lost between one settlement and the next.
 */
export class SettlementAudit {
  readonly #books = new Map<string, MerchantBook>();

  look({ collection, record }: BookedRecord): void {
    for (const line of linesOfRecord(collection, record)) {
      this.#bookOf(line).lines.push(line);
    }
    if (collection === 'settlements') {
      this.#bookOf(record).settlements.push(record);
    }
  }

  /** What differs. `posted` is the balance of an account, by its environment, currency and name. */
  *close(posted: (environment: string, currency: string, account: string) => MinorUnits): Steps<BookDifference[]> {
    const differences: BookDifference[] = [];
    for (const { lines, settlements } of this.#books.values()) {
      const ordered = settlements.sort((one, other) => one.sequence - other.sequence);
      const { windows, left } = yield* assign(lines, ordered);
      for (const [index, window] of windows.entries()) {
        differences.push(...(yield* settlementBroken(window, ordered[index - 1], ordered[index + 1])));
      }
      for (const { recordId, move } of left) {
        differences.push(...verify(false, `move ${move} of ${recordId}`, 'a settlement that it is in', 'none'));
      }
      differences.push(...accountBroken(ordered, lines, posted));
      yield;
    }
    return differences;
  }

  #bookOf({ merchantId, ...of }: Pick<SettlementLine, 'merchantId' | 'environment' | 'currency'>): MerchantBook {
    const key = bookOf(merchantId, of);
    const known = this.#books.get(key) ?? { lines: [], settlements: [] };
    this.#books.set(key, known);
    return known;
  }
}

/** A settlement and the lines that are in it. */
interface Window {
  settlement: Settlement;
  lines: SettlementLine[];
}

/** Goes once through lines and settlements, both in the order of moves. */
function* assign(
  lines: SettlementLine[],
  settlements: readonly Settlement[],
): Steps<{ windows: Window[]; left: SettlementLine[] }> {
  const windows = settlements.map((settlement): Window => ({ settlement, lines: [] }));
  const left: SettlementLine[] = [];
  let at = 0;
  for (const line of lines.sort((one, other) => one.move - other.move)) {
    while ((windows[at]?.settlement.throughMove ?? Number.POSITIVE_INFINITY) < line.move) {
      at += 1;
    }
    const window = windows[at];
    (window && isIn(window.settlement, line) ? window.lines : left).push(line);
    yield;
  }
  return { windows, left };
}

/** Its outcome depends on the fixtures of its day: the records check that. */
const LEFT_OPEN = { minimum: Number.POSITIVE_INFINITY, negativeBalance: 'carry' } as const;

/** Where a settlement contradicts the one before it, or does not say what its lines do. */
function* settlementBroken(
  { settlement, lines }: Window,
  before: Settlement | undefined,
  after: Settlement | undefined,
): Steps<BookDifference[]> {
  const { id, sequence, previous, firstMove, throughMove, totals, latestOf } = settlement;
  const { merchantId, environment, currency } = settlement;
  const latest = after === undefined ? bookOf(merchantId, { environment, currency }) : null;
  const isNext = sequence === (before?.sequence ?? 0) + 1 && previous === (before?.id ?? null);
  const isApart = before === undefined || (before.throughMove !== null && before.throughMove < firstMove);
  const chain = [
    ...verify(
      isNext,
      id,
      `number ${(before?.sequence ?? 0) + 1}, after ${before?.id ?? 'none'}`,
      `${sequence}, after ${previous}`,
    ),
    ...verify(isApart, id, `moves after ${before?.throughMove}, which ${before?.id} ends with`, String(firstMove)),
    ...verify(latestOf === latest, id, `to be the latest of ${latest}`, String(latestOf)),
  ];
  for (const line of lines) {
    chain.push(...lineBroken(settlement, line));
    yield;
  }
  if (!totals || throughMove === null) {
    return chain;
  }
  const derived = yield* totalsOf(lines, before?.totals?.carriedOut ?? 0, LEFT_OPEN);
  const names = ['count', 'gross', 'fee', 'net', 'carriedIn'] as const;
  return [
    ...chain,
    ...names.flatMap((name) =>
      verify(totals[name] === derived[name], id, `${name} ${derived[name]}, by the records`, String(totals[name])),
    ),
  ];
}

/** Lines are looked for among the records between the first and the last of a settlement, and come before its cut-off. */
function lineBroken({ id, cutOff, first, last }: Settlement, line: SettlementLine): BookDifference[] {
  const { at, move, collection, recordId } = line;
  const subject = `move ${move} of ${recordId}`;
  const number = numberIn(collection, recordId);
  const [from, to] = [first[collection] ?? Number.POSITIVE_INFINITY, last ? (last[collection] ?? 0) : number];
  return [
    ...verify(at < cutOff, subject, `a time before the cut-off of ${id}`, String(at)),
    ...verify(from <= number && number <= to, subject, `a number from ${from} to ${to}, by ${id}`, String(number)),
  ];
}

/** What a merchant is owed is what was carried over, and what is still to be settled. */
function accountBroken(
  settlements: readonly Settlement[],
  lines: readonly SettlementLine[],
  posted: (environment: string, currency: string, account: string) => MinorUnits,
): BookDifference[] {
  const [{ merchantId, environment, currency } = { merchantId: '', environment: '', currency: '' }] = [
    ...settlements,
    ...lines,
  ];
  const closed = settlements.filter(({ totals }) => totals !== null).at(-1);
  const unsettled = lines.filter(({ move }) => move > (closed?.throughMove ?? 0));
  const expected = unsettled.reduce((sum, line) => sum + netOf(line), closed?.totals?.carriedOut ?? 0);
  const account = ACCOUNTS.merchant(merchantId);
  const found = posted(environment, currency, account);
  const words = `${toDecimalText(expected)}, by the settlements`;
  return verify(expected === found, `${environment} ${currency} ${account}`, words, toDecimalText(found));
}
