import { type Awaitable, whenReady } from '../../../base/awaitable.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import { durationInWords } from '../../../base/text/duration-words.ts';
import type { Scenario } from '../../config/fixtures.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { AdjustmentRule } from '../payments/adjustments.ts';
import type { OutcomePlan } from '../payments/initiate-payment.ts';
import { nameOfRule } from '../payments/transitions.ts';
import type { CreditPlan } from '../payouts/credit-plan.ts';
import { amountOf, CONDITIONS, fitsBody, isInRange, type MatchContext, meets } from './conditions.ts';
import { creditPlansFor } from './scenario-credits.ts';

export type ScenarioRule = Scenario['rules'][number];
export type Fault = NonNullable<ScenarioRule['fault']>;

/** Fixtures or the payer decide about omitted members. */
export interface CallPlan {
  scenario: string;
  /** The rule that acts, and how the scenario was chosen, for X-Sandbox-Outcome. */
  reason: string;
  /** The id of the record that counts the uses of the fault; empty without a rule. */
  faultCountId: string;
  fault: Fault | null;
  respond: NonNullable<Payment['respond']>;
  outcomePlan: OutcomePlan;
  /** The mistakes in a settlement's file and bank statement. */
  mismatches?: ScenarioRule['mismatches'];
  tokenLifetime?: ScenarioRule['tokenLifetime'];
  /** The delivery of a settlement's report. */
  reports?: ScenarioRule['reports'];
  /** In the order of the payout's credits; undefined for credits that no rule matches. */
  creditPlans: readonly (CreditPlan | undefined)[];
}

/** Without a scenario, the fixtures and the payer decide everything. */
export const NO_PLAN: CallPlan = planWithoutRule('', '', {});

function planWithoutRule(scenario: string, reason: string, outcomePlan: OutcomePlan): CallPlan {
  return { scenario, reason, faultCountId: '', fault: null, respond: {}, outcomePlan, creditPlans: [] };
}

/** The part of a call, or its session, that chose its scenario; from highest to lowest precedence. */
export type ChosenBy = 'header' | 'tag' | 'session';

/** The plan of the first rule that matches; without one, only the scenario's behaviour applies. Source: ours. */
export function planOf(scenario: Scenario, matchContext: MatchContext, chosenBy: ChosenBy): Awaitable<CallPlan> {
  return whenReady(findMatchingRule(scenario.rules, matchContext), (rule) => {
    if (rule) {
      const plans = rule.credits ? creditPlansFor(rule.credits, matchContext) : [];
      return whenReady(plans, (creditPlans) => planOfRule(scenario, rule, chosenBy, creditPlans));
    }
    // No remark on a scenario without rules, because with it fixtures and the payer are meant to decide.
    const remark = scenario.rules.length === 0 ? '' : '; none of its rules applies';
    const reason = `${scenario.name}, chosen by ${chosenBy}${remark}`;
    const { name, behaviour } = scenario;
    return planWithoutRule(name, reason, { behaviour });
  });
}

/** The first rule whose conditions a call meets. Not an async loop, because only a rule with a schema of the body needs a promise. */
function findMatchingRule(rules: readonly ScenarioRule[], call: MatchContext): Awaitable<ScenarioRule | undefined> {
  const index = rules.findIndex((rule) => matchesFacts(rule, call));
  const rule = rules[index];
  const schema = rule?.when?.body;
  return schema === undefined
    ? rule
    : whenReady(fitsBody(schema, call.body), (fits) => (fits ? rule : findMatchingRule(rules.slice(index + 1), call)));
}

function planOfRule(
  { name: scenario, behaviour, rules }: Scenario,
  rule: ScenarioRule,
  chosenBy: ChosenBy,
  creditPlans: CallPlan['creditPlans'],
): CallPlan {
  const number = rules.indexOf(rule) + 1;
  return {
    scenario,
    reason: `${nameOfRule(scenario, number)}, chosen by ${chosenBy}`,
    faultCountId: `${scenario} ${number}`,
    fault: rule.fault ?? null,
    respond: rule.respond ? respondOf(rule.respond) : {},
    outcomePlan: {
      decidedBy: nameOfRule(scenario, number),
      settle: rule.settle,
      adjustments: adjustmentsOf(rule),
      lateOutcome: rule.lateOutcome,
      balance: rule.balance,
      payoutFunds: rule.payoutFunds,
      webhookBehaviour: rule.webhook,
      behaviour,
    },
    creditPlans,
    ...(rule.mismatches ? { mismatches: rule.mismatches } : {}),
    ...(rule.tokenLifetime ? { tokenLifetime: rule.tokenLifetime } : {}),
    ...(rule.reports ? { reports: rule.reports } : {}),
  };
}

/** Cast, because the generated type does not have the members of an adjustment. */
export function adjustmentsOf({ adjustments }: ScenarioRule): AdjustmentRule[] | undefined {
  return adjustments === undefined ? undefined : ([adjustments].flat() as object[] as AdjustmentRule[]);
}

/** The generated type of a rule allows members that are undefined, so they are cast to this. */
type Members = NonNullable<CallPlan['respond']['members']>;

function respondOf({ template, unused, ...members }: NonNullable<ScenarioRule['respond']>): CallPlan['respond'] {
  return {
    ...(template === undefined ? {} : { template }),
    ...(unused === undefined ? {} : { unused }),
    ...(Object.keys(members).length === 0 ? {} : { members: members as Members }),
  };
}

/** Whether a call meets all conditions of a rule except the schema of its body. */
function matchesFacts({ when = {} }: ScenarioRule, matchContext: MatchContext): boolean {
  return (
    CONDITIONS.every((name) => meets(when[name], matchContext[name])) &&
    (when.amount === undefined || isInRange(when.amount, amountOf(matchContext)))
  );
}

/** A fault in words, without `times` and `probability`. */
export function describeFault({ kind, status, at, latency }: Fault): string {
  const effect = kind === 'status' ? `status ${status}` : kind;
  const time = at === 'arrival' ? 'on arrival' : `${at} the call`;
  return `${effect} ${time}${latency ? `, latency ${durationInWords(latency)}` : ''}`;
}

export async function resetFaultCounts(transaction: Transaction, scenarioName?: string): Promise<void> {
  for (const { id, scenario } of await transaction.all('faultCounts')) {
    if (scenarioName === undefined || scenario === scenarioName) {
      transaction.remove('faultCounts', id);
    }
  }
}
