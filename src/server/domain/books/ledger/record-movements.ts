import { namesIn } from '../../../../base/members.ts';
import type { Payment, Payout, Settlement } from '../../../../base/schema/generated/records.ts';
import { ACCOUNTS, sumOfFees } from './accounts.ts';
import { feeTransfers, type MerchantPart, type Movement, NO_LINE_FEES } from './movement.ts';
import { paymentMovements } from './payment-movements.ts';
import { creditId } from './source-ids.ts';

export interface BookedRecords {
  payments: Payment;
  payouts: Payout;
  settlements: Settlement;
}

export type BookedCollection = keyof BookedRecords;

export const CREDIT_EVENTS = {
  Paid: 'payout.credit-paid',
  Failed: 'payout.credit-failed',
  Returned: 'payout.credit-returned',
} as const;

const MOVEMENTS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Movement[] } = {
  payments: paymentMovements,
  payouts: payoutMovements,
  settlements: settlementMovements,
};

export const BOOKED_COLLECTIONS = namesIn<BookedCollection>(MOVEMENTS);

/** In the order of moves, except that those of a payout's credits are grouped by credit. */
export function movementsOf<Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]): Movement[] {
  return MOVEMENTS[collection](record);
}

/** The account is debited at creation; failed and returned credits are paid back. A payout from a bank costs the merchant only fees. */
function payoutMovements(payout: Payout): Movement[] {
  const { id: sourceId, merchantId, total, fees, credits, description, debitedFrom } = payout;
  const debitedAccountName = debitedAccount(payout);
  const sum = credits.reduce((subtotal, { amount }) => subtotal + amount, 0);
  const withdrawn = debitedFrom === 'bank' ? 0 : total;
  const part: MerchantPart = {
    type: withdrawn === 0 ? 'fee' : 'payout',
    merchantId,
    gross: 0 - withdrawn,
    fees: { ...NO_LINE_FEES, payout: 0 - sumOfFees(fees) },
  };
  const creation = payout.history.slice(0, 1).flatMap(({ at, move }): Movement[] =>
    move === undefined
      ? []
      : [
          {
            move,
            at,
            event: 'payout.created',
            step: 'history[0]',
            sourceId,
            originalReference: '',
            code: null,
            description,
            parts: [part],
            transfers: () => [
              [debitedAccountName, ACCOUNTS.inTransit, sum],
              [debitedAccountName, ACCOUNTS.suspense, total - sum],
              ...feeTransfers(part),
            ],
          },
        ],
  );
  return [...creation, ...credits.flatMap((credit, index) => creditMovements(payout, credit, index))];
}

function creditMovements(payout: Payout, credit: Payout['credits'][number], index: number): Movement[] {
  const { merchantId, payerReference, debitedFrom } = payout;
  const { amount, accountNumber } = credit;
  const debitedAccountName = debitedAccount(payout);
  const bank = ACCOUNTS.bank(credit.bankBICCode, accountNumber);
  const byState = {
    Paid: { debit: ACCOUNTS.inTransit, target: bank, type: undefined },
    Failed: { debit: ACCOUNTS.inTransit, target: debitedAccountName, type: 'payout-failed' },
    Returned: { debit: bank, target: debitedAccountName, type: 'payout-returned' },
  } as const;
  return credit.history.flatMap(({ to, at, move, code, description }, step): Movement[] => {
    if (move === undefined || to === 'Processing') {
      return [];
    }
    const { debit, target, type } = byState[to];
    const isReturnedToMerchant = type !== undefined && debitedFrom !== 'bank';
    return [
      {
        move,
        at,
        event: CREDIT_EVENTS[to],
        step: `credits[${index}].history[${step}]`,
        sourceId: creditId(payout, index),
        originalReference: payerReference,
        code,
        description: description ? `${accountNumber}: ${description}` : accountNumber,
        parts: isReturnedToMerchant ? [{ type, merchantId, gross: amount, fees: NO_LINE_FEES }] : [],
        transfers: () => [[debit, target, amount]],
      },
    ];
  });
}

export function debitedAccount({ merchantId, debit, debitedFrom }: Payout): string {
  return debitedFrom === 'bank' ? ACCOUNTS.bank(debit.bankBICCode, debit.accountNumber) : ACCOUNTS.merchant(merchantId);
}

/** Amounts are negative if they are collected or invoiced. Only a return has a part, because a settlement does not list itself. */
function settlementMovements(settlement: Settlement): Movement[] {
  const { id, history, merchantId, bank, totals } = settlement;
  const merchant = ACCOUNTS.merchant(merchantId);
  const account = ACCOUNTS.bank(bank.bankBICCode, bank.accountNumber);
  const transferred = totals?.transferred ?? 0;
  const byState = {
    InTransit: ['settlement.created', merchant, ACCOUNTS.inTransit, transferred],
    Paid: ['settlement.paid', ACCOUNTS.inTransit, account, transferred],
    Returned: ['settlement.returned', account, merchant, transferred],
    Invoiced: ['settlement.invoiced', merchant, ACCOUNTS.receivables(merchantId), totals?.invoiced ?? 0],
  } as const;
  return history.flatMap(({ to, at, move, code, description }, index): Movement[] => {
    if (move === undefined || to === 'CarriedOver') {
      return [];
    }
    const [event, ...transfer] = byState[to];
    const part: MerchantPart = { type: 'settlement-returned', merchantId, gross: transferred, fees: NO_LINE_FEES };
    return [
      {
        move,
        at,
        event,
        step: `history[${index}]`,
        sourceId: id,
        originalReference: id,
        code,
        description,
        parts: to === 'Returned' ? [part] : [],
        transfers: () => [transfer],
      },
    ];
  });
}
