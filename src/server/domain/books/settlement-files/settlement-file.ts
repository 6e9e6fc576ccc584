import type { MinorUnits } from '../../../../base/money.ts';
import type { SettlementFile } from '../../../../base/schema/generated/control.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { formatUtc } from '../../../../base/time.ts';
import { LEDGER_FEE_KINDS, type LedgerFeeKind } from '../ledger/accounts.ts';
import { feeOf, netOf, type SettlementLine } from '../ledger/settlement-lines.ts';
import { entryId } from '../ledger/source-ids.ts';

export type { SettlementFile };
export type FileLine = SettlementFile['lines'][number];
/** A line with an id that stays the same when mistakes change the line's members. */
export type LineWithId = { id: string; line: FileLine };

/** The member of a line for each kind of fee. Their sum is its fee. */
export const FEE_MEMBERS = {
  markUp: 'feeMarkUp',
  serviceProvider: 'feeServiceProvider',
  gateway: 'feeGateway',
  payout: 'feePayout',
  chargeback: 'feeChargeback',
} as const satisfies Record<LedgerFeeKind, keyof FileLine>;

export type FeeMember = (typeof FEE_MEMBERS)[LedgerFeeKind];
export const FEE_MEMBER_NAMES: readonly FeeMember[] = LEDGER_FEE_KINDS.map((kind) => FEE_MEMBERS[kind]);

type FileFees = Record<FeeMember, MinorUnits>;

export type ClosedSettlement = Settlement & { totals: NonNullable<Settlement['totals']> };

/** A line of a settlement's file. Amounts carried in and out have no lines; they are in the totals. */
export function lineWithId(settlement: ClosedSettlement, line: SettlementLine): LineWithId {
  return { id: line.id, line: fileLine(settlement, line) };
}

/** The totals are those of the closed settlement, with the lines' fees by kind. */
export function* settlementFile(
  settlement: ClosedSettlement,
  lines: readonly LineWithId[],
  version = 1,
): Steps<SettlementFile> {
  const { id: settlementId, merchantId, environment, currency, businessDate, sequence, valueDate, bank } = settlement;
  const { createdAt, cutOff, history, layout = 1 } = settlement;
  const period = { periodStart: formatUtc(createdAt), periodEnd: formatUtc(history[0]?.at ?? cutOff) };
  const numberedLines: FileLine[] = [];
  for (const [index, { line }] of lines.entries()) {
    numberedLines.push({ ...line, line: index + 1 });
    yield;
  }
  const identity = { settlementId, merchantId, environment, currency, businessDate, sequence, version, layout };
  return {
    header: { ...identity, ...period, cutOff: formatUtc(cutOff), valueDate, bank },
    lines: numberedLines,
    totals: fileTotals(settlement, lines),
  };
}

export function fileTotals({ totals }: ClosedSettlement, lines: readonly LineWithId[]): SettlementFile['totals'] {
  const { types: _, ...sums } = totals;
  const fees = feesBy((_kind, member) => lines.reduce((sum, { line }) => sum + line[member], 0));
  return { ...sums, invoiced: sums.invoiced ?? 0, ...fees };
}

function feesBy(amountOf: (kind: LedgerFeeKind, member: FeeMember) => MinorUnits): FileFees {
  return Object.fromEntries(
    LEDGER_FEE_KINDS.map((kind) => [FEE_MEMBERS[kind], amountOf(kind, FEE_MEMBERS[kind])]),
  ) as FileFees;
}

function fileLine({ businessDate }: Settlement, line: SettlementLine): FileLine {
  const { recordId, sourceId, paymentReference, paymentId, originalReference, channel, currency } = line;
  const { gross, fees, code, description } = line;
  return {
    line: 0,
    lineType: line.type,
    occurredAt: formatUtc(line.at),
    businessDate,
    recordId,
    sourceId,
    entryId: entryId(line.move),
    paymentReference,
    paymentId,
    originalReference,
    channel,
    currency,
    gross,
    fee: feeOf(line),
    net: netOf(line),
    ...feesBy((kind) => fees[kind]),
    code,
    description,
  };
}
