import { capFindings, findingsRefusal, Refusal } from '../../../base/refusal.ts';
import type {
  ScenarioChoice,
  ScenariosQuery,
  ScenarioTrial,
  TriedScenario,
} from '../../../base/schema/generated/control.ts';
import type { ScenarioFixture } from '../../../base/schema/generated/fixtures.ts';
import { checkScenario } from '../../config/check-scenario.ts';
import type { Scenario } from '../../config/fixtures.ts';
import { listScenarios, requireScenario } from '../../domain/scenarios/choose-plan.ts';
import { resetFaultCounts } from '../../domain/scenarios/scenario.ts';
import { tryRules } from '../../domain/scenarios/try-rules.ts';
import { type ControlOperation, itemOf, listOf, type SessionCall, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';

const BY_NAME: ListOrder<{ name: string }> = { name: 'scenarios', keyOf: ({ name }) => name };

export const SCENARIO_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, ScenariosQuery>({
    name: 'listScenarios',
    summary: 'List the scenarios',
    description: 'The scenarios of the fixtures and those defined in this session, or only those of one `source`.',
    method: 'GET',
    path: '/scenarios',
    query: 'control/scenarios-query',
    response: listOf('fixtures/scenario'),
    handle: async ({ session, query: { source, ...query } }) =>
      pageOf(BY_NAME, await session.read((reader) => listScenarios(reader, source)), query),
  }),
  sessionRow({
    name: 'getScenario',
    summary: 'Get the active scenario',
    description: 'The scenario that the session uses.',
    method: 'GET',
    path: '/scenario',
    response: itemOf('fixtures/scenario'),
    handle: async ({ session }) => session.read((reader) => requireScenario(reader, reader.scenario)),
  }),
  sessionRow<ScenarioChoice>({
    name: 'chooseScenario',
    summary: 'Choose the scenario',
    description: 'Switches the session to another scenario from now on.',
    method: 'PUT',
    path: '/scenario',
    request: 'control/scenario-choice',
    response: itemOf('fixtures/scenario'),
    handle: ({ session, body: { name } }) =>
      session.transact(async (transaction) => {
        const scenario = await requireScenario(transaction, name);
        transaction.scenario = name;
        await resetFaultCounts(transaction);
        return scenario;
      }),
  }),
  sessionRow<ScenarioTrial>({
    name: 'tryScenario',
    summary: 'Try a scenario',
    description:
      'Which rule of a scenario would have applied to a logged call, and why the other rules would not have. The scenario is named or defined in the body; by default, it is the active one. Nothing is changed. Secrets are masked in the log, so a condition on a secret is evaluated against the mask.',
    refusals: ['unknown-record', 'business-rule'],
    method: 'POST',
    path: '/scenarios/try',
    isReadOnly: true,
    request: 'control/scenario-trial',
    response: itemOf('control/tried-scenario'),
    handle: tryScenario,
  }),
  sessionRow<ScenarioFixture>({
    name: 'defineScenario',
    summary: 'Define a scenario',
    description:
      'Defines a scenario in this session, or replaces one. It is validated completely, so that it cannot fail during a call.',
    method: 'PUT',
    path: '/scenarios/{name}',
    request: 'fixtures/scenario',
    response: itemOf('fixtures/scenario'),
    handle: async ({ session, parameters, body }) => {
      if (body.name !== parameters['name']) {
        throw new Refusal(
          'invalid-field',
          `the name in the path is ${parameters['name']}, the name in the body ${body.name}`,
        );
      }
      const findings = await checkScenario(body, session.fixtures);
      if (findings.length > 0) {
        throw findingsRefusal(capFindings(findings));
      }
      await session.transact(async (transaction) => {
        transaction.put('scenarios', { id: body.name, scenario: body });
        await resetFaultCounts(transaction, body.name);
      });
      return body;
    },
  }),
  sessionRow({
    name: 'deleteScenario',
    summary: 'Delete a scenario',
    description: 'Deletes a scenario defined in this session. 409 if it is active, unless a fixture has its name.',
    method: 'DELETE',
    path: '/scenarios/{name}',
    response: null,
    handle: ({ session, parameters }) =>
      session.transact(async (transaction) => {
        const name = parameters['name'] ?? '';
        if (!transaction.get('scenarios', name)) {
          throw new Refusal('unknown-record', `no scenario ${name} was defined in session ${session.name}`);
        }
        if (transaction.scenario === name && !session.fixtures.scenarios.has(name)) {
          throw new Refusal('conflict', `session ${session.name} uses the scenario ${name}; choose another one first`);
        }
        transaction.remove('scenarios', name);
        await resetFaultCounts(transaction, name);
      }),
  }),
];

async function tryScenario({ session, body }: SessionCall<ScenarioTrial>): Promise<TriedScenario> {
  const { requestId, definition } = body;
  if (definition && body.scenario !== undefined) {
    throw new Refusal('invalid-field', 'name a scenario or send a definition, not both');
  }
  const call = requestId === undefined ? session.requests.calls.at(-1)?.describe() : session.requests.find(requestId);
  if (!call) {
    const request = requestId === undefined ? 'no call' : `no ${JSON.stringify(requestId)}`;
    throw new Refusal('unknown-record', `there is ${request} in the request log`);
  }
  const { id, operation, channel, environment, scenario: scenarioName } = call;
  if (operation === null || environment === null) {
    throw new Refusal('business-rule', `${id} matched no operation, so no scenario applies to it`);
  }
  const findings = definition ? await checkScenario(definition, session.fixtures) : [];
  if (findings.length > 0) {
    const inBody = findings.map((finding) => ({ ...finding, path: `$.definition${finding.path.slice(1)}` }));
    throw findingsRefusal(capFindings(inBody));
  }
  const findScenario = () => session.read((reader) => requireScenario(reader, body.scenario ?? reader.scenario));
  const scenario = (definition as Scenario | undefined) ?? (await findScenario());
  const context = { operation, environment, channel: channel ?? undefined, body: call.body };
  const rules = await tryRules(scenario, context, scenarioName === null);
  const rule = rules.find(({ state }) => state === 'acts')?.number ?? null;
  return { scenario: scenario.name, requestId: id, operation, channel, environment, rule, rules };
}
