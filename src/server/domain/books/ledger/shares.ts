import { apportion, type MinorUnits } from '../../../../base/money.ts';
import type { Fees, Payment } from '../../../../base/schema/generated/records.ts';

/** One merchant's part of a payment, and of the fees, in minor units. */
export interface Share {
  merchantId: string;
  gross: MinorUnits;
  fees: Fees;
}

export const NO_FEES: Fees = Object.freeze({ markUp: 0, serviceProvider: 0, gateway: 0 });

/** The shares of all receivers of a payment. For each kind, the fees of the shares add up to the payment's, unless the payer pays them. */
export function sharesOf(payment: Payment): Share[] {
  const { merchantId, amount, shares, splitFees } = payment;
  const fees = payment.feesBorneBy === 'payer' ? NO_FEES : payment.fees;
  if (shares.length === 0) {
    return [{ merchantId, gross: amount, fees }];
  }
  if (splitFees === 'initiator') {
    const gross = shares.map((share) => ({ merchantId: share.merchantId, gross: share.amount, fees: NO_FEES }));
    return [...gross, { merchantId, gross: 0, fees }];
  }
  const parts = divideFees(
    fees,
    shares.map((share) => share.amount),
  );
  return shares.map((share, index) => ({
    merchantId: share.merchantId,
    gross: share.amount,
    fees: parts[index] ?? NO_FEES,
  }));
}

/** Divides each kind of fee in proportion to the shares. */
function divideFees({ markUp, serviceProvider, gateway }: Fees, amounts: readonly MinorUnits[]): Fees[] {
  const weights = amounts.map(BigInt);
  const parts = [markUp, serviceProvider, gateway].map((fee) => apportion(fee, weights));
  return amounts.map((_, index) => ({
    markUp: parts[0]?.[index] ?? 0,
    serviceProvider: parts[1]?.[index] ?? 0,
    gateway: parts[2]?.[index] ?? 0,
  }));
}
