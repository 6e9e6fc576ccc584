import type { MinorUnits } from '../../../../base/money.ts';
import { runInTurns } from '../../../../base/run-in-turns.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { merchantBookKey } from '../ledger/settlement-lines.ts';
import { type SettlementTotals, sumsOf } from '../ledger/totals.ts';
import { lastNumbers, readLines } from './read-lines.ts';

/** A business date on a merchant's account: opening + net = transferred + invoiced + closing. */
export interface BalanceDay extends Pick<Settlement, 'merchantId' | 'environment' | 'currency' | 'businessDate'> {
  /** Open while one of its settlements is open: the figures can still change. */
  status: 'open' | 'closed';
  opening: MinorUnits;
  gross: MinorUnits;
  fee: MinorUnits;
  net: MinorUnits;
  transferred: MinorUnits;
  invoiced: MinorUnits;
  closing: MinorUnits;
  settlementIds: string[];
}

/**
 * The business dates of settlements, in order, separately for each merchant, environment and currency: a date opens with the closing
 * balance of the previous one. Reads the lines of open settlements only, because closed ones have totals.
 */
export async function balanceDays(settlements: readonly Settlement[], reader: Reader): Promise<BalanceDay[]> {
  const limits = { move: reader.lastCommitted('move'), last: lastNumbers((name) => reader.lastCommitted(name)) };
  const sortedSettlements = [...settlements].sort((one, other) =>
    one.businessDate === other.businessDate
      ? one.sequence - other.sequence
      : one.businessDate < other.businessDate
        ? -1
        : 1,
  );
  const days = new Map<string, BalanceDay>();
  const closings = new Map<string, MinorUnits>();
  for (const settlement of sortedSettlements) {
    const bookKey = merchantBookKey(settlement.merchantId, settlement);
    const { transferred = 0, ...sums } = settlement.totals ?? (await sumsUntilNow(settlement, limits, reader));
    const dayKey = `${bookKey} ${settlement.businessDate}`;
    const day = days.get(dayKey) ?? emptyDay(settlement, closings.get(bookKey) ?? 0);
    days.set(dayKey, day);
    day.status = settlement.totals === null ? 'open' : day.status;
    day.gross += sums.gross;
    day.fee += sums.fee;
    day.net += sums.net;
    day.transferred += transferred;
    day.invoiced += sums.invoiced ?? 0;
    day.closing = day.opening + day.net - day.transferred - day.invoiced;
    day.settlementIds.push(settlement.id);
    closings.set(bookKey, day.closing);
  }
  return [...days.values()];
}

type SettlementSums = Pick<SettlementTotals, 'gross' | 'fee' | 'net'> &
  Partial<Pick<SettlementTotals, 'transferred' | 'invoiced'>>;

async function sumsUntilNow(
  settlement: Settlement,
  { move, last }: { move: number; last: NonNullable<Settlement['last']> },
  reader: Reader,
): Promise<SettlementSums> {
  const boundedSettlement = { ...settlement, throughMove: settlement.throughMove ?? move, last };
  return runInTurns(sumsOf(await readLines(boundedSettlement, reader)));
}

function emptyDay({ merchantId, environment, currency, businessDate }: Settlement, opening: MinorUnits): BalanceDay {
  const figures = { opening, gross: 0, fee: 0, net: 0, transferred: 0, invoiced: 0, closing: opening };
  return { merchantId, environment, currency, businessDate, status: 'closed', ...figures, settlementIds: [] };
}
