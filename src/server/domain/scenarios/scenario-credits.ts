import type { BulkPayoutRequest } from '../../../base/schema/generated/requests.ts';
import type { Scenario } from '../../config/fixtures.ts';
import type { CreditPlan } from '../payouts/credit-plan.ts';
import { fitsBody, isInRange, type MatchContext, meets } from './conditions.ts';

export type CreditRule = NonNullable<Scenario['rules'][number]['credits']>[number];
type WireCredit = BulkPayoutRequest['dynamicCreditList'][number];

/** The plan of each credit of a payout; undefined for a credit that no rule matches. */
export async function creditPlansFor(
  rules: readonly CreditRule[],
  { operation, body }: MatchContext,
): Promise<(CreditPlan | undefined)[]> {
  if (operation !== 'initiateBulkPayout' || rules.length === 0) {
    return [];
  }
  const { dynamicCreditList: credits } = body as BulkPayoutRequest;
  const plans: (CreditPlan | undefined)[] = [];
  for (const [index, credit] of credits.entries()) {
    plans.push(await planFor(rules, credit, index + 1));
  }
  return plans;
}

async function planFor(
  rules: readonly CreditRule[],
  credit: WireCredit,
  number: number,
): Promise<CreditPlan | undefined> {
  for (const { when = {}, ...plan } of rules) {
    if (matchesCredit(when, credit, number) && (when.body === undefined || (await fitsBody(when.body, credit)))) {
      return plan;
    }
  }
  return undefined;
}

function matchesCredit(when: NonNullable<CreditRule['when']>, credit: WireCredit, number: number): boolean {
  return (
    meets(when.number, number) &&
    meets(when.merchantId, credit.creditMerchantId) &&
    meets(when.bankBICCode, credit.creditBankBICCode) &&
    meets(when.accountNumber, credit.creditAccountNumber) &&
    isInRange(when.amount ?? {}, credit.creditAmount)
  );
}
