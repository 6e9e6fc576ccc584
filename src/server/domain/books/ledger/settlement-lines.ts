import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment, Settlement } from '../../../../base/schema/generated/records.ts';
import { LEDGER_FEE_KINDS } from './accounts.ts';
import type { MerchantPart, Movement } from './movement.ts';
import { type BookedCollection, type BookedRecords, movementsOf } from './record-movements.ts';

/** A movement on one merchant's account, as a line of its settlement. */
export interface SettlementLine extends MerchantPart, Pick<Movement, 'move' | 'at' | 'sourceId' | 'originalReference'> {
  /** 7-0 for the first part of move 7. */
  id: string;
  environment: Payment['environment'];
  currency: string;
  /** The collection of the record that moved the money. */
  collection: BookedCollection;
  recordId: string;
  paymentReference: string;
  paymentId: string;
  channel: string;
  code: string;
  description: string;
}

const REFERENCES: {
  [Name in BookedCollection]: (
    record: BookedRecords[Name],
  ) => Pick<SettlementLine, 'paymentReference' | 'paymentId' | 'channel'>;
} = {
  payments: ({ payerReference: paymentReference, paymentId, paymentCode, channel }) => {
    return { paymentReference, paymentId: paymentId ?? paymentCode ?? '', channel };
  },
  payouts: ({ payerReference: paymentReference }) => ({ paymentReference, paymentId: '', channel: '' }),
  settlements: () => ({ paymentReference: '', paymentId: '', channel: '' }),
};

/** A part of 0 without fees has no line. */
export function linesOfRecord<Name extends BookedCollection>(
  collection: Name,
  record: BookedRecords[Name],
): SettlementLine[] {
  const { id: recordId, environment, currency } = record;
  const { paymentReference, paymentId, channel } = REFERENCES[collection](record);
  const lines: SettlementLine[] = [];
  for (const { move, at, sourceId, originalReference, code, description, parts } of movementsOf(collection, record)) {
    for (const [index, { type, merchantId, gross, fees }] of parts.entries()) {
      // Members are named one by one, because a settlement may have a million lines and spreading is ten times slower.
      lines.push({
        id: `${move}-${index}`,
        type,
        merchantId,
        environment,
        currency,
        move,
        at,
        collection,
        recordId,
        sourceId,
        paymentReference,
        paymentId,
        originalReference,
        channel,
        gross,
        fees,
        code: code ?? '',
        description: description ?? '',
      });
    }
  }
  return lines.filter((line) => line.gross !== 0 || feeOf(line) !== 0);
}

export function merchantBookKey(
  merchantId: string,
  { environment, currency }: Pick<Payment, 'environment' | 'currency'>,
): string {
  return `${merchantId} ${environment} ${currency}`;
}

export function isInSettlement(settlement: Settlement, line: SettlementLine): boolean {
  const { merchantId, environment, currency, firstMove, throughMove } = settlement;
  return (
    line.merchantId === merchantId &&
    line.environment === environment &&
    line.currency === currency &&
    line.move >= firstMove &&
    (throughMove === null || line.move <= throughMove)
  );
}

/** The sum of a line's fees; negative if the merchant pays them. */
export function feeOf({ fees }: Pick<SettlementLine, 'fees'>): MinorUnits {
  return LEDGER_FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
}

export function netOf(line: Pick<SettlementLine, 'gross' | 'fees'>): MinorUnits {
  return line.gross + feeOf(line);
}
