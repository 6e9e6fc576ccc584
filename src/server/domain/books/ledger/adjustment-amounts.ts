import { apportion, type MinorUnits } from '../../../../base/money.ts';
import type { Adjustment, Fees, Payment } from '../../../../base/schema/generated/records.ts';
import { FEE_KINDS } from './accounts.ts';
import { NO_FEES, type Share, sharesOf } from './shares.ts';

/** The money that an adjustment moved, from the merchants' view, in minor units. */
export interface AdjustmentMovement {
  adjustment: Adjustment;
  /** By receiver: the gross is negative if money was returned, fees are positive if they were returned. */
  shares: Share[];
  /** The fee of a chargeback, by receiver. */
  penalties: MinorUnits[];
  /** Fees that were returned to the payer, who had paid them. */
  payerFees: Fees;
}

/** Adjustments that also return the charges. */
export const RETURNS_CHARGES: ReadonlySet<Adjustment['kind']> = new Set(['reversal', 'late-failure']);

/** The amounts of a payment that can still be returned, and those that were charged back. */
interface Remaining {
  shares: Share[];
  payerFees: Fees;
  chargedBack: MinorUnits[];
}

/**
 * The movements of a payment's adjustments, in order. An amount is divided among the receivers in proportion to what each has left,
 * because rounding could otherwise take a cent too much from one of them. Returned fees are divided in the same way.
 */
export function adjustmentMovements(payment: Payment): AdjustmentMovement[] {
  if (payment.adjustments === undefined) {
    return [];
  }
  const shares = sharesOf(payment);
  const payerFees = payment.feesBorneBy === 'payer' ? payment.fees : NO_FEES;
  let remaining: Remaining = { shares, payerFees, chargedBack: shares.map(() => 0) };
  return payment.adjustments.map((adjustment) => {
    const movement = movementOf(payment, remaining, adjustment);
    remaining = remainingAfter(remaining, movement);
    return movement;
  });
}

function movementOf(
  { splitFees }: Payment,
  { shares, payerFees, chargedBack }: Remaining,
  adjustment: Adjustment,
): AdjustmentMovement {
  const { kind, amount, fee } = adjustment;
  const isReversed = kind === 'chargeback-reversed';
  const weights = (isReversed ? chargedBack : shares.map(({ gross }) => gross)).map(BigInt);
  const parts = apportion(amount, weights);
  const [returnedToPayer = NO_FEES, ...fees] = RETURNS_CHARGES.has(kind)
    ? returnedFees([payerFees, ...shares.map(feesOf)], fee)
    : [];
  const bearers = splitFees === 'initiator' ? shares.map((_, at) => (at === shares.length - 1 ? 1n : 0n)) : weights;
  return {
    adjustment,
    shares: shares.map(({ merchantId }, index) => ({
      merchantId,
      gross: isReversed ? (parts[index] ?? 0) : 0 - (parts[index] ?? 0),
      fees: fees[index] ?? NO_FEES,
    })),
    penalties: kind === 'chargeback' ? apportion(fee, bearers) : shares.map(() => 0),
    payerFees: returnedToPayer,
  };
}

function remainingAfter(
  { shares: remainingShares, payerFees, chargedBack }: Remaining,
  { adjustment, shares, payerFees: returnedToPayer }: AdjustmentMovement,
): Remaining {
  const isCharge = adjustment.kind === 'chargeback' || adjustment.kind === 'chargeback-reversed';
  return {
    shares: remainingShares.map((share, index) => ({
      ...share,
      gross: share.gross + (shares[index]?.gross ?? 0),
      fees: subtractFees(share.fees, shares[index]?.fees ?? NO_FEES),
    })),
    payerFees: subtractFees(payerFees, returnedToPayer),
    chargedBack: chargedBack.map((part, index) => (isCharge ? part - (shares[index]?.gross ?? 0) : part)),
  };
}

/** Divides returned fees in proportion to the fees that are left, by bearer and kind. */
function returnedFees(shares: readonly Fees[], amount: MinorUnits): Fees[] {
  const parts = apportion(
    amount,
    shares.flatMap((fees) => FEE_KINDS.map((kind) => BigInt(fees[kind]))),
  );
  return shares.map((_, index) => {
    const [markUp = 0, serviceProvider = 0, gateway = 0] = parts.slice(index * FEE_KINDS.length);
    return { markUp, serviceProvider, gateway };
  });
}

function feesOf({ fees }: Share): Fees {
  return fees;
}

function subtractFees(fees: Fees, part: Fees): Fees {
  return {
    markUp: fees.markUp - part.markUp,
    serviceProvider: fees.serviceProvider - part.serviceProvider,
    gateway: fees.gateway - part.gateway,
  };
}
