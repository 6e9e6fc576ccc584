import type { Fees, Payment } from '../../../../base/schema/generated/records.ts';
import { ACCOUNTS, FEE_KINDS } from './accounts.ts';
import { type AdjustmentMovement, adjustmentMovements } from './adjustment-movements.ts';
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

/** The events of adjustments, by kind. */
export const ADJUSTMENT_EVENTS = {
  refund: 'payment.refunded',
  reversal: 'payment.reversed',
  chargeback: 'payment.charged-back',
  'chargeback-reversed': 'payment.chargeback-reversed',
  'late-failure': 'payment.failed',
} as const;

/** Whether a step of a payment's history is the one that paid it, late or not: no adjustment leads from there to Paid. */
export function isPaying({ from, to }: Pick<Payment['history'][number], 'from' | 'to'>): boolean {
  return to === 'Paid' && (from === 'Processing' || from === 'Failed' || from === 'Expired');
}

/** Payers owe what is paid; each receiver is owed its share, less the fees that it bears. An adjustment goes back the way it came. */
export function paymentMovements(payment: Payment): Movement[] {
  const paid = payment.history.flatMap((each, index): Movement[] => {
    const { at, move, code, description } = each;
    if (!isPaying(each) || move === undefined) {
      return [];
    }
    const parts = paidParts(payment);
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
        transfers: () => paidTransfers(payment, parts),
      },
    ];
  });
  return [
    ...paid,
    ...adjustmentMovements(payment).flatMap((moved, place) => adjustmentMovement(payment, moved, place)),
  ];
}

function paidParts(payment: Payment): MerchantPart[] {
  const isSplit = payment.shares.length > 0;
  return sharesOf(payment).map(({ merchantId, gross, fees }, index) => {
    const type = !isSplit ? 'payment' : gross === 0 && index === payment.shares.length ? 'fee' : 'share';
    return { type, merchantId, gross, fees: borne(fees) };
  });
}

function paidTransfers({ channel, amount, feesBorneBy, fees }: Payment, parts: readonly MerchantPart[]): Transfer[] {
  const payers = ACCOUNTS.payers(channel);
  const shared = parts.reduce((sum, { gross }) => sum + gross, 0);
  return [
    ...parts.map((part) => grossTransfer(part, payers)),
    // What the shares leave over belongs to nobody that is known.
    [payers, ACCOUNTS.suspense, amount - shared],
    ...(feesBorneBy === 'payer' ? FEE_KINDS.map((kind): Transfer => [payers, ACCOUNTS.fees[kind], fees[kind]]) : []),
    ...parts.flatMap(feeTransfers),
  ];
}

function adjustmentMovement(payment: Payment, moved: AdjustmentMovement, place: number): Movement[] {
  const { adjustment, shares, penalties, payerFees } = moved;
  const { kind: type, at, move, code = null, description = null } = adjustment;
  if (move === undefined) {
    return [];
  }
  const payers = ACCOUNTS.payers(payment.channel);
  const parts = shares.map(({ merchantId, gross, fees }, index): MerchantPart => {
    const { markUp, serviceProvider, gateway } = fees;
    const chargeback = 0 - (penalties[index] ?? 0);
    return { type, merchantId, gross, fees: { markUp, serviceProvider, gateway, payout: 0, chargeback } };
  });
  return [
    {
      move,
      at,
      event: ADJUSTMENT_EVENTS[type],
      step: `adjustments[${place}]`,
      sourceId: adjustmentId(payment, place),
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

/** What a merchant bears is taken off. */
function borne({ markUp, serviceProvider, gateway }: Fees): LineFees {
  // No fee is 0, not -0.
  return {
    markUp: 0 - markUp,
    serviceProvider: 0 - serviceProvider,
    gateway: 0 - gateway,
    payout: 0,
    chargeback: 0,
  };
}
