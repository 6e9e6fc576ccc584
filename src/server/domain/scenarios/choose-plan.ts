import { type Awaitable, whenReady } from '../../../base/awaitable.ts';
import { membersOf } from '../../../base/members.ts';
import { Refusal } from '../../../base/refusal.ts';
import { didYouMean, guessOrList } from '../../../base/text/nearest.ts';
import type { Fixtures, Scenario } from '../../config/fixtures.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { MatchContext } from './conditions.ts';
import { type CallPlan, type ChosenBy, planOf } from './scenario.ts';

/** Maximum number of unknown tags in a reason, and of characters of each. */
const MAX_TAGS = 3;
const MAX_TAG_LENGTH = 40;

const TAG = /#([A-Za-z0-9][A-Za-z0-9-]*)/g;

/** The scenario with a name: one defined in the session at run time, or else one in a fixture. */
export function findScenario(reader: Reader, name: string): Scenario | undefined {
  const definedScenario = reader.get('scenarios', name);
  return (definedScenario?.scenario as Scenario | undefined) ?? reader.fixtures.scenarios.get(name);
}

/** Whether the session's scenario exists with these fixtures. */
export function isScenarioKnown(reader: Reader, { scenarios }: Pick<Fixtures, 'scenarios'>): boolean {
  return scenarios.has(reader.scenario) || reader.get('scenarios', reader.scenario) !== undefined;
}

/** The scenarios that a session can choose from, sorted by name: all (default), or those of one source. */
export async function listScenarios(reader: Reader, source?: 'session' | 'fixtures'): Promise<Scenario[]> {
  const byName = new Map(source === 'session' ? [] : reader.fixtures.scenarios);
  for (const { id, scenario } of source === 'fixtures' ? [] : await reader.all('scenarios')) {
    byName.set(id, scenario as Scenario);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Throws `invalid-field` for an unknown name, and suggests a similar one or lists all. */
export async function requireScenario(reader: Reader, name: string): Promise<Scenario> {
  const scenario = findScenario(reader, name);
  if (!scenario) {
    const names = (await listScenarios(reader)).map((each) => each.name);
    throw new Refusal('invalid-field', `there is no scenario ${JSON.stringify(name)}${guessOrList(name, names)}`);
  }
  return scenario;
}

/**
 * The plan for a call. The request's header chooses the scenario, or else a #tag in paymentDescription or payerReference, or else the
 * session. The reason reports tags that name no scenario, because they may be typing errors. Source: ours.
 */
export function choosePlan(reader: Reader, matchContext: MatchContext, nameInHeader?: string): Awaitable<CallPlan> {
  const tags = tagsIn(matchContext.body);
  const [name, chosenBy] = chooseName(reader, tags, nameInHeader);
  // requireScenario only refuses the name here. It is asynchronous, and most calls must not wait.
  const scenario = findScenario(reader, name) ?? requireScenario(reader, name);
  const plan = whenReady(scenario, (found) => planOf(found, matchContext, chosenBy));
  const withRemark = async (found: CallPlan) => ({ ...found, reason: found.reason + (await tagRemark(reader, tags)) });
  return tags.length === 0 ? plan : whenReady(plan, withRemark);
}

function chooseName(reader: Reader, tags: readonly string[], nameInHeader: string | undefined): [string, ChosenBy] {
  if (nameInHeader !== undefined) {
    return [nameInHeader, 'header'];
  }
  const tag = tags.find((name) => findScenario(reader, name));
  return tag === undefined ? [reader.scenario, 'session'] : [tag, 'tag'];
}

/** The first tags that name no scenario, in words. Tags that begin with a digit are ignored, because "Order #42" has a number. */
async function tagRemark(reader: Reader, tags: readonly string[]): Promise<string> {
  const wordTags = tags.filter((tag) => /^[A-Za-z]/.test(tag));
  if (wordTags.length === 0) {
    return '';
  }
  const names = (await listScenarios(reader)).map(({ name }) => name);
  const unknownTags = [...new Set(wordTags)].filter((tag) => !names.includes(tag)).slice(0, MAX_TAGS);
  return unknownTags
    .map((tag) => `; #${tag.slice(0, MAX_TAG_LENGTH)} names no scenario${didYouMean(tag, names, '#')}`)
    .join('');
}

function tagsIn(body: unknown): string[] {
  const { paymentDescription, payerReference } = membersOf(body);
  return [paymentDescription, payerReference].flatMap((text) =>
    typeof text === 'string' && text.includes('#') ? [...text.matchAll(TAG)].map((match) => match[1] ?? '') : [],
  );
}
