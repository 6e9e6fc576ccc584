import { namesIn } from '../../../../base/members.ts';
import type { MinorUnits } from '../../../../base/money.ts';
import type { Fees } from '../../../../base/schema/generated/records.ts';

/** Kinds of fees that a payment has. */
export const FEE_KINDS = ['markUp', 'serviceProvider', 'gateway'] as const satisfies readonly (keyof Fees)[];

/** Fees of all kinds: what the wire calls charges. */
export function sumOfFees(fees: Fees): MinorUnits {
  return FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
}

/**
 * The chart of accounts, from the provider's side: what it owes and what it earns are credit balances. Source: ours.
 */
export const ACCOUNTS = {
  payers: (channel: string) => `payers:${channel}`,
  merchant: (merchantId: string) => `merchant:${merchantId}`,
  /** What a merchant owes by invoice. */
  receivables: (merchantId: string) => `receivables:${merchantId}`,
  fees: {
    markUp: 'fees:mark-up',
    serviceProvider: 'fees:service-provider',
    gateway: 'fees:gateway',
    payout: 'fees:payout',
    chargeback: 'fees:chargeback',
  },
  /** On its way to a bank. */
  inTransit: 'in-transit',
  bank: (bic: string, accountNumber: string) => `bank:${bic}:${accountNumber}`,
  /** What nobody is known to own. Nothing stands here while all is well. */
  suspense: 'suspense',
} as const;

/** Every kind of fee that is earned: those of a payment, and one each of payouts and chargebacks. */
export type FeeKind = keyof typeof ACCOUNTS.fees;
export const ALL_FEE_KINDS = namesIn<FeeKind>(ACCOUNTS.fees);
