import { apportion, type MinorUnits } from '../../../../base/money.ts';
import type { Adjustment, Fees, Payment } from '../../../../base/schema/generated/records.ts';
import { FEE_KINDS } from './accounts.ts';
import { NO_FEES, type Share, sharesOf } from './shares.ts';

/** The money that an adjustment moved, from the merchants' view, in minor units. */
export interface AdjustmentAmounts {
  adjustment: Adjustment;
  /** By receiver: the gross is negative if money was returned, fees are positive if they were returned. */
  shares: Share[];
  /** The fee of a chargeback, by receiver. */
  chargebackFees: MinorUnits[];
  /** Fees that were returned to the payer, who had paid them. */
  payerFees: Fees;
}

/** The kinds of adjustments whose `fee` is a sum of returned fees. The `fee` of a chargeback is an additional charge. */
export const FEE_RETURNING_KINDS: ReadonlySet<Adjustment['kind']> = new Set(['reversal', 'late-failure']);

/** The amounts of a payment that can still be returned, and those that were charged back. */
interface Remaining {
  shares: Share[];
  payerFees: Fees;
  chargedBack: MinorUnits[];
}

/** Each amount is divided in proportion to the remaining amounts, because rounding could otherwise take a cent too much from a share. */
export function adjustmentAmounts(payment: Payment): AdjustmentAmounts[] {
  if (payment.adjustments === undefined) {
    return [];
  }
  const shares = sharesOf(payment);
  const payerFees = payment.feesBorneBy === 'payer' ? payment.fees : NO_FEES;
  let remaining: Remaining = { shares, payerFees, chargedBack: shares.map(() => 0) };
  return payment.adjustments.map((adjustment) => {
    const amounts = amountsOf(payment, remaining, adjustment);
    remaining = subtractAmounts(remaining, amounts);
    return amounts;
  });
}

function amountsOf(
  { splitFees }: Payment,
  { shares, payerFees, chargedBack }: Remaining,
  adjustment: Adjustment,
): AdjustmentAmounts {
  const { kind, amount, fee } = adjustment;
  const isChargebackReversal = kind === 'chargeback-reversed';
  const weights = (isChargebackReversal ? chargedBack : shares.map(({ gross }) => gross)).map(BigInt);
  const parts = apportion(amount, weights);
  const [returnedToPayer = NO_FEES, ...fees] = FEE_RETURNING_KINDS.has(kind)
    ? divideReturnedFees([payerFees, ...shares.map((share) => share.fees)], fee)
    : [];
  // If the initiator bears the fees, the last share is the initiator's.
  const feeWeights = splitFees === 'initiator' ? shares.map((_, at) => (at === shares.length - 1 ? 1n : 0n)) : weights;
  return {
    adjustment,
    shares: shares.map(({ merchantId }, index) => ({
      merchantId,
      gross: isChargebackReversal ? (parts[index] ?? 0) : 0 - (parts[index] ?? 0),
      fees: fees[index] ?? NO_FEES,
    })),
    chargebackFees: kind === 'chargeback' ? apportion(fee, feeWeights) : shares.map(() => 0),
    payerFees: returnedToPayer,
  };
}

/** Gross is added, because a returned gross is negative; returned fees are positive. */
function subtractAmounts(
  { shares: remainingShares, payerFees, chargedBack }: Remaining,
  { adjustment, shares, payerFees: returnedToPayer }: AdjustmentAmounts,
): Remaining {
  const isChargebackStep = adjustment.kind === 'chargeback' || adjustment.kind === 'chargeback-reversed';
  return {
    shares: remainingShares.map((share, index) => ({
      ...share,
      gross: share.gross + (shares[index]?.gross ?? 0),
      fees: subtractFees(share.fees, shares[index]?.fees ?? NO_FEES),
    })),
    payerFees: subtractFees(payerFees, returnedToPayer),
    chargedBack: chargedBack.map((part, index) => (isChargebackStep ? part - (shares[index]?.gross ?? 0) : part)),
  };
}

function divideReturnedFees(remainingFees: readonly Fees[], amount: MinorUnits): Fees[] {
  const parts = apportion(
    amount,
    remainingFees.flatMap((fees) => FEE_KINDS.map((kind) => BigInt(fees[kind]))),
  );
  return remainingFees.map((_, index) => {
    const [markUp = 0, serviceProvider = 0, gateway = 0] = parts.slice(index * FEE_KINDS.length);
    return { markUp, serviceProvider, gateway };
  });
}

function subtractFees(fees: Fees, part: Fees): Fees {
  return {
    markUp: fees.markUp - part.markUp,
    serviceProvider: fees.serviceProvider - part.serviceProvider,
    gateway: fees.gateway - part.gateway,
  };
}
