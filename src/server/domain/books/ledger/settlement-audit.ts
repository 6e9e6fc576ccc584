import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { numberIn } from '../../../store/record-numbers.ts';
import { ACCOUNTS } from './accounts.ts';
import { type BookDifference, verify } from './difference.ts';
import { isInSettlement, linesOfRecord, merchantBookKey, netOf, type SettlementLine } from './settlement-lines.ts';
import { totalsOf } from './totals.ts';
import type { AnyBookedRecord } from './walk-records.ts';

/** All movements on one merchant's account in one environment and currency, and its settlements. */
interface MerchantBook {
  lines: SettlementLine[];
  settlements: Settlement[];
}

/**
 * Compares settlements with the lines derived from the records: each line must be in exactly one settlement, stored totals must be the
 * sums of the lines, and no money may be lost between one settlement and the next.
 */
export class SettlementAudit {
  readonly #books = new Map<string, MerchantBook>();

  add({ collection, record }: AnyBookedRecord): void {
    for (const line of linesOfRecord(collection, record)) {
      this.#bookOf(line).lines.push(line);
    }
    if (collection === 'settlements') {
      this.#bookOf(record).settlements.push(record);
    }
  }

  *finish(balance: (environment: string, currency: string, account: string) => MinorUnits): Steps<BookDifference[]> {
    const differences: BookDifference[] = [];
    for (const { lines, settlements } of this.#books.values()) {
      const sorted = settlements.sort((one, other) => one.sequence - other.sequence);
      const { assigned, unassigned } = yield* assignLines(lines, sorted);
      for (const [index, current] of assigned.entries()) {
        differences.push(...(yield* auditSettlement(current, sorted[index - 1], sorted[index + 1])));
      }
      for (const { recordId, move } of unassigned) {
        differences.push(...verify(false, `move ${move} of ${recordId}`, 'a settlement that contains it', 'none'));
      }
      differences.push(...auditAccount(sorted, lines, balance));
      yield;
    }
    return differences;
  }

  #bookOf({ merchantId, ...bookKey }: Pick<SettlementLine, 'merchantId' | 'environment' | 'currency'>): MerchantBook {
    const key = merchantBookKey(merchantId, bookKey);
    const existing = this.#books.get(key) ?? { lines: [], settlements: [] };
    this.#books.set(key, existing);
    return existing;
  }
}

interface LinesOfSettlement {
  settlement: Settlement;
  lines: SettlementLine[];
}

/** Assigns lines to settlements in one pass, both sorted by moves. */
function* assignLines(
  lines: SettlementLine[],
  settlements: readonly Settlement[],
): Steps<{ assigned: LinesOfSettlement[]; unassigned: SettlementLine[] }> {
  const assigned = settlements.map((settlement): LinesOfSettlement => ({ settlement, lines: [] }));
  const unassigned: SettlementLine[] = [];
  let index = 0;
  for (const line of lines.sort((one, other) => one.move - other.move)) {
    while ((assigned[index]?.settlement.throughMove ?? Number.POSITIVE_INFINITY) < line.move) {
      index += 1;
    }
    const current = assigned[index];
    (current && isInSettlement(current.settlement, line) ? current.lines : unassigned).push(line);
    yield;
  }
  return { assigned, unassigned };
}

/** Only sums are compared, because the transferred amount depends on the fixtures at the close. */
const CARRY_ALL = { minimum: Number.POSITIVE_INFINITY, negativeBalance: 'carry' } as const;

/** Only the latest settlement of a merchant's book has `latestOf`, the key of the book. */
function* auditSettlement(
  { settlement, lines }: LinesOfSettlement,
  previous: Settlement | undefined,
  next: Settlement | undefined,
): Steps<BookDifference[]> {
  const { id, sequence, previous: previousId, firstMove, throughMove, totals, latestOf } = settlement;
  const { merchantId, environment, currency } = settlement;
  const expectedLatestOf = next === undefined ? merchantBookKey(merchantId, { environment, currency }) : null;
  const isNumberedNext = sequence === (previous?.sequence ?? 0) + 1 && previousId === (previous?.id ?? null);
  const isLater = previous === undefined || (previous.throughMove !== null && previous.throughMove < firstMove);
  const differences = [
    ...verify(
      isNumberedNext,
      id,
      `number ${(previous?.sequence ?? 0) + 1}, after ${previous?.id ?? 'none'}`,
      `${sequence}, after ${previousId}`,
    ),
    ...verify(isLater, id, `moves after ${previous?.throughMove}, which ${previous?.id} ends with`, String(firstMove)),
    ...verify(latestOf === expectedLatestOf, id, `latestOf ${expectedLatestOf}`, String(latestOf)),
  ];
  for (const line of lines) {
    differences.push(...auditLine(settlement, line));
    yield;
  }
  if (!totals || throughMove === null) {
    return differences;
  }
  const sums = yield* totalsOf(lines, previous?.totals?.carriedOut ?? 0, CARRY_ALL);
  const names = ['count', 'gross', 'fee', 'net', 'carriedIn'] as const;
  return [
    ...differences,
    ...names.flatMap((name) =>
      verify(totals[name] === sums[name], id, `${name} ${sums[name]}, by the records`, String(totals[name])),
    ),
  ];
}

/** A line's record must be one from the settlement's first record to its last (set at the close), because only these are read. */
function auditLine({ id, cutOff, first, last }: Settlement, line: SettlementLine): BookDifference[] {
  const { at, move, collection, recordId } = line;
  const subject = `move ${move} of ${recordId}`;
  const number = numberIn(collection, recordId);
  const [from, to] = [first[collection] ?? Number.POSITIVE_INFINITY, last ? (last[collection] ?? 0) : number];
  return [
    ...verify(at < cutOff, subject, `a time before the cut-off of ${id}`, String(at)),
    ...verify(from <= number && number <= to, subject, `a number from ${from} to ${to}, by ${id}`, String(number)),
  ];
}

/** A merchant's balance must be the amount that the last closed settlement carries over, plus the lines after it. */
function auditAccount(
  settlements: readonly Settlement[],
  lines: readonly SettlementLine[],
  balance: (environment: string, currency: string, account: string) => MinorUnits,
): BookDifference[] {
  const noBook = { merchantId: '', environment: '', currency: '' };
  const { merchantId, environment, currency } = settlements[0] ?? lines[0] ?? noBook;
  const lastClosed = settlements.filter(({ totals }) => totals !== null).at(-1);
  const openLines = lines.filter(({ move }) => move > (lastClosed?.throughMove ?? 0));
  const expected = openLines.reduce((sum, line) => sum + netOf(line), lastClosed?.totals?.carriedOut ?? 0);
  const account = ACCOUNTS.merchant(merchantId);
  const actual = balance(environment, currency, account);
  const expectedText = `${toDecimalText(expected)}, by the settlements`;
  return verify(expected === actual, `${environment} ${currency} ${account}`, expectedText, toDecimalText(actual));
}
