import Big from 'big.js';
import { dateAfter, dateIn, instantIn, minutesOf } from '../../../../base/calendar.ts';
import type { MinorUnits } from '../../../../base/money.ts';
import { filterInTurns, runInTurns } from '../../../../base/run-in-turns.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { LEDGER_FEE_KINDS, type LedgerFeeKind } from '../ledger/accounts.ts';
import { isInSettlement, type SettlementLine } from '../ledger/settlement-lines.ts';
import { businessDateAt, zoneOf } from './business-calendar.ts';
import { providerName } from './provider-name.ts';
import { readLines } from './read-lines.ts';

/** Identifies an invoice: a merchant's month in one environment and currency. */
export interface InvoiceKey extends Pick<Settlement, 'merchantId' | 'environment' | 'currency'> {
  /** The month of the settlements' business dates, such as 2026-03. */
  month: string;
}

/** The month of an invoice, with its settlements, open ones included. */
export interface InvoiceMonth {
  key: InvoiceKey;
  settlements: Settlement[];
}

/** The invoice of a month, in minor units: positive amounts are charged to the merchant. */
export interface MonthInvoice extends InvoiceKey {
  /** Preliminary until the month has ended and all its settlements are closed. */
  status: 'final' | 'preliminary';
  /** null while it is preliminary. */
  number: string | null;
  /** The first date on which it could be issued; null while it is preliminary. */
  issueDate: string | null;
  seller: string;
  /** Ids of the month's settlements that are still open, and therefore not included. */
  openSettlements: string[];
  fees: { kind: LedgerFeeKind; count: number; amount: MinorUnits }[];
  net: MinorUnits;
  vatPercent: string;
  vat: MinorUnits;
  total: MinorUnits;
  /** The amount that settlements have already deducted: the fees without tax. */
  deducted: MinorUnits;
  negativeBalances: { settlementId: string; businessDate: string; amount: MinorUnits }[];
  /** total − deducted + negative balances. */
  amountDue: MinorUnits;
}

/** The invoice for a month, from its closed settlements only, because open ones can still change. */
export async function invoiceOf(key: InvoiceKey, reader: Reader): Promise<MonthInvoice> {
  const months = invoiceMonths(key.merchantId, reader);
  const settlements = months.find((month) => invoiceNumber(month.key) === invoiceNumber(key))?.settlements ?? [];
  const closedSettlements = settlements.filter(({ totals }) => totals !== null);
  const openSettlements = settlements.flatMap(({ id, totals }) => (totals === null ? id : []));
  const { vatPercent = '0' } = reader.fixtures.settlement.invoice ?? {};
  const fees = await runInTurns(feesIn(await linesOfAll(closedSettlements, reader)));
  const net = fees.reduce((sum, { amount }) => sum + amount, 0);
  const vat = vatOn(net, vatPercent);
  const negativeBalances = closedSettlements.flatMap(({ id: settlementId, businessDate, totals }) =>
    totals?.invoiced === undefined ? [] : { settlementId, businessDate, amount: 0 - totals.invoiced },
  );
  const negativeTotal = negativeBalances.reduce((sum, { amount }) => sum + amount, 0);
  const issuedAt = invoiceIssuedAt({ key, settlements }, reader);
  const isFinal = issuedAt !== undefined;
  return {
    ...key,
    status: isFinal ? 'final' : 'preliminary',
    number: isFinal ? invoiceNumber(key) : null,
    issueDate: isFinal ? dateIn(issuedAt, zoneOf(reader.fixtures)) : null,
    seller: providerName(reader.fixtures),
    openSettlements,
    fees,
    net,
    vatPercent,
    vat,
    total: net + vat,
    deducted: net,
    negativeBalances,
    amountDue: vat + negativeTotal,
  };
}

function* feesIn(lines: readonly SettlementLine[]): Steps<MonthInvoice['fees']> {
  const sums = LEDGER_FEE_KINDS.map((kind) => ({ kind, count: 0, amount: 0 }));
  for (const { fees } of lines) {
    for (const sum of sums.filter(({ kind }) => fees[kind] !== 0)) {
      sum.count += 1;
      sum.amount -= fees[sum.kind];
    }
    yield;
  }
  return sums;
}

/** Value added tax, rounded to the cent, halves away from 0, so that returned fees return the same tax. */
function vatOn(amount: MinorUnits, percent: string): MinorUnits {
  // Big calls this half up. Adding 0 turns -0 into 0.
  return Number(new Big(amount).times(percent).div(100).toFixed(0, Big.roundHalfUp)) + 0;
}

export function invoiceMonths(merchantId: string, reader: Pick<Reader, 'find'>): InvoiceMonth[] {
  const months = new Map<string, InvoiceMonth>();
  for (const settlement of reader.find('settlements', 'merchantId', merchantId)) {
    const { environment, currency, businessDate } = settlement;
    const key = { merchantId, environment, currency, month: businessDate.slice(0, 7) };
    const month = months.get(invoiceNumber(key)) ?? { key, settlements: [] };
    months.set(invoiceNumber(key), month);
    month.settlements.push(settlement);
  }
  return [...months.values()];
}

export function invoiceNumber({ month, merchantId, environment, currency }: InvoiceKey): string {
  return `INV-${month}-${merchantId}-${environment}-${currency}`;
}

/**
 * The time at which an invoice could first be issued: the cut-off of its month's last day or, if later, the last close of a settlement;
 * undefined while it is preliminary.
 */
export function invoiceIssuedAt(
  { key: { month }, settlements }: InvoiceMonth,
  { fixtures, now }: Pick<Reader, 'fixtures' | 'now'>,
): Instant | undefined {
  const hasEnded = businessDateAt(fixtures, now).businessDate.slice(0, 7) > month;
  if (!hasEnded || settlements.some(({ totals }) => totals === null)) {
    return undefined;
  }
  const end = instantIn(lastDayOf(month), minutesOf(fixtures.settlement.cutOff), zoneOf(fixtures));
  return Math.max(end, ...settlements.map(({ history, cutOff }) => history[0]?.at ?? cutOff));
}

export function lastDayOf(month: string): string {
  // Four days after the 28th, it is the next month.
  const next = dateAfter(`${month}-28`, 4);
  return dateAfter(`${next.slice(0, 7)}-01`, -1);
}

/** The lines of settlements of one merchant, environment and currency. Reads each record once, because settlements of a month share many. */
async function linesOfAll(settlements: readonly Settlement[], reader: Pick<Reader, 'find'>): Promise<SettlementLine[]> {
  const [firstSettlement] = settlements;
  if (!firstSettlement) {
    return [];
  }
  const span: Settlement = {
    ...firstSettlement,
    firstMove: Math.min(...settlements.map(({ firstMove }) => firstMove)),
    throughMove: Math.max(...settlements.map(({ throughMove }) => throughMove ?? 0)),
    first: mergeNumbers(
      settlements.map(({ first }) => first),
      Math.min,
    ),
    last: mergeNumbers(
      settlements.map(({ last }) => last ?? {}),
      Math.max,
    ),
  };
  const lines = await readLines(span, reader);
  return filterInTurns(lines, (line) => settlements.some((settlement) => isInSettlement(settlement, line)));
}

type Numbers = Settlement['first'];

function mergeNumbers(all: readonly Numbers[], choose: (...numbers: number[]) => number): Numbers {
  const names = [...new Set(all.flatMap((numbers) => Object.keys(numbers)))] as (keyof Numbers)[];
  return Object.fromEntries(names.map((name) => [name, choose(...all.flatMap((numbers) => numbers[name] ?? []))]));
}
