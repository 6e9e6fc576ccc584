import { apportion, type MinorUnits } from '../../../../base/money.ts';
import type { Adjustment, Fees, Payment } from '../../../../base/schema/generated/records.ts';
import { FEE_KINDS } from './accounts.ts';
import { NO_FEES, type Share, sharesOf } from './shares.ts';

/** What something that happened to a payment moved, from the merchants' view, in minor units. */
export interface AdjustmentMovement {
  adjustment: Adjustment;
  /** By receiver: the gross is below 0 where money went back, fees above 0 where they were given back. */
  shares: Share[];
  /** What a chargeback costs on top, by receiver. */
  penalties: MinorUnits[];
  /** Fees that were given back to the payer, who had borne them. */
  payerFees: Fees;
}

/** What gives back the charges with the money. */
export const GIVES_CHARGES_BACK: ReadonlySet<Adjustment['kind']> = new Set(['reversal', 'late-failure']);

/** What is left of a payment to be given back, and what was charged back of it. */
interface Rest {
  left: Share[];
  payerFees: Fees;
  chargedBack: MinorUnits[];
}

/**
 * What happened to a payment after it was paid, in its order. A part of a split payment is divided by what each share has left, for
 * rounded sums would take a cent too much of one in the end; so are the fees that a reversal gives back.
 */
export function adjustmentMovements(payment: Payment): AdjustmentMovement[] {
  if (payment.adjustments === undefined) {
    return [];
  }
  const left = sharesOf(payment);
  const payerFees = payment.feesBorneBy === 'payer' ? payment.fees : NO_FEES;
  let rest: Rest = { left, payerFees, chargedBack: left.map(() => 0) };
  return payment.adjustments.map((adjustment) => {
    const moved = moveOf(payment, rest, adjustment);
    rest = restAfter(rest, moved);
    return moved;
  });
}

function moveOf(
  { splitFees }: Payment,
  { left, payerFees, chargedBack }: Rest,
  adjustment: Adjustment,
): AdjustmentMovement {
  const { kind, amount, fee } = adjustment;
  const isBack = kind === 'chargeback-reversed';
  const weights = (isBack ? chargedBack : left.map(({ gross }) => gross)).map(BigInt);
  const parts = apportion(amount, weights);
  const [toPayer = NO_FEES, ...fees] = GIVES_CHARGES_BACK.has(kind)
    ? feesBack([payerFees, ...left.map(feesOf)], fee)
    : [];
  const bearers = splitFees === 'initiator' ? left.map((_, index) => (index === left.length - 1 ? 1n : 0n)) : weights;
  return {
    adjustment,
    shares: left.map(({ merchantId }, index) => ({
      merchantId,
      gross: isBack ? (parts[index] ?? 0) : 0 - (parts[index] ?? 0),
      fees: fees[index] ?? NO_FEES,
    })),
    penalties: kind === 'chargeback' ? apportion(fee, bearers) : left.map(() => 0),
    payerFees: toPayer,
  };
}

function restAfter(
  { left, payerFees, chargedBack }: Rest,
  { adjustment, shares, payerFees: toPayer }: AdjustmentMovement,
): Rest {
  const isCharge = adjustment.kind === 'chargeback' || adjustment.kind === 'chargeback-reversed';
  return {
    left: left.map((share, index) => ({
      ...share,
      gross: share.gross + (shares[index]?.gross ?? 0),
      fees: minus(share.fees, shares[index]?.fees ?? NO_FEES),
    })),
    payerFees: minus(payerFees, toPayer),
    chargedBack: chargedBack.map((part, index) => (isCharge ? part - (shares[index]?.gross ?? 0) : part)),
  };
}

/** An amount of fees, divided over all that are left by bearer and kind. */
function feesBack(left: readonly Fees[], amount: MinorUnits): Fees[] {
  const parts = apportion(
    amount,
    left.flatMap((fees) => FEE_KINDS.map((kind) => BigInt(fees[kind]))),
  );
  return left.map((_, index) => {
    const [markUp = 0, serviceProvider = 0, gateway = 0] = parts.slice(index * FEE_KINDS.length);
    return { markUp, serviceProvider, gateway };
  });
}

function feesOf({ fees }: Share): Fees {
  return fees;
}

function minus(fees: Fees, part: Fees): Fees {
  return {
    markUp: fees.markUp - part.markUp,
    serviceProvider: fees.serviceProvider - part.serviceProvider,
    gateway: fees.gateway - part.gateway,
  };
}
