import type { MinorUnits } from '../../../../base/money.ts';
import type { Adjustment } from '../../../../base/schema/generated/records.ts';
import type { Instant } from '../../../../base/time.ts';
import { ACCOUNTS, LEDGER_FEE_KINDS, type LedgerFeeKind } from './accounts.ts';

export type LineType =
  | 'payment'
  | 'share'
  | 'fee'
  | Adjustment['kind']
  | 'payout'
  | 'payout-failed'
  | 'payout-returned'
  | 'settlement-returned';

export type LineFees = Readonly<Record<LedgerFeeKind, MinorUnits>>;

export const NO_LINE_FEES: LineFees = Object.freeze({
  markUp: 0,
  serviceProvider: 0,
  gateway: 0,
  payout: 0,
  chargeback: 0,
});

/** The effect of a movement on one merchant's account, from the merchant's view, in minor units. */
export interface MerchantPart {
  type: LineType;
  merchantId: string;
  gross: MinorUnits;
  /** By kind; negative if the merchant pays them. */
  fees: LineFees;
}

/** An amount from the debited account to the credited one, in minor units. A negative one is posted in the opposite direction, 0 not at all. */
export type Transfer = readonly [debit: string, credit: string, amount: MinorUnits];

/** A step of a record that moved money. Ledger entries and settlement lines are derived from it, so that they cannot differ. */
export interface Movement {
  /** The movement's number in its session; the books are in this order. */
  move: number;
  at: Instant;
  /** What happened, such as payment.paid: the type of the emitted event, except settlement.invoiced (the event is settlement.created). */
  event: string;
  /** The path of the step in its record, such as history[1]. */
  step: string;
  /** The id of the record, or of its adjustment or credit that moved the money. */
  sourceId: string;
  /** For an adjustment or a credit, the payerReference of its record; for a settlement, its id; otherwise empty. */
  originalReference: string;
  code: string | null;
  description: string | null;
  parts: readonly MerchantPart[];
  /** All transfers, including those of `parts`. A function, because settlement lines do not need them. */
  transfers(): readonly Transfer[];
}

export function grossTransfer({ merchantId, gross }: MerchantPart, from: string): Transfer {
  return [from, ACCOUNTS.merchant(merchantId), gross];
}

export function feeTransfers({ merchantId, fees }: MerchantPart): Transfer[] {
  const merchant = ACCOUNTS.merchant(merchantId);
  return LEDGER_FEE_KINDS.map((kind) => [ACCOUNTS.fees[kind], merchant, fees[kind]]);
}
