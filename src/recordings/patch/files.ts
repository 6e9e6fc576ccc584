import { isMembers, membersOf } from '../../base/members.ts';
import type { BehaviourFixture, ScenarioFixture } from '../../base/schema/fixtures.ts';
import type { DriftSource } from '../../base/schema/recordings.ts';
import { overlay } from '../../config/overlay.ts';
import { type Group, INITIATIONS, type RecordedAnswer } from './answers.ts';
import { type Behaving, behaviourOf } from './behaviour.ts';
import { AS_RECORDED, concerns, type Entry, type Evidence, type Part } from './parts.ts';
import { type Rules, rulesOf } from './rules.ts';
import type { Source } from './votes.ts';
import { lifetimes, messageWords, offsets, refusals, stateWords } from './words.ts';

type Rule = ScenarioFixture['rules'][number];

const ANSWER = '$.paymentInitiationResponse';
const CHANNELS = 'channels.json';
const SCENARIO = `scenarios/${AS_RECORDED}.json`;
const BEHAVIOUR = `behaviours/${AS_RECORDED}.json`;
const TEMPLATE = 'recorded';
const QUERY = 'getPaymentStatus';

/** What files of fixtures are to hold, whole, with the entries that are new in them. */
export interface ProposedFiles {
  files: Map<string, object>;
  entries: Entry[];
  notes: string[];
}

/** Lays what the recording shows over what a folder of fixtures holds. `own`: what a file holds now; undefined where it is not there. */
export function proposedFiles(evidence: Evidence, own: (file: string) => unknown): ProposedFiles {
  const files = new Map<string, object>();
  const entries: Entry[] = [];
  const add = (file: string, content: unknown, added: readonly Entry[]) => {
    if (added.length > 0 && isMembers(content)) {
      files.set(file, content);
      entries.push(...added);
    }
  };
  const parts: [string, Part][] = [
    ['payment-states.json', stateWords(evidence)],
    ['operations.json', messageWords(evidence)],
    ['errors.json', refusals(evidence)],
    ['times.json', offsets(evidence)],
  ];
  for (const [file, { content, entries: added }] of parts) {
    add(file, overlay(own(file) ?? {}, content), added);
  }
  const channels = channelsOf(evidence, own(CHANNELS));
  add(CHANNELS, channels.content, channels.entries);
  const behaving = behaviourOf(evidence);
  add(BEHAVIOUR, behaviourFile(evidence, behaving, own(BEHAVIOUR)), behaving.entries);
  const rules = rulesOf(evidence, channels.templates);
  const isNamed = behaving.entries.length > 0;
  const said = [
    ...rules.entries,
    ...(isNamed ? [behaviourNamed(behaving)] : []),
    ...(files.size > 0 && own(SCENARIO) === undefined ? scenarioKept(evidence) : []),
  ];
  add(SCENARIO, scenarioFile(evidence, { ...rules, entries: said }, own(SCENARIO), isNamed), said);
  const disagreements = evidence.observed.disagreements.notesOn(evidence.differences);
  return { files, entries, notes: [...channels.notes, ...disagreements, ...rules.notes, ...behaving.notes] };
}

/** The next comparison has the scenario without being asked, so it does what the one did that was asked for. */
function scenarioKept({ scenario, fixtures }: Evidence): Entry[] {
  const source = null;
  const says = `the rest is as in the scenario ${scenario}`;
  return fixtures.scenarios.get(scenario)?.rules.length ? [{ file: SCENARIO, place: '$.rules', says, source }] : [];
}

function behaviourNamed({ entries: [first] }: Behaving): Entry {
  return {
    file: SCENARIO,
    place: '$.behaviour',
    says: `the service behaves as ${BEHAVIOUR} says`,
    source: first?.source ?? null,
  };
}

/** The recorded answers of channels, and which group of payments gets which. */
function channelsOf(evidence: Evidence, own: unknown) {
  const before = membersOf(own);
  const above = new Map<string, Record<string, unknown>>();
  const entries: Entry[] = [];
  const channelOf = (id: string) => {
    const channel = above.get(id) ?? { id };
    above.set(id, channel);
    return channel;
  };
  for (const { id, lifetime, source } of lifetimes(evidence)) {
    channelOf(id)['lifetime'] = lifetime;
    entries.push({ file: CHANNELS, place: `${id}: lifetime`, says: `a payment expires after ${lifetime}`, source });
  }
  const templates: (Group & { template: string; source: Source })[] = [];
  const notes: string[] = [];
  for (const answer of wantedAnswers(evidence)) {
    const { channel: id, template, source, notAdopted, ...group } = answer;
    for (const { member, isVarying } of notAdopted) {
      const why = isVarying ? 'is another one in each call' : 'names values of one payment';
      notes.push(`Not adopted: ${member} in the answer to ${group.operation} on ${id} ${why}.`);
    }
    const channel = channelOf(id ?? '');
    const known = { ...kept(evidence, before, answer), ...membersOf(channel['recordedAnswers']) };
    const name = nameFor(template, known);
    channel['recordedAnswers'] = { ...membersOf(channel['recordedAnswers']), [name]: template };
    templates.push({ ...group, channel: id, template: name, source });
    const says = `the recorded answer to ${answer.operation}, ${Object.keys(template).length} members`;
    entries.push({ file: CHANNELS, place: `${id}: recordedAnswers.${name}`, says, source });
  }
  return { content: overlay(before, { channels: [...above.values()] }), entries, templates, notes };
}

function wantedAnswers({ observed, differences, fixtures, scenario }: Evidence): RecordedAnswer[] {
  // Answered as the channel's own template has it, unless the scenario says otherwise.
  const isUsual = !fixtures.scenarios.get(scenario)?.rules.some(({ respond }) => respond);
  const isSame = ({ channel, template }: RecordedAnswer) =>
    isUsual && JSON.stringify(template) === JSON.stringify(fixtures.channel(channel ?? '')?.answers.default);
  // How long something counts is no member of the answer: the channel's lifetime says so.
  const about = differences.filter(({ kind, place }) => kind !== 'delay' && place.startsWith(ANSWER));
  return observed.answers.all.filter((answer) => {
    if (isSame(answer)) {
      return false;
    }
    const here = about.filter((each) => concerns(each, answer));
    // A status query repeats the answer; which operation gave it otherwise is told by that one.
    const isTold = here.some(({ operation }) => INITIATIONS.includes(operation ?? ''));
    return here.some(({ operation }) => [answer.operation, null, isTold ? null : QUERY].includes(operation));
  });
}

/** Recorded answers of a channel that other groups of payments have from an earlier proposal. */
function kept(
  { fixtures }: Evidence,
  before: Record<string, unknown> | object,
  { channel, operation, environment }: RecordedAnswer,
) {
  const channels: unknown = membersOf(before)['channels'];
  const own = Array.isArray(channels) ? channels.map(membersOf).find(({ id }) => id === channel) : undefined;
  const rules = fixtures.scenarios.get(AS_RECORDED)?.rules ?? [];
  const others = rules.filter(
    ({ when = {} }) =>
      !(when.operation === operation && when.channel === channel && (when.environment ?? null) === environment),
  );
  const used = others.map(({ respond }) => respond?.template);
  return Object.fromEntries(
    Object.entries(membersOf(own?.['recordedAnswers'])).filter(([name]) => used.includes(name)),
  );
}

/** recorded, or recorded-2 where that is another answer. */
function nameFor(template: object, known: Readonly<Record<string, unknown>>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? TEMPLATE : `${TEMPLATE}-${number}`;
    if (!Object.hasOwn(known, name) || JSON.stringify(known[name]) === JSON.stringify(template)) {
      return name;
    }
  }
}

/** What is not newly known stays as it is in the file, or in the behaviour that the sandbox used. */
function behaviourFile(
  { fixtures, behaviour }: Evidence,
  { notifications, statusQuery, entries }: Behaving,
  own: unknown,
): BehaviourFixture {
  const sources = entries.map(({ source }) => source).filter((source) => source !== null);
  const before = (isMembers(own) ? own : (fixtures.behaviours.get(behaviour) ?? {})) as Partial<BehaviourFixture>;
  const { hash, ...usual } = before.notifications ?? {};
  const kept = { ...usual, ...(hash && notifications.proof === undefined ? { hash } : {}), ...notifications };
  return {
    name: AS_RECORDED,
    description: 'The service behaves as a recording shows it.',
    source: `recorded: ${[...new Set(sources.map(({ file, line }) => `${file}:${line}`))].join(', ')}`,
    date: sources[0]?.at.slice(0, '2026-03-01'.length) ?? '',
    ...(Object.keys(kept).length > 0 ? { notifications: kept } : {}),
    ...(statusQuery || before.statusQuery ? { statusQuery: statusQuery ?? before.statusQuery } : {}),
    ...(before.calls ? { calls: before.calls } : {}),
  } as BehaviourFixture;
}

/** New rules go first. What the scenario did that the sandbox used follows, so that what was the same stays the same. */
function scenarioFile(
  { fixtures, scenario }: Evidence,
  { rules, entries }: Rules,
  own: unknown,
  hasBehaviour: boolean,
): ScenarioFixture {
  const before = membersOf(own) as Partial<ScenarioFixture>;
  const replaced = new Set(rules.map(placeOf));
  const others = [...(before.rules ?? []), ...(fixtures.scenarios.get(scenario)?.rules ?? [])].filter(
    (rule) => !replaced.has(placeOf(rule)),
  );
  const unique = new Map([...rules, ...others].map((rule) => [JSON.stringify(rule), rule]));
  const behaviour = hasBehaviour ? AS_RECORDED : (before.behaviour ?? fixtures.scenarios.get(scenario)?.behaviour);
  return {
    name: AS_RECORDED,
    ...before,
    description: descriptionOf(entries.map(({ source }) => source)),
    ...(behaviour === undefined ? {} : { behaviour }),
    rules: [...unique.values()],
  };
}

/** Which calls a rule is for: an exception and the rule that it is taken from are replaced together. */
function placeOf({ when = {} }: Rule): string {
  const { operation, channel, environment } = when;
  return JSON.stringify([operation, channel, environment]);
}

function descriptionOf(sources: readonly DriftSource[]): string {
  const known = sources.filter((source) => source !== null);
  const places = [...new Set(known.map(({ file, line }) => `${file}:${line}`))].slice(0, 10);
  const day = known[0]?.at.slice(0, '2026-03-01'.length);
  return `What a recording${day === undefined ? '' : ` of ${day}`} shows${places.length === 0 ? '' : ` (${places.join(', ')})`}.`;
}
