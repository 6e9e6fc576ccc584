import { checkScenario } from '../../config/check-scenario.ts';
import { capFindings, Refusal, refuseFindings } from '../../refusal.ts';
import { listScenarios, requireScenario } from '../../scenarios/choose.ts';
import { forgetStrikes } from '../../scenarios/faults.ts';
import type { PageQuery, ScenarioChoice } from '../../schema/control.ts';
import type { ScenarioFixture } from '../../schema/fixtures.ts';
import { pageOf } from '../lists.ts';
import { type ControlOperation, listOf, one, sessionRow } from '../operation.ts';

/** What should happen in a session. */
export const SCENARIO_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listScenarios',
    summary: 'List the scenarios',
    description:
      'The scenarios of the fixtures and those defined in this session. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/scenarios',
    query: 'control/page-query',
    request: null,
    response: listOf('fixtures/scenario'),
    handle: async ({ session, query }) => pageOf(await session.read(listScenarios), query, ({ name }) => name),
  }),
  sessionRow({
    name: 'getScenario',
    summary: 'Get the active scenario',
    description: 'The scenario that the session follows.',
    method: 'GET',
    path: '/scenario',
    query: null,
    request: null,
    response: one('fixtures/scenario'),
    handle: async ({ session }) => session.read((reader) => requireScenario(reader, reader.scenario)),
  }),
  sessionRow<ScenarioChoice>({
    name: 'chooseScenario',
    summary: 'Choose the scenario',
    description: 'Makes the session follow another scenario from now on.',
    method: 'PUT',
    path: '/scenario',
    query: null,
    request: 'control/scenario-choice',
    response: one('fixtures/scenario'),
    handle: ({ session, body: { name } }) =>
      session.transact(async (transaction) => {
        const scenario = await requireScenario(transaction, name);
        transaction.followScenario(name);
        await forgetStrikes(transaction);
        return scenario;
      }),
  }),
  sessionRow<ScenarioFixture>({
    name: 'defineScenario',
    summary: 'Define a scenario',
    description:
      'Defines a scenario in this session, or redefines one. It is checked whole: what passes does not fail when a call comes.',
    method: 'PUT',
    path: '/scenarios/{name}',
    query: null,
    request: 'fixtures/scenario',
    response: one('fixtures/scenario'),
    handle: async ({ session, parameters, body }) => {
      if (body.name !== parameters['name']) {
        throw new Refusal('invalid-field', `the path names ${parameters['name']}, the body ${body.name}`);
      }
      const findings = await checkScenario(body, session.fixtures.channels.channels);
      if (findings.length > 0) {
        throw refuseFindings(capFindings(findings));
      }
      await session.transact(async (transaction) => {
        transaction.put('scenarios', { id: body.name, scenario: body });
        await forgetStrikes(transaction, body.name);
      });
      return body;
    },
  }),
  sessionRow({
    name: 'deleteScenario',
    summary: 'Delete a scenario',
    description:
      'Forgets a scenario that was defined in this session. The one that the session follows cannot be deleted.',
    method: 'DELETE',
    path: '/scenarios/{name}',
    query: null,
    request: null,
    response: null,
    handle: ({ session, parameters }) =>
      session.transact(async (transaction) => {
        const name = parameters['name'] ?? '';
        if (!(await transaction.get('scenarios', name))) {
          throw new Refusal('unknown-record', `no scenario ${name} was defined in session ${session.name}`);
        }
        if (transaction.scenario === name && !session.fixtures.scenarios.has(name)) {
          throw new Refusal(
            'conflict',
            `session ${session.name} follows the scenario ${name}; choose another one first`,
          );
        }
        transaction.remove('scenarios', name);
        await forgetStrikes(transaction, name);
      }),
  }),
];
