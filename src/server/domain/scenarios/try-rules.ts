import type { Finding } from '../../../base/refusal.ts';
import { mismatchesWith } from '../../../base/schema/user-schema.ts';
import { durationInWords } from '../../../base/text/duration-words.ts';
import type { Scenario } from '../../config/fixtures.ts';
import type { AdjustmentRule } from '../payments/adjustments.ts';
import { amountOf, CONDITIONS, fitsBody, isInRange, type MatchContext, meets, rangeInWords } from './conditions.ts';
import { adjustmentsOf, describeFault, type ScenarioRule } from './scenario.ts';
import type { CreditRule } from './scenario-credits.ts';

type UnmetCondition = Pick<Finding, 'path' | 'expected' | 'received'>;

/** `after` means that the call also meets the rule's conditions, but an earlier rule was chosen. */
export interface TriedRule {
  number: number;
  words: string;
  state: 'acts' | 'unmet' | 'after';
  unmet: UnmetCondition[];
}

/**
 * On a call that was refused before the scenario was applied (`wasRefused`), only a fault on arrival can act, and a rule is chosen without
 * the channel and the body.
 */
export async function tryRules({ rules }: Scenario, call: MatchContext, wasRefused: boolean): Promise<TriedRule[]> {
  const results: TriedRule[] = [];
  const context = wasRefused ? { ...call, channel: undefined, body: undefined } : call;
  let isChosen = false;
  for (const [index, rule] of rules.entries()) {
    const unmet = await unmetConditions(rule, context);
    const isFirst: boolean = unmet.length === 0 && !isChosen;
    isChosen ||= isFirst;
    if (isFirst && wasRefused && rule.fault?.at !== 'arrival') {
      unmet.push({
        path: '$.fault.at',
        expected: 'arrival',
        received: 'a call that was refused before the rules were applied',
      });
    }
    const state = unmet.length > 0 ? 'unmet' : isFirst ? 'acts' : 'after';
    results.push({ number: index + 1, words: describeRule(rule), state, unmet });
  }
  return results;
}

async function unmetConditions({ when = {} }: ScenarioRule, context: MatchContext): Promise<UnmetCondition[]> {
  const unmet = CONDITIONS.filter((name) => !meets(when[name], context[name])).map((name) => ({
    path: `$.when.${name}`,
    expected: oneOf(when[name] ?? ''),
    received: context[name] ?? 'none',
  }));
  const amount = amountOf(context);
  if (when.amount !== undefined && !isInRange(when.amount, amount)) {
    const received = Number.isNaN(amount) ? 'none' : String(amount);
    unmet.push({ path: '$.when.amount', expected: rangeInWords(when.amount), received });
  }
  if (when.body !== undefined && !(await fitsBody(when.body, context.body))) {
    const problems = context.body === undefined ? [] : await mismatchesWith(when.body, context.body);
    const words = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    unmet.push({ path: '$.when.body', expected: 'a body that fits', received: words || 'no body that was read' });
  }
  return unmet;
}

function describeRule(rule: ScenarioRule): string {
  const {
    when = {},
    fault,
    respond,
    settle,
    lateOutcome,
    credits,
    balance,
    payoutFunds,
    mismatches,
    reports,
    tokenLifetime,
    webhook,
  } = rule;
  const conditions = [
    when.operation === undefined ? 'any call' : oneOf(when.operation),
    ...(when.channel === undefined ? [] : [`on ${oneOf(when.channel)}`]),
    ...(when.environment === undefined ? [] : [`in ${when.environment}`]),
    ...(when.amount === undefined ? [] : [`of an amount ${rangeInWords(when.amount)}`]),
    ...(when.body === undefined ? [] : ['whose body fits']),
  ];
  const effects = [
    ...(fault ? [limitedFaultInWords(fault)] : []),
    ...(respond ? [`answer with ${membersInWords(respond)}`] : []),
    ...(settle ? [outcomeInWords(settle)] : []),
    ...(lateOutcome ? [lateOutcomeInWords(lateOutcome)] : []),
    ...(credits ?? []).map(
      (credit) => `a credit${credit.when === undefined ? '' : ' that fits'} ${outcomeInWords(credit)}`,
    ),
    ...(balance === undefined ? [] : [`the payer has ${balance}`]),
    ...(adjustmentsOf(rule) ?? []).map(adjustmentInWords),
    ...(payoutFunds ? [`funds of payouts ${payoutFunds}`] : []),
    ...settlementMistakesInWords(mismatches),
    ...(reports ? [reportsInWords(reports)] : []),
    ...(tokenLifetime ? [`access tokens are valid for ${durationInWords(tokenLifetime)}`] : []),
    ...(webhook ? [`notifications ${[webhook.mode, ...(webhook.forgeries ?? [])].join(' ')}`] : []),
  ];
  return `${conditions.join(' ')}: ${effects.join('; ') || 'as the channel does'}`;
}

function settlementMistakesInWords({ kinds, bank }: NonNullable<ScenarioRule['mismatches']> = {}): string[] {
  return [
    ...(kinds ? [`settlement files with mistakes: ${kinds.join(', ')}`] : []),
    ...(bank ? [`bank statements with mistakes: ${bank.join(', ')}`] : []),
  ];
}

function adjustmentInWords({ kind, after, amount }: AdjustmentRule): string {
  return `${kind} ${amount === undefined ? '' : `of ${amount} `}${durationInWords(after)} after it is paid`;
}

function reportsInWords({ announced, late }: NonNullable<ScenarioRule['reports']>): string {
  const words = [
    ...(announced === undefined ? [] : [announced ? 'announced' : 'not announced']),
    ...(late === undefined ? [] : [`${durationInWords(late)} late`]),
  ];
  return `settlement reports ${words.join(', ')}`;
}

function lateOutcomeInWords({ outcome, after }: NonNullable<ScenarioRule['lateOutcome']>): string {
  return `${outcome} ${durationInWords(after)} after it ${outcome === 'Paid' ? 'failed or expired' : 'was paid'}`;
}

function outcomeInWords({ outcome, after, code, returned }: Omit<CreditRule, 'outcome'> & { outcome: string }): string {
  const returnText = returned === undefined ? '' : `, then ${outcomeInWords({ ...returned, outcome: 'Returned' })}`;
  return `${outcome}${after === undefined ? '' : ` after ${durationInWords(after)}`}${code === undefined ? '' : `, code ${code}`}${returnText}`;
}

function limitedFaultInWords(fault: NonNullable<ScenarioRule['fault']>): string {
  const { times, probability } = fault;
  const timesText = times === undefined ? '' : `, ${times === 1 ? 'once' : `${times} times`}`;
  return `${describeFault(fault)}${timesText}${probability === undefined ? '' : `, with probability ${probability}`}`;
}

function membersInWords(respond: NonNullable<ScenarioRule['respond']>): string {
  return Object.entries(respond)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}

function oneOf(values: string | readonly string[]): string {
  return [values].flat().join(' or ');
}
