import type { ScenarioFixture } from '../../base/schema/fixtures.ts';
import { addDuration } from '../../base/time.ts';
import { medianOf } from '../drift/delays.ts';
import type { Group } from './answers.ts';
import { AS_RECORDED, concerns, type Entry, type Evidence } from './parts.ts';
import { type ObservedPayment, settledOf, wordsOf } from './payments.ts';
import { durationOf, type Source } from './votes.ts';
import { OUTCOMES, outcomeOf, stateOf } from './words.ts';

type Rule = ScenarioFixture['rules'][number];
type Settle = NonNullable<Rule['settle']>;

const PAYOUT = 'initiateBulkPayout';
const FILE = `scenarios/${AS_RECORDED}.json`;
/** References that are named in exceptions of one channel. */
const MOST_REFERENCES = 200;

/** The rules of a scenario by which a sandbox does what the recording shows. */
export interface Rules {
  rules: Rule[];
  entries: Entry[];
  notes: string[];
}

/** `templates`: which of a channel's recorded answers a group of payments gets. */
export function rulesOf(
  evidence: Evidence,
  templates: readonly (Group & { template: string; source: Source })[],
): Rules {
  const found: Rules = { rules: [], entries: [], notes: [] };
  addFaults(evidence, found);
  const payments = groupsIn(evidence.observed.payments.all);
  const groups = new Map([...payments.keys(), ...templates.map(keyOf)].map((key) => [key, JSON.parse(key) as Group]));
  for (const [key, group] of groups) {
    const template = templates.find((each) => keyOf(each) === key);
    const settles = settlesOf(evidence, group, payments.get(key) ?? [], found).filter(
      // A payout waits for nobody.
      ({ settle }) => settle !== undefined || group.operation !== PAYOUT,
    );
    if (!template && settles.length === 0) {
      continue;
    }
    const rule: Rule = {
      when: whenOf(group),
      ...baseFor(evidence, group),
      ...(template ? { respond: { template: template.template } } : {}),
    };
    if (template) {
      const says = `${nameOf(group)} is answered as ${template.template} of channels.json`;
      found.entries.push({ file: FILE, place: '$.rules', says, source: template.source });
    }
    const [usual, ...others] = settles;
    for (const { settle, payments: few, source } of others) {
      const references = few.map(({ reference }) => reference).slice(0, MOST_REFERENCES);
      found.rules.push(settled({ ...rule, when: { ...rule.when, body: onlyFor(references) } }, settle));
      const says = `${nameOf(group)} of ${references.join(', ')}: ${settleWords(settle)}`;
      found.entries.push({ file: FILE, place: '$.rules', says, source });
    }
    found.rules.push(usual ? settled(rule, usual.settle) : rule);
    if (usual) {
      const says = `${nameOf(group)}: ${settleWords(usual.settle)}`;
      found.entries.push({ file: FILE, place: '$.rules', says, source: usual.source });
    }
  }
  return found;
}

/** Calls that were never answered, or always with one error, where the sandbox takes them. */
function addFaults({ observed, differences }: Evidence, found: Rules): void {
  for (const { recorded, isTaken, isCut, isKnown, ...group } of observed.endings.values()) {
    const [only, ...others] = recorded.all;
    const isError = only?.value === null || (only?.value ?? 0) >= 400;
    const isSeen = differences.some(
      (each) =>
        ['no-answer', 'status'].includes(each.kind) && each.operation === group.operation && concerns(each, group),
    );
    if (!only || others.length > 0 || !isError || !isTaken || isCut || !isSeen) {
      continue;
    }
    const { value: status, source } = only;
    const fault =
      status === null
        ? ({ at: isKnown ? 'after' : 'before', kind: 'timeout' } as const)
        : ({ at: 'before', kind: 'status', status } as const);
    found.rules.push({ when: whenOf(group), fault });
    const says = `${nameOf(group)} ${status === null ? `gets no answer${isKnown ? ', and is done' : ''}` : `is answered with ${status}`}`;
    found.entries.push({ file: FILE, place: '$.rules', says, source });
  }
}

function groupsIn(payments: readonly ObservedPayment[]): Map<string, ObservedPayment[]> {
  const groups = new Map<string, ObservedPayment[]>();
  for (const payment of payments) {
    const known = groups.get(keyOf(payment));
    if (known) {
      known.push(payment);
    } else {
      groups.set(keyOf(payment), [payment]);
    }
  }
  return groups;
}

function keyOf({ operation, channel, environment }: Group): string {
  return JSON.stringify({ operation, channel, environment });
}

interface Settling {
  /** Undefined: it waits for the payer. */
  settle: Settle | undefined;
  payments: ObservedPayment[];
  source: Source;
}

/** How the payments of a group ended, the most frequent way first; none where the sandbox does the same. */
function settlesOf(
  evidence: Evidence,
  group: Group,
  payments: readonly ObservedPayment[],
  { notes }: Rules,
): Settling[] {
  const isSeen = evidence.differences.some((each) => {
    // Without a channel these are about payouts; what is told of a notification may be so on all channels.
    const isHere = each.part === 'payment' ? each.channel === group.channel : true;
    const isKind = ['sequence', 'delay', 'notification'].includes(each.kind);
    return (isKind || (each.kind === 'word' && each.place === '$.description')) && isHere && concerns(each, group);
  });
  if (!isSeen) {
    return [];
  }
  const isEnd = (word: string) => outcomeOf(word, evidence) !== undefined;
  const byOutcome = new Map<string, Ended>();
  const unknown = new Set<string>();
  for (const payment of payments) {
    const end = settledOf(payment, isEnd);
    const others = wordsOf(payment).filter((word) => stateOf(word, evidence) === undefined);
    for (const word of others) {
      unknown.add(word);
    }
    if (!end && others.length > 0) {
      continue;
    }
    const outcome = end ? (outcomeOf(end.word, evidence) ?? '') : '';
    const known = byOutcome.get(outcome) ?? { payments: [], spans: [], descriptions: new Set() };
    byOutcome.set(outcome, known);
    known.payments.push(payment);
    if (end) {
      known.spans.push(end);
      known.descriptions.add(payment.descriptions.get(end.word));
    }
  }
  for (const word of unknown) {
    notes.push(
      `Not adopted: the status ${JSON.stringify(word)} of ${nameOf(group)}, as it is not known which of ${OUTCOMES.join(', ')} it stands for, if any.`,
    );
  }
  const base = baseFor(evidence, group).settle;
  return [...byOutcome]
    .sort(([a, one], [b, other]) => other.payments.length - one.payments.length || rankOf(a) - rankOf(b))
    .flatMap(([outcome, ended]) => {
      const [first] = ended.payments;
      const settle =
        outcome === '' ? undefined : settleFor(evidence, group, { outcome: outcome as Settle['outcome'], ended, base });
      return first ? [{ settle, payments: ended.payments, source: first.source }] : [];
    });
}

/** Where as many ended in one way as in another, most payments are paid; those that wait may end later. */
const RANKS: readonly string[] = [...OUTCOMES, ''];
const rankOf = (outcome: string): number => RANKS.indexOf(outcome);

/** Payments with one outcome. */
interface Ended {
  payments: ObservedPayment[];
  spans: { from: number; to: number }[];
  descriptions: Set<string | undefined>;
}

/** What the scenario says already is left as it is where it fits. */
function settleFor(
  { fixtures }: Evidence,
  { channel }: Group,
  {
    outcome,
    ended: { payments, spans, descriptions },
    base,
  }: { outcome: Settle['outcome']; ended: Ended; base: Settle | undefined },
): Settle {
  const [from = 0, to = 0] = [medianOf(spans.map((span) => span.from)), medianOf(spans.map((span) => span.to))];
  const before = base === undefined ? -1 : addDuration(0, base.after);
  const after = base && before >= from && before <= to ? base.after : durationOf((from + to) / 2);
  const [description, ...others] = descriptions;
  const usual = fixtures.channel(channel ?? '')?.outcomes[outcome].description;
  const settle = base?.outcome === outcome ? { ...base, after } : { outcome, after };
  const isOfOne = payments.some(({ reference }) => reference !== '' && description?.includes(reference));
  return description === undefined || others.length > 0 || isOfOne || description === (settle.description ?? usual)
    ? settle
    : { ...settle, description };
}

/** A test account decides about a credit of a payout where no entry for credits does. */
function settled({ settle: _, ...rule }: Rule, settle: Settle | undefined): Rule {
  if (!settle || rule.when?.operation !== PAYOUT) {
    return settle ? { ...rule, settle } : rule;
  }
  const outcome = settle.outcome === 'Paid' ? 'Paid' : 'Failed';
  return { ...rule, settle, credits: [{ outcome, after: settle.after }] };
}

/** What the scenario in use does with payments of a group. */
function baseFor({ fixtures, scenario }: Evidence, group: Group): Rule {
  const has = (wanted: string | readonly string[] | undefined, value: string | null) =>
    wanted === undefined || [wanted].flat().includes(value ?? '');
  const found = fixtures.scenarios
    .get(scenario)
    ?.rules.find(
      ({ when = {}, fault }) =>
        !fault &&
        when.body === undefined &&
        has(when.operation, group.operation) &&
        has(when.channel, group.channel) &&
        has(when.environment, group.environment),
    );
  const { when: _, ...rest } = found ?? {};
  return rest;
}

function whenOf({ operation, channel, environment }: Group): NonNullable<Rule['when']> {
  return {
    operation,
    ...(channel === null ? {} : { channel }),
    ...(environment === null ? {} : { environment }),
  } as NonNullable<Rule['when']>;
}

function onlyFor(references: readonly string[]): { [k: string]: unknown } {
  const [only] = references;
  return {
    properties: { payerReference: references.length === 1 ? { const: only } : { enum: references } },
    required: ['payerReference'],
  };
}

function nameOf({ operation, channel, environment }: Group): string {
  return [
    operation,
    channel === null ? '' : ` on ${channel}`,
    environment === 'sandbox' ? ' (sandbox routes)' : '',
  ].join('');
}

function settleWords(settle: Settle | undefined): string {
  return settle ? `${settle.outcome} after ${settle.after}` : 'waits for the payer';
}
