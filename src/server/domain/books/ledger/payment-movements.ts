import type { Fees, Payment } from '../../../../base/schema/generated/records.ts';
import { ACCOUNTS, FEE_KINDS } from './accounts.ts';
import { type AdjustmentAmounts, adjustmentAmounts } from './adjustment-amounts.ts';
import {
  feeTransfers,
  grossTransfer,
  type LineFees,
  type MerchantPart,
  type Movement,
  type Transfer,
} from './movement.ts';
import { sharesOf } from './shares.ts';
import { adjustmentId } from './source-ids.ts';

export const ADJUSTMENT_EVENTS = {
  refund: 'payment.refunded',
  reversal: 'payment.reversed',
  chargeback: 'payment.charged-back',
  'chargeback-reversed': 'payment.chargeback-reversed',
  'late-failure': 'payment.failed',
} as const;

/** Whether a step of a payment's history paid it, late or not. A reversed chargeback also leads to Paid, but from another state. */
export function isPaying({ from, to }: Pick<Payment['history'][number], 'from' | 'to'>): boolean {
  return to === 'Paid' && (from === 'Processing' || from === 'Failed' || from === 'Expired');
}

/** A payment debits the payers and credits each receiver with its share less fees. Adjustments return amounts or take them back. */
export function paymentMovements(payment: Payment): Movement[] {
  const payingMovements = payment.history.flatMap((change, index): Movement[] => {
    const { at, move, code, description } = change;
    if (!isPaying(change) || move === undefined) {
      return [];
    }
    const parts = partsOf(payment);
    return [
      {
        move,
        at,
        event: 'payment.paid',
        step: `history[${index}]`,
        sourceId: payment.id,
        originalReference: '',
        code,
        description,
        parts,
        transfers: () => transfersOf(payment, parts),
      },
    ];
  });
  return [
    ...payingMovements,
    ...adjustmentAmounts(payment).flatMap((amounts, index) => adjustmentMovements(payment, amounts, index)),
  ];
}

function partsOf(payment: Payment): MerchantPart[] {
  const isSplit = payment.shares.length > 0;
  return sharesOf(payment).map(({ merchantId, gross, fees }, index) => {
    // If the initiator bears the fees, sharesOf adds them as a last share.
    const type = !isSplit ? 'payment' : index < payment.shares.length ? 'share' : 'fee';
    return { type, merchantId, gross, fees: negatedFees(fees) };
  });
}

function transfersOf({ channel, amount, feesBorneBy, fees }: Payment, parts: readonly MerchantPart[]): Transfer[] {
  const payers = ACCOUNTS.payers(channel);
  const sharesTotal = parts.reduce((sum, { gross }) => sum + gross, 0);
  return [
    ...parts.map((part) => grossTransfer(part, payers)),
    // The amount that the shares do not cover has no known owner.
    [payers, ACCOUNTS.suspense, amount - sharesTotal],
    ...(feesBorneBy === 'payer' ? FEE_KINDS.map((kind): Transfer => [payers, ACCOUNTS.fees[kind], fees[kind]]) : []),
    ...parts.flatMap(feeTransfers),
  ];
}

/** The movement of an adjustment; none in test mode, which moves no money. */
function adjustmentMovements(payment: Payment, amounts: AdjustmentAmounts, index: number): Movement[] {
  const { adjustment, shares, chargebackFees, payerFees } = amounts;
  const { kind: type, at, move, code = null, description = null } = adjustment;
  if (move === undefined) {
    return [];
  }
  const payers = ACCOUNTS.payers(payment.channel);
  const parts = shares.map(({ merchantId, gross, fees }, shareIndex): MerchantPart => {
    const { markUp, serviceProvider, gateway } = fees;
    const chargeback = 0 - (chargebackFees[shareIndex] ?? 0);
    return { type, merchantId, gross, fees: { markUp, serviceProvider, gateway, payout: 0, chargeback } };
  });
  return [
    {
      move,
      at,
      event: ADJUSTMENT_EVENTS[type],
      step: `adjustments[${index}]`,
      sourceId: adjustmentId(payment, index),
      originalReference: payment.payerReference,
      code,
      description,
      parts,
      transfers: () => [
        ...parts.flatMap((part) => [grossTransfer(part, payers), ...feeTransfers(part)]),
        ...FEE_KINDS.map((kind): Transfer => [ACCOUNTS.fees[kind], payers, payerFees[kind]]),
      ],
    },
  ];
}

function negatedFees({ markUp, serviceProvider, gateway }: Fees): LineFees {
  // Subtracted from 0, because tests do not accept -0 as equal to 0.
  return {
    markUp: 0 - markUp,
    serviceProvider: 0 - serviceProvider,
    gateway: 0 - gateway,
    payout: 0,
    chargeback: 0,
  };
}
