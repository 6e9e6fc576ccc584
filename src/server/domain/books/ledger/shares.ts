import { apportion, type MinorUnits } from '../../../../base/money.ts';
import type { Fees, Payment } from '../../../../base/schema/generated/records.ts';

/** One merchant's part of a payment, and of the fees, in minor units. */
export interface Share {
  merchantId: string;
  gross: MinorUnits;
  fees: Fees;
}

export const NO_FEES: Fees = Object.freeze({ markUp: 0, serviceProvider: 0, gateway: 0 });

/**
 * The shares of all receivers of a payment. For each kind, the fees of the shares add up to the payment's, unless the payer pays them. If
 * the initiator bears them (`splitFees`), a last share without an amount has all of them.
 */
export function sharesOf(payment: Payment): Share[] {
  const { merchantId, amount, shares, splitFees } = payment;
  const fees = payment.feesBorneBy === 'payer' ? NO_FEES : payment.fees;
  if (shares.length === 0) {
    return [{ merchantId, gross: amount, fees }];
  }
  if (splitFees === 'initiator') {
    const sharesWithoutFees = shares.map((share) => ({
      merchantId: share.merchantId,
      gross: share.amount,
      fees: NO_FEES,
    }));
    return [...sharesWithoutFees, { merchantId, gross: 0, fees }];
  }
  const parts = divideFees(fees, shares);
  return shares.map((share, index) => ({
    merchantId: share.merchantId,
    gross: share.amount,
    fees: parts[index] ?? NO_FEES,
  }));
}

function divideFees({ markUp, serviceProvider, gateway }: Fees, shares: Payment['shares']): Fees[] {
  const weights = shares.map(({ amount }) => BigInt(amount));
  const parts = [markUp, serviceProvider, gateway].map((fee) => apportion(fee, weights));
  return shares.map((_, index) => ({
    markUp: parts[0]?.[index] ?? 0,
    serviceProvider: parts[1]?.[index] ?? 0,
    gateway: parts[2]?.[index] ?? 0,
  }));
}
