import { type MinorUnits, toDecimalText } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Merchant, Payout } from '../schema/records.ts';
import { localJob } from '../sessions/job.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { checkActivated, findMerchant } from './merchants.ts';
import { chargesOn, feeRow } from './payments/fees.ts';
import { checkCurrency, planSettlement, type SettlementPlan } from './payments/initiate.ts';
import { begin, type Transition, transition } from './payments/transitions.ts';

export type PayoutOrder = Pick<
  Payout,
  | 'environment'
  | 'total'
  | 'currency'
  | 'description'
  | 'debit'
  | 'payerName'
  | 'payerReference'
  | 'payerBankReference'
  | 'credits'
> & { merchant: Merchant; settlementPlan: SettlementPlan };

/**
 * Keeps a bulk payout whose credits add up to the debit. Nobody approves a payout, so it is paid by itself after the time
 * in fixtures/times.json unless a scenario says otherwise. Refuses with `business-rule` or `merchant-not-activated`.
 */
export async function initiatePayout(transaction: Transaction, order: PayoutOrder): Promise<Payout> {
  const { merchant, settlementPlan, ...facts } = order;
  checkActivated(merchant);
  checkCurrency(transaction, facts.currency);
  checkSum(facts.total, facts.credits);
  for (const { merchantId } of facts.credits) {
    if (merchantId !== null && !(await findMerchant(transaction, merchantId))?.approved) {
      throw new Refusal(
        'business-rule',
        `creditMerchantId ${merchantId} is not an approved merchant (merchants.json says who is)`,
      );
    }
  }
  const settlement = planSettlement(transaction, {
    settle: settlementPlan.settle ?? { outcome: 'Paid', after: transaction.fixtures.times.payoutSettlement },
  }) as Payout['settlement'];
  const payout: Payout = {
    id: `payout-${transaction.next('payout')}`,
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    charges: chargesOn(feeRow(transaction.fixtures, 'payout'), facts.total),
    state: 'Processing',
    settlement,
    dueAt: settlement?.at ?? null,
    webhookBehaviour: settlementPlan.webhookBehaviour ?? { mode: 'normal' },
    history: begin(transaction.now, 'merchant'),
  };
  transaction.put('payouts', payout);
  transaction.emit('payout.created', 'payouts', payout.id);
  return payout;
}

/** Settles a payout and tells the world. Throws `conflict` where the transition table says no. */
export function settlePayout(
  transaction: Transaction,
  payout: Payout,
  change: Pick<Transition, 'to' | 'cause'> & Partial<Transition>,
): Payout {
  const settled = transition(payout, { at: transaction.now, code: null, description: null, ...change });
  transaction.put('payouts', settled);
  transaction.emit(`payout.${settled.state.toLowerCase()}`, 'payouts', settled.id, { cause: change.cause });
  return settled;
}

/** A payout that is due: the settlement that was planned. */
export const settlePayoutJob = localJob({
  kind: 'settle-payout',
  collection: 'payouts',
  async run(transaction, payout) {
    if (payout.settlement) {
      const { outcome, code, description } = payout.settlement;
      settlePayout(transaction, payout, { to: outcome, cause: 'scenario', code, description });
    }
  },
  fail(transaction, payout, failure) {
    transaction.put('payouts', { ...payout, dueAt: null, failure });
  },
});

function checkSum(total: MinorUnits, credits: readonly { amount: MinorUnits }[]): void {
  const sum = credits.reduce((added, { amount }) => added + amount, 0);
  if (sum !== total) {
    throw new Refusal(
      'business-rule',
      `the credits add up to ${toDecimalText(sum)}, but debitTotalAmount is ${toDecimalText(total)}`,
    );
  }
}
