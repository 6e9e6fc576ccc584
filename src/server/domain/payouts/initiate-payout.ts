import { toDecimalText } from '../../../base/money.ts';
import type { Merchant, Payout } from '../../../base/schema/generated/records.ts';
import { formatUtc } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';
import { fundsOf } from '../books/settlements/funds.ts';
import { BrokenRules } from '../broken-rules.ts';
import { checkMayTrade, validateReceiver } from '../merchants/merchants.ts';
import { computeFees, type FeeRow, findFees } from '../payments/fees.ts';
import type { OutcomePlan } from '../payments/initiate-payment.ts';
import { beginHistory } from '../payments/transitions.ts';
import { type CreditPlan, planCredit } from './credit-plan.ts';
import { type Credit, dueOfCredits, stateOfPayout } from './credits.ts';
import { addPayoutToSettlement, factsOf } from './payout.ts';

export type PayoutOrder = Pick<
  Payout,
  'environment' | 'total' | 'currency' | 'description' | 'debit' | 'payerName' | 'payerReference' | 'payerBankReference'
> & {
  merchant: Merchant;
  credits: readonly Omit<Credit, 'state' | 'plannedOutcomes' | 'history'>[];
  outcomePlan: OutcomePlan;
  /** The scenario's plans for single credits, in order; undefined for credits without a plan. */
  creditPlans: readonly (CreditPlan | undefined)[];
};

/** Stores a bulk payout. Throws `business-rule` or `merchant-not-activated` synchronously, instead of rejecting its promise. */
export function initiatePayout(transaction: Transaction, order: PayoutOrder): Promise<Payout> {
  checkMayTrade(order.merchant);
  const feeRow = validateOrder(transaction, order);
  return storePayout(transaction, order, computeFees(feeRow, order.total));
}

async function storePayout(transaction: Transaction, order: PayoutOrder, payoutFees: Payout['fees']): Promise<Payout> {
  const { merchant, outcomePlan, creditPlans, ...facts } = order;
  const unfunded = await isUnfunded(transaction, order, payoutFees);
  const credits = facts.credits.map((credit, index): Credit => {
    const { settle, decidedBy } = outcomePlan;
    const ownPlan = unfunded ? unfundedPlan(outcomePlan) : creditPlans[index];
    const plannedOutcomes = planCredit(transaction, credit, { ownPlan, settle, decidedBy });
    return { ...credit, state: 'Processing', plannedOutcomes, history: [] };
  });
  const payout: Payout = {
    id: idOf('payouts', transaction.next('payout')),
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    credits,
    fees: payoutFees,
    ...(debitsMerchant(transaction, order) ? {} : { debitedFrom: 'bank' as const }),
    ...(unfunded ? { unfunded } : {}),
    state: 'Processing',
    dueAt: dueOfCredits(credits),
    ...(outcomePlan.behaviour === undefined ? {} : { behaviour: outcomePlan.behaviour }),
    webhookBehaviour: outcomePlan.webhookBehaviour ?? { mode: 'normal' },
    history: beginHistory(transaction.now, 'merchant', unfunded ? undefined : transaction.next('move')),
  };
  transaction.put('payouts', payout);
  addPayoutToSettlement(transaction, payout);
  transaction.emit('payout.created', 'payouts', payout.id, { ...factsOf(payout), plannedOutcome: plannedEnd(credits) });
  return payout;
}

/** The plan for every credit of a payout that exceeds the merchant's balance. AM04 means insufficient funds. Source: ISO 20022. */
function unfundedPlan({ payoutFunds, decidedBy = '' }: OutcomePlan): CreditPlan {
  const decider = payoutFunds === undefined ? 'payoutFunds in ledger.json' : decidedBy;
  return { outcome: 'Failed', code: 'AM04', decidedBy: decider };
}

/** Whether a payout debits the merchant's balance, and not the bank account in the order. */
function debitsMerchant({ fixtures }: Transaction, { outcomePlan }: PayoutOrder): boolean {
  return fixtures.ledger.payoutDebit === 'merchant' || outcomePlan.payoutFunds === 'enforced';
}

/** Whether the merchant's balance must cover a payout, and does not. */
async function isUnfunded(transaction: Transaction, order: PayoutOrder, fees: Payout['fees']): Promise<boolean> {
  const payoutFunds = order.outcomePlan.payoutFunds ?? transaction.fixtures.ledger.payoutFunds;
  if (!debitsMerchant(transaction, order) || payoutFunds === 'unlimited') {
    return false;
  }
  return (await fundsOf(transaction, order.merchant.id, order)) < order.total + sumOfFees(fees);
}

/** The state of a payout after all planned outcomes, and the time of the last one. */
function plannedEnd(credits: readonly Credit[]): { outcome: string; at: string } {
  const lastOutcomes = credits.flatMap(({ plannedOutcomes }) => plannedOutcomes.slice(-1));
  const at = lastOutcomes.reduce((latest, planned) => Math.max(latest, planned.at), 0);
  return { outcome: stateOfPayout(lastOutcomes.map(({ outcome }) => outcome)), at: formatUtc(at) };
}

/** The fee row of a valid order. Throws `business-rule` with all the rules that it breaks. */
function validateOrder(transaction: Transaction, { merchant, total, currency, credits }: PayoutOrder): FeeRow {
  const { feeRow, brokenRules } = findFees(transaction.fixtures, {
    channel: 'payout',
    merchantId: merchant.id,
    currency,
    amount: total,
    amountPath: '$.total',
    at: transaction.now,
  });
  const sum = credits.reduce((subtotal, { amount }) => subtotal + amount, 0);
  if (sum !== total) {
    const expected = `${toDecimalText(sum)}, what the credits add up to`;
    brokenRules.push({ path: '$.total', expected, value: toDecimalText(total), involves: ['$.credits'] });
  }
  for (const [index, { merchantId, amount }] of credits.entries()) {
    if (amount < 1) {
      const path = `$.credits[${index}].amount`;
      brokenRules.push({ path, expected: 'an amount of at least 0.01', value: toDecimalText(amount) });
    }
    if (merchantId !== null) {
      brokenRules.push(...validateReceiver(transaction, merchantId, `$.credits[${index}].merchantId`));
    }
  }
  if (!feeRow || brokenRules.length > 0) {
    throw new BrokenRules(brokenRules);
  }
  return feeRow;
}
