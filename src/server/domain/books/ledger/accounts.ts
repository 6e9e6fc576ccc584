import { namesIn } from '../../../../base/members.ts';
import type { MinorUnits } from '../../../../base/money.ts';
import type { Fees } from '../../../../base/schema/generated/records.ts';

/** The kinds of fees that payments and payouts have. */
export const FEE_KINDS = ['markUp', 'serviceProvider', 'gateway'] as const satisfies readonly (keyof Fees)[];

/** The sum of a payment's or payout's fees, which the interface calls charges. */
export function sumOfFees(fees: Fees): MinorUnits {
  return FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
}

/** The chart of accounts, from the provider's side: its debts and its earnings are credit balances. Source: ours. */
export const ACCOUNTS = {
  payers: (channel: string) => `payers:${channel}`,
  merchant: (merchantId: string) => `merchant:${merchantId}`,
  /** Invoiced amounts that a merchant owes. */
  receivables: (merchantId: string) => `receivables:${merchantId}`,
  fees: {
    markUp: 'fees:mark-up',
    serviceProvider: 'fees:service-provider',
    gateway: 'fees:gateway',
    payout: 'fees:payout',
    chargeback: 'fees:chargeback',
  },
  /** Money on its way to a bank. */
  inTransit: 'in-transit',
  bank: (bic: string, accountNumber: string) => `bank:${bic}:${accountNumber}`,
  /** Money without a known owner. Its balance is 0 unless a record is wrong. */
  suspense: 'suspense',
} as const;

/** The kinds of fees in the ledger: those of payments by kind, all of payouts as one, and those of chargebacks. */
export type LedgerFeeKind = keyof typeof ACCOUNTS.fees;
export const LEDGER_FEE_KINDS = namesIn<LedgerFeeKind>(ACCOUNTS.fees);
