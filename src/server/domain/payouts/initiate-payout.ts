import { toDecimalText } from '../../../base/money.ts';
import type { Merchant, Payout } from '../../../base/schema/generated/records.ts';
import { formatUtc } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';
import { fundsOf } from '../books/settlements/funds.ts';
import { BrokenRules } from '../business-rules.ts';
import { checkMayTrade, receiverBroken } from '../merchants/merchants.ts';
import { type FeeRow, feesOf, feesOn } from '../payments/fees.ts';
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
  /** What the scenario says of single credits, in their order; undefined where it says nothing. */
  creditPlans: readonly (CreditPlan | undefined)[];
};

/**
 * Keeps a bulk payout whose credits add up to the debit. Nobody approves a payout, so its credits are paid by themselves after the
 * time in fixtures/times.json unless a scenario or fixtures/payouts.json says otherwise. Refuses with `business-rule` or
 * `merchant-not-activated`.
 */
export async function initiatePayout(transaction: Transaction, order: PayoutOrder): Promise<Payout> {
  const { merchant, outcomePlan, creditPlans, ...facts } = order;
  checkMayTrade(merchant);
  const fees = feesFor(transaction, order);
  const costs = feesOn(fees, facts.total);
  const unfunded = await isUnfunded(transaction, order, costs);
  const credits = facts.credits.map((credit, index): Credit => {
    const { settle, decidedBy } = outcomePlan;
    const chosen = unfunded ? noFunds(outcomePlan) : creditPlans[index];
    const plannedOutcomes = planCredit(transaction, credit, { chosen, settle, decidedBy });
    return { ...credit, state: 'Processing', plannedOutcomes, history: [] };
  });
  const payout: Payout = {
    id: idOf('payouts', transaction.next('payout')),
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    credits,
    fees: costs,
    ...(isTakenOffWhatIsOwed(transaction, order) ? {} : { debitedFrom: 'bank' as const }),
    ...(unfunded ? { unfunded } : {}),
    state: 'Processing',
    dueAt: dueOfCredits(credits),
    ...(outcomePlan.behaviour === undefined ? {} : { behaviour: outcomePlan.behaviour }),
    webhookBehaviour: outcomePlan.webhookBehaviour ?? { mode: 'normal' },
    history: beginHistory(transaction.now, 'merchant', unfunded ? undefined : transaction.next('move')),
  };
  transaction.put('payouts', payout);
  addPayoutToSettlement(transaction, payout);
  transaction.emit('payout.created', 'payouts', payout.id, { ...factsOf(payout), plannedOutcome: endOf(credits) });
  return payout;
}

/** What becomes of every credit where what is owed to the merchant is less than the payout. */
function noFunds({ payoutFunds, decidedBy = '' }: OutcomePlan): CreditPlan {
  const decider = payoutFunds === undefined ? 'payoutFunds in ledger.json' : decidedBy;
  return { outcome: 'Failed', code: 'AM04', decidedBy: decider };
}

/** Whether a payout is taken off what is owed to its merchant, and not from the bank account that it names. */
function isTakenOffWhatIsOwed({ fixtures }: Transaction, { outcomePlan }: PayoutOrder): boolean {
  return fixtures.ledger.payoutDebit === 'merchant' || outcomePlan.payoutFunds === 'enforced';
}

/** Whether what is owed to the merchant must be enough, and is not. */
async function isUnfunded(transaction: Transaction, order: PayoutOrder, fees: Payout['fees']): Promise<boolean> {
  const payoutFunds = order.outcomePlan.payoutFunds ?? transaction.fixtures.ledger.payoutFunds;
  if (!isTakenOffWhatIsOwed(transaction, order) || payoutFunds === 'unlimited') {
    return false;
  }
  return (await fundsOf(transaction, order.merchant.id, order)) < order.total + sumOfFees(fees);
}

/** The state that a payout comes to once all is done that is planned, and when that is. */
function endOf(credits: readonly Credit[]): { outcome: string; at: string } {
  const last = credits.flatMap(({ plannedOutcomes }) => plannedOutcomes.slice(-1));
  const at = last.reduce((latest, planned) => Math.max(latest, planned.at), 0);
  return { outcome: stateOfPayout(last.map(({ outcome }) => outcome)), at: formatUtc(at) };
}

/** The fees of a payout that breaks no business rule; refuses any other with all that it breaks. */
function feesFor(transaction: Transaction, { merchant, total, currency, credits }: PayoutOrder): FeeRow {
  const { fees, broken } = feesOf(transaction.fixtures, {
    channel: 'payout',
    merchantId: merchant.id,
    currency,
    amount: total,
    amountPath: '$.total',
    at: transaction.now,
  });
  const sum = credits.reduce((added, { amount }) => added + amount, 0);
  if (sum !== total) {
    const expected = `${toDecimalText(sum)}, what the credits add up to`;
    broken.push({ path: '$.total', expected, value: toDecimalText(total), involves: ['$.credits'] });
  }
  for (const [index, { merchantId, amount }] of credits.entries()) {
    if (amount < 1) {
      const path = `$.credits[${index}].amount`;
      broken.push({ path, expected: 'an amount of at least 0.01', value: toDecimalText(amount) });
    }
    if (merchantId !== null) {
      broken.push(...receiverBroken(transaction, merchantId, `$.credits[${index}].merchantId`));
    }
  }
  if (!fees || broken.length > 0) {
    throw new BrokenRules(broken);
  }
  return fees;
}
