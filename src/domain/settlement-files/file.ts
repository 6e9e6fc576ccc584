import type { SettlementFile } from '../../base/schema/control.ts';
import type { Settlement } from '../../base/schema/records.ts';
import { formatUtc } from '../../base/time.ts';
import { feeOf, type Line, netOf } from '../ledger/lines.ts';

export type { SettlementFile };
export type FileLine = SettlementFile['lines'][number];
/** A line that can still be told from the others, whatever becomes of its members. */
export type NamedLine = { id: string; line: FileLine };

/** What is kept of a settlement that is closed. */
export type ClosedSettlement = Settlement & { totals: NonNullable<Settlement['totals']> };

/** The lines of a settlement's file, which add up to what is transferred: with what is carried in first, and what is carried out last. */
export function fileLines(settlement: ClosedSettlement, lines: readonly Line[]): NamedLine[] {
  const { totals } = settlement;
  return [
    ...carried(settlement, 'carried-in', totals.carriedIn),
    ...lines.map((line) => ({ id: line.id, line: fileLine(settlement, line) })),
    ...carried(settlement, 'carried-out', 0 - totals.carriedOut),
  ];
}

/** Header, numbered lines and totals; the totals are as they were frozen. */
export function settlementFile(settlement: ClosedSettlement, lines: readonly NamedLine[]): SettlementFile {
  const { id: settlementId, merchantId, environment, currency, businessDate, sequence, valueDate, bank } = settlement;
  const cutOff = formatUtc(settlement.cutOff);
  const { types: _, ...totals } = settlement.totals;
  return {
    header: { settlementId, merchantId, environment, currency, businessDate, sequence, cutOff, valueDate, bank },
    lines: lines.map(({ line }, index) => ({ ...line, line: index + 1 })),
    totals,
  };
}

function fileLine({ businessDate }: Settlement, line: Line): FileLine {
  const { paymentReference, paymentId, originalReference, channel, currency, gross, fees, code, description } = line;
  return {
    line: 0,
    lineType: line.type,
    occurredAt: formatUtc(line.at),
    businessDate,
    paymentReference,
    paymentId,
    originalReference,
    channel,
    currency,
    gross,
    fee: feeOf(line),
    net: netOf(line),
    feeMarkUp: fees.markUp,
    feeProvider: fees.serviceProvider,
    feeGateway: fees.gateway,
    code,
    description,
  };
}

/** What is not 0 stands as a line of its own. */
function carried(settlement: Settlement, lineType: string, amount: number): NamedLine[] {
  const { businessDate, currency, cutOff, previous, createdAt, history } = settlement;
  const closedAt = Math.min(cutOff, history[0]?.at ?? cutOff);
  if (amount === 0) {
    return [];
  }
  const line = {
    line: 0,
    lineType,
    occurredAt: formatUtc(lineType === 'carried-in' ? createdAt : closedAt),
    businessDate,
    paymentReference: '',
    paymentId: '',
    originalReference: lineType === 'carried-in' ? (previous ?? '') : '',
    channel: '',
    currency,
    gross: amount,
    fee: 0,
    net: amount,
    feeMarkUp: 0,
    feeProvider: 0,
    feeGateway: 0,
    code: '',
    description: '',
  };
  return [{ id: lineType, line }];
}
