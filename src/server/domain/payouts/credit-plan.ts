import { ownMember } from '../../../base/members.ts';
import { addDuration } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { OutcomePlan } from '../payments/initiate-payment.ts';
import type { Credit, CreditOutcome, PlannedOutcome } from './credits.ts';

interface OutcomeDetails {
  /** The delay of the outcome, an ISO 8601 duration. */
  after?: string | undefined;
  code?: string | undefined;
  description?: string | undefined;
}

/** The planned outcome of a credit: it is paid or fails, and a paid credit may be returned. */
export interface CreditPlan extends OutcomeDetails {
  outcome: 'Paid' | 'Failed';
  returned?: OutcomeDetails | undefined;
  /** A rule of a scenario, or a member of a fixture. */
  decidedBy?: string | undefined;
}

export type CreditAccount = Pick<Credit, 'bankBICCode' | 'accountNumber'>;

/** Code and description of an outcome. The default description is the fixture's reason for the code. */
export function reasonFor(
  { payouts }: Fixtures,
  outcome: CreditOutcome,
  { code = null, description }: { code?: string | null | undefined; description?: string | null | undefined },
): Pick<PlannedOutcome, 'code' | 'description'> {
  const reasons = outcome === 'Paid' ? {} : payouts.codes[outcome];
  return { code, description: description ?? (code === null ? null : (ownMember(reasons, code) ?? null)) };
}

/** The outcomes in order of time. Default delay: that of the general plan (`settle`). A credit without a plan is paid. */
export function planCredit(
  transaction: Transaction,
  account: CreditAccount,
  { ownPlan, settle, decidedBy }: { ownPlan: CreditPlan | undefined } & Pick<OutcomePlan, 'settle' | 'decidedBy'>,
): PlannedOutcome[] {
  const { fixtures, now } = transaction;
  const withDecider = (plan: CreditPlan | undefined) => plan && { decidedBy, ...plan };
  const plan =
    withDecider(ownPlan) ?? accountPlan(fixtures, account) ?? withDecider(generalPlan(settle)) ?? DEFAULT_PLAN;
  const { outcome, after, returned, decidedBy: decider, ...details } = plan;
  const source = decider === undefined ? {} : { decidedBy: decider };
  const at = addDuration(now, after ?? settle?.after ?? fixtures.times.payoutDuration);
  const first = { outcome, at, ...reasonFor(fixtures, outcome, details), ...source };
  if (!returned) {
    return [first];
  }
  const returnedAt = addDuration(at, returned.after ?? fixtures.times.returnDuration);
  return [first, { outcome: 'Returned', at: returnedAt, ...reasonFor(fixtures, 'Returned', returned), ...source }];
}

const DEFAULT_PLAN: CreditPlan = { outcome: 'Paid', decidedBy: 'payoutDuration in times.json' };

/** The scenario's general plan. Every outcome but Paid means Failed, because a payout cannot be cancelled or expire. */
function generalPlan(settle: OutcomePlan['settle']): CreditPlan | undefined {
  return settle && { ...settle, outcome: settle.outcome === 'Paid' ? 'Paid' : 'Failed' };
}

/** The fixtures' plan for an account: the outcome of a test account, or the failure of the first check that is not passed. */
function accountPlan({ payouts, banks }: Fixtures, account: CreditAccount): CreditPlan | undefined {
  const testAccount = ownMember(payouts.accounts, account.accountNumber);
  if (testAccount) {
    const { outcome, code } = testAccount;
    const decidedBy = 'accounts in payouts.json';
    return outcome === 'Failed' ? { outcome, code, decidedBy } : { outcome: 'Paid', returned: { code }, decidedBy };
  }
  const { bankBICCode, bankKnown, accountNumber } = payouts.checks;
  const failedCheck = [
    bankBICCode && !matchesPattern(account.bankBICCode, bankBICCode.pattern) ? bankBICCode : null,
    bankKnown && !banks.banks.some((bank) => bank.bankBICCode === account.bankBICCode) ? bankKnown : null,
    accountNumber && !matchesPattern(account.accountNumber, accountNumber.pattern) ? accountNumber : null,
  ].find((check) => check !== null);
  return failedCheck && { outcome: 'Failed', code: failedCheck.code, decidedBy: 'checks in payouts.json' };
}

function matchesPattern(text: string, pattern: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}
