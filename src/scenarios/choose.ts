import type { Scenario } from '../config/fixtures.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';
import { type Level, type MatchContext, type Plan, planOf } from './scenario.ts';

const TAG = /#([A-Za-z0-9][A-Za-z0-9-]*)/g;

/** The scenario of that name: defined in the session at run time, else in a fixture. */
export function findScenario(session: Session, name: string): Scenario | undefined {
  const defined = session.state.scenarios as Record<string, Scenario>;
  return Object.hasOwn(defined, name) ? defined[name] : session.fixtures.scenarios.get(name);
}

/** All scenarios that a session can choose from, by name. */
export function listScenarios(session: Session): Scenario[] {
  const all = new Map(session.fixtures.scenarios);
  for (const scenario of Object.values(session.state.scenarios as Record<string, Scenario>)) {
    all.set(scenario.name, scenario);
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Throws the refusal for a scenario that there is not, naming those that there are. */
export function requireScenario(session: Session, name: string): Scenario {
  const scenario = findScenario(session, name);
  if (!scenario) {
    const known = listScenarios(session).map((each) => each.name);
    throw new Refusal('invalid-field', `there is no scenario ${JSON.stringify(name)}; there are ${known.join(', ')}`);
  }
  return scenario;
}

/**
 * What is to happen to a call: the scenario named by the request's header, else by a #tag in paymentDescription or
 * payerReference, else the session's. A tag that names no scenario is the merchant's own business. Source: ours.
 */
export async function choosePlan(
  session: Session,
  matchContext: MatchContext,
  header: string | undefined,
): Promise<Plan> {
  const [scenario, level] = choose(session, matchContext.body, header);
  return planOf(scenario, matchContext, level);
}

function choose(session: Session, body: unknown, header: string | undefined): [Scenario, Level] {
  if (header !== undefined) {
    return [requireScenario(session, header), 'header'];
  }
  const tagged = tagsIn(body)
    .map((name) => findScenario(session, name))
    .find((scenario) => scenario !== undefined);
  return tagged ? [tagged, 'tag'] : [requireScenario(session, session.state.scenario), 'session'];
}

function tagsIn(body: unknown): string[] {
  const { paymentDescription, payerReference } = (body ?? {}) as Record<string, unknown>;
  return [paymentDescription, payerReference].flatMap((text) =>
    typeof text === 'string' && text.includes('#') ? [...text.matchAll(TAG)].map((match) => match[1] ?? '') : [],
  );
}
