import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { ChannelsFixture, ScenarioFixture } from '../../base/schema/generated/fixtures.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { describeSize, isLarger, type JsonSize } from '../../base/schema/json-size.ts';
import { checkSchema, sizeOfSchema } from '../../base/schema/user-schema.ts';
import { addDuration } from '../../base/time.ts';
import { checkAnswerMembers } from './check-answer.ts';
import { checkId } from './check-id.ts';
import { checkName } from './check-name.ts';

/** The only operation with credits. */
const PAYOUT = 'initiateBulkPayout';
/** The operation at the end of a merchant's business day. */
const CLOSE = 'closeSettlement';

type Rule = ScenarioFixture['rules'][number];
type Channels = ChannelsFixture['channels'];

export interface KnownNames {
  channels: ChannelsFixture;
  behaviours: ReadonlyMap<string, unknown>;
  scenarios: ReadonlyMap<string, ScenarioFixture>;
}

/** Findings in a scenario that fits its schema. If it is too large, there is only one, about its size. */
export async function checkScenario(
  scenario: ScenarioFixture,
  { channels: { channels }, behaviours, scenarios }: KnownNames,
): Promise<Finding[]> {
  const { rules, behaviour } = scenario;
  const sizeFindings = checkSizes(rules);
  if (sizeFindings.length > 0) {
    return sizeFindings;
  }
  const behaviourFindings = checkName(behaviour, [...behaviours.keys()].sort(), '$.behaviour');
  const findings = await Promise.all(rules.map((rule, index) => checkRule(rule, `$.rules[${index}]`, channels)));
  return [...checkId(scenario, scenarios), ...behaviourFindings, ...findings.flat()];
}

/** Limits for all schemas of a scenario together, because the first call may need all of them. */
const MAX_SCHEMAS = 1000;
const MAX_SCENARIO_SIZE: JsonSize = { characters: 1_048_576, values: 5000 };

function checkSizes(rules: readonly Rule[]): Finding[] {
  const bodies = rules
    .flatMap(({ when, credits = [] }) => [when?.body, ...credits.map((credit) => credit.when?.body)])
    .filter((body) => body !== undefined);
  const expected = `at most ${MAX_SCHEMAS} schemas, of ${describeSize(MAX_SCENARIO_SIZE)} together`;
  const total = { characters: 0, values: 0 };
  for (const body of bodies) {
    const { characters, values } = sizeOfSchema(body, MAX_SCENARIO_SIZE);
    total.characters += characters;
    total.values += values;
    if (bodies.length > MAX_SCHEMAS || isLarger(total, MAX_SCENARIO_SIZE)) {
      return [errorFinding('$.rules', expected, 'more')];
    }
  }
  return [];
}

async function checkRule(rule: Rule, path: string, channels: Channels): Promise<Finding[]> {
  const { when = {}, respond = {}, fault, credits, settle, webhook } = rule;
  const { template, unused: _, ...members } = respond;
  const channelsOfRule =
    when.channel === undefined ? channels : channels.filter(({ id }) => [when.channel].flat().includes(id));
  return [
    ...checkChannels(when.channel, `${path}.when.channel`, channels),
    ...checkRange(when.amount ?? {}, `${path}.when.amount`),
    ...(when.body === undefined ? [] : await checkSchema(when.body, `${path}.when.body`)),
    ...(fault?.at === 'arrival' ? checkArrival(when, `${path}.when`) : []),
    ...checkTemplateName(template, `${path}.respond.template`, channelsOfRule),
    ...(await checkAnswerMembers(members, `${path}.respond`)),
    ...(webhook?.mode === 'before-answer' ? checkBeforeAnswer(settle, `${path}.settle`) : []),
    ...(credits === undefined ? [] : await checkCredits(credits, when.operation, path)),
    ...checkClose(rule, path),
  ];
}

/** Only a rule for the close of a settlement can have mismatches or reports, and it can have no channel. */
function checkClose({ when = {}, mismatches, reports }: Rule, path: string): Finding[] {
  const part = mismatches ? 'mismatches' : reports ? 'reports' : undefined;
  const operations = when.operation === undefined ? undefined : [when.operation].flat();
  const findings: Finding[] = [];
  if (part !== undefined && operations?.includes(CLOSE) === false) {
    const expected = `${CLOSE}, because the rule has ${part}`;
    findings.push(errorFinding(`${path}.when.operation`, expected, JSON.stringify(when.operation)));
  }
  if (when.channel !== undefined && (part !== undefined || operations?.every((each) => each === CLOSE) === true)) {
    findings.push(errorFinding(`${path}.when.channel`, 'no channel, because settlements have none', 'one'));
  }
  if (mismatches && !mismatches.kinds && !mismatches.bank) {
    findings.push(errorFinding(`${path}.mismatches`, 'kinds, bank or both', 'neither'));
  }
  return findings;
}

function checkBeforeAnswer(settle: Rule['settle'], path: string): Finding[] {
  const after = settle?.after;
  return after !== undefined && addDuration(0, after) === 0
    ? []
    : [
        errorFinding(
          `${path}.after`,
          'PT0S, because the notification is sent before the answer',
          JSON.stringify(after) ?? 'nothing',
        ),
      ];
}

async function checkCredits(
  credits: NonNullable<Rule['credits']>,
  operations: string | readonly string[] | undefined,
  path: string,
): Promise<Finding[]> {
  const schemas = await Promise.all(
    credits.map(({ when }, index) =>
      when?.body === undefined ? [] : checkSchema(when.body, `${path}.credits[${index}].when.body`),
    ),
  );
  const amounts = credits.flatMap(({ when }, index) =>
    checkRange(when?.amount ?? {}, `${path}.credits[${index}].when.amount`),
  );
  return operations === undefined || [operations].flat().includes(PAYOUT)
    ? [...schemas.flat(), ...amounts]
    : [
        ...schemas.flat(),
        ...amounts,
        errorFinding(`${path}.when.operation`, `${PAYOUT}, because the rule has credits`, JSON.stringify(operations)),
      ];
}

function checkRange({ minimum, maximum }: { minimum?: number; maximum?: number }, path: string): Finding[] {
  return minimum !== undefined && maximum !== undefined && minimum > maximum
    ? [errorFinding(`${path}.minimum`, `at most the maximum, ${maximum}`, String(minimum))]
    : [];
}

function checkChannels(names: string | readonly string[] | undefined, path: string, channels: Channels): Finding[] {
  const channelIds = channels.map(({ id }) => id);
  return [names ?? []].flat().flatMap((id, index) => {
    return checkName(id, channelIds, typeof names === 'string' ? path : memberPath(path, index));
  });
}

/** A rule that acts on arrival cannot match channel, amount or body, because the body has not been read yet. */
function checkArrival(when: NonNullable<Rule['when']>, path: string): Finding[] {
  return (['channel', 'amount', 'body'] as const).flatMap((name) =>
    when[name] === undefined
      ? []
      : [errorFinding(`${path}.${name}`, `no ${name}, because the fault acts on arrival`, 'one')],
  );
}

/** A template must exist for at least one of a rule's channels. The answers of channels without it do not change. */
function checkTemplateName(
  template: string | undefined,
  path: string,
  channels: readonly Channels[number][],
): Finding[] {
  const answerNames = [
    ...new Set(
      channels.flatMap(({ answers, recordedAnswers = {} }) => [
        ...Object.keys(answers),
        ...Object.keys(recordedAnswers),
      ]),
    ),
  ];
  const expected = `one of the answers in channels.json: ${answerNames.join(', ')}`;
  return channels.length === 0 ? [] : checkName(template, answerNames, path, expected);
}
