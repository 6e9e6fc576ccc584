import { toDecimalText } from '../money.ts';
import type { Merchant, Payout } from '../schema/records.ts';
import { localJob } from '../sessions/job.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { formatUtc } from '../time.ts';
import { checkMayTrade, receiverBroken } from './merchants.ts';
import { type FeeRow, feesOf, feesOn } from './payments/fees.ts';
import { type OutcomePlan, planOutcome } from './payments/initiate.ts';
import { begin, type Transition, transition } from './payments/transitions.ts';
import { BrokenRules } from './rules.ts';

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
> & { merchant: Merchant; outcomePlan: OutcomePlan };

/**
 * Keeps a bulk payout whose credits add up to the debit. Nobody approves a payout, so it is paid by itself after the time
 * in fixtures/times.json unless a scenario says otherwise. Refuses with `business-rule` or `merchant-not-activated`.
 */
export async function initiatePayout(transaction: Transaction, order: PayoutOrder): Promise<Payout> {
  const { merchant, outcomePlan, ...facts } = order;
  checkMayTrade(merchant);
  const fees = await judge(transaction, order);
  const plannedOutcome = planOutcome(transaction, {
    settle: outcomePlan.settle ?? { outcome: 'Paid', after: transaction.fixtures.times.payoutDuration },
  }) as Payout['plannedOutcome'];
  const payout: Payout = {
    id: `payout-${transaction.next('payout')}`,
    createdAt: transaction.now,
    merchantId: merchant.id,
    ...facts,
    fees: feesOn(fees, facts.total),
    state: 'Processing',
    plannedOutcome,
    dueAt: plannedOutcome?.at ?? null,
    webhookBehaviour: outcomePlan.webhookBehaviour ?? { mode: 'normal' },
    history: begin(transaction.now, 'merchant'),
  };
  transaction.put('payouts', payout);
  transaction.emit('payout.created', 'payouts', payout.id, {
    ...factsOf(payout),
    plannedOutcome: plannedOutcome && { outcome: plannedOutcome.outcome, at: formatUtc(plannedOutcome.at) },
  });
  return payout;
}

/** What an event says of a payout. */
function factsOf({ payerReference: reference, total, currency }: Payout) {
  return { reference, amount: toDecimalText(total), currency };
}

/** Settles a payout and tells the world. Throws `conflict` where the transition table says no. */
export function settlePayout(
  transaction: Transaction,
  payout: Payout,
  change: Pick<Transition, 'to' | 'cause'> & Partial<Transition>,
): Payout {
  const settled = transition(payout, { at: transaction.now, code: null, description: null, ...change });
  transaction.put('payouts', settled);
  transaction.emit(`payout.${settled.state.toLowerCase()}`, 'payouts', settled.id, {
    cause: change.cause,
    ...factsOf(settled),
    code: change.code ?? null,
    description: change.description ?? null,
  });
  return settled;
}

/** A payout that is due: the outcome that was planned. */
export const settlePayoutJob = localJob({
  kind: 'settle-payout',
  collection: 'payouts',
  async run(transaction, payout) {
    if (payout.plannedOutcome) {
      const { outcome, code, description } = payout.plannedOutcome;
      settlePayout(transaction, payout, { to: outcome, cause: 'scenario', code, description });
    }
  },
  fail(transaction, payout, failure) {
    transaction.put('payouts', { ...payout, dueAt: null, failure });
  },
});

/** The fees of a payout that breaks no business rule; refuses any other with all that it breaks. */
async function judge(transaction: Transaction, { total, currency, credits }: PayoutOrder): Promise<FeeRow> {
  const { fees, broken } = feesOf(transaction.fixtures, {
    channel: 'payout',
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
  for (const [index, { merchantId }] of credits.entries()) {
    if (merchantId !== null) {
      broken.push(...(await receiverBroken(transaction, merchantId, `$.credits[${index}].merchantId`)));
    }
  }
  if (!fees || broken.length > 0) {
    throw new BrokenRules(broken);
  }
  return fees;
}
