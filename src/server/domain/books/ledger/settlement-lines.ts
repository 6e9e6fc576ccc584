import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment, Settlement } from '../../../../base/schema/generated/records.ts';
import { ALL_FEE_KINDS } from './accounts.ts';
import type { MerchantPart, Movement } from './movement.ts';
import { type BookedCollection, type BookedRecords, movementsOf } from './movements.ts';

/** A movement on one merchant's account, as its settlement lists it. */
export interface SettlementLine extends MerchantPart, Pick<Movement, 'move' | 'at' | 'sourceId' | 'originalReference'> {
  /** 7-0 for the first line of move 7. */
  id: string;
  environment: Payment['environment'];
  currency: string;
  /** The record that it follows from. */
  collection: BookedCollection;
  recordId: string;
  paymentReference: string;
  paymentId: string;
  channel: string;
  code: string;
  description: string;
}

/** The names of a record in its lines. */
const NAMES: {
  [Name in BookedCollection]: (
    record: BookedRecords[Name],
  ) => Pick<SettlementLine, 'paymentReference' | 'paymentId' | 'channel'>;
} = {
  // The interface names a payment by its paymentId or its paymentCode, depending on the channel.
  payments: ({ payerReference: paymentReference, paymentId, paymentCode, channel }) => {
    return { paymentReference, paymentId: paymentId ?? paymentCode ?? '', channel };
  },
  payouts: ({ payerReference: paymentReference }) => ({ paymentReference, paymentId: '', channel: '' }),
  settlements: () => ({ paymentReference: '', paymentId: '', channel: '' }),
};

/** A record's moves on accounts of merchants, in the order of its steps. A share of 0 has none. */
export function linesOfRecord<Name extends BookedCollection>(
  collection: Name,
  record: BookedRecords[Name],
): SettlementLine[] {
  const { id: recordId, environment, currency } = record;
  const { paymentReference, paymentId, channel } = NAMES[collection](record);
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

/** Names all that moves on one merchant's account in one environment and currency. */
export function bookOf(
  merchantId: string,
  { environment, currency }: Pick<Payment, 'environment' | 'currency'>,
): string {
  return `${merchantId} ${environment} ${currency}`;
}

/** Whether a settlement has a line in it: moves up to its close that none before it had. */
export function isIn(settlement: Settlement, line: SettlementLine): boolean {
  const { merchantId, environment, currency, firstMove, throughMove } = settlement;
  return (
    line.merchantId === merchantId &&
    line.environment === environment &&
    line.currency === currency &&
    line.move >= firstMove &&
    (throughMove === null || line.move <= throughMove)
  );
}

/** Fees of all kinds, below 0 where the merchant bears them. */
export function feeOf({ fees }: Pick<SettlementLine, 'fees'>): MinorUnits {
  return ALL_FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
}

export function netOf(line: Pick<SettlementLine, 'gross' | 'fees'>): MinorUnits {
  return line.gross + feeOf(line);
}
