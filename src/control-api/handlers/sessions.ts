import { checkScenario } from '../../config/check-scenario.ts';
import { Refusal, refuseFindings } from '../../refusal.ts';
import { listScenarios, requireScenario } from '../../scenarios/choose.ts';
import { forgetStrikes } from '../../scenarios/faults.ts';
import type { ClockAdvance, ClockSetting, ScenarioChoice, SessionStart } from '../../schema/control.ts';
import type { ScenarioFixture } from '../../schema/fixtures.ts';
import type { Session } from '../../sessions/session.ts';
import { formatUtc, parseInstant } from '../../time.ts';
import { type ControlOperation, controlRow } from '../operation.ts';
import { viewEvent, viewSession } from '../views.ts';

/** A session's own facts: its name, clock and scenario. */
export const SESSION_OPERATIONS: readonly ControlOperation[] = [
  controlRow({
    name: 'listSessions',
    summary: 'The sessions that there are',
    method: 'GET',
    path: '/sessions',
    request: null,
    handle: async ({ parts }) => ({ items: parts.sessions.list().map(viewSession), nextCursor: null }),
  }),
  controlRow<SessionStart>({
    name: 'createSession',
    summary: 'Make a session with its own seed, scenario and frozen clock',
    method: 'POST',
    path: '/sessions',
    request: 'control/session',
    handle: async ({ parts, session, body: { name, now, ...facts } }) => {
      // Scenarios that were defined while the sandbox runs belong to another session.
      if (facts.scenario !== undefined && !session.fixtures.scenarios.has(facts.scenario)) {
        const known = [...session.fixtures.scenarios.keys()].sort().join(', ');
        throw refuseFindings([
          {
            path: '$.scenario',
            expected: `one of ${known}`,
            received: JSON.stringify(facts.scenario),
            severity: 'error',
          },
        ]);
      }
      const start = now === undefined ? facts : { ...facts, now: parseInstant(now) };
      return viewSession(await parts.sessions.create(name, start));
    },
  }),
  controlRow({
    name: 'deleteSession',
    summary: 'Delete a session and all that it keeps',
    method: 'DELETE',
    path: '/sessions/{name}',
    request: null,
    handle: async ({ parts, parameters }) => parts.sessions.delete(parameters['name'] ?? ''),
  }),
  controlRow({
    name: 'reset',
    summary: 'Back to the start: no records, scenario and clock as the session was made',
    method: 'POST',
    path: '/reset',
    request: null,
    handle: async ({ session }) => {
      await session.reset();
      return viewSession(session);
    },
  }),
  controlRow({
    name: 'getClock',
    summary: 'What time it is in the session',
    method: 'GET',
    path: '/clock',
    request: null,
    handle: async ({ session }) => viewClock(session),
  }),
  controlRow<ClockSetting>({
    name: 'setClock',
    summary: 'Freeze the clock, move it, or let it go',
    method: 'PUT',
    path: '/clock',
    request: 'control/clock',
    handle: async ({ session, body: { mode, now } }) => {
      if (mode === 'real' && now !== undefined) {
        throw new Refusal(
          'invalid-field',
          'a real clock goes by the machine; leave now out, or freeze the clock there',
        );
      }
      const happened = await session.setClock((present) =>
        mode === 'real' ? { mode, offset: 0 } : { mode, now: now === undefined ? present : parseInstant(now) },
      );
      return { ...viewClock(session), happened: happened.map(viewEvent) };
    },
  }),
  controlRow<ClockAdvance>({
    name: 'advanceClock',
    summary: 'Move the clock on; everything due runs in order before this answers',
    method: 'POST',
    path: '/clock/advance',
    request: 'control/clock-advance',
    handle: async ({ session, body: { by } }) => {
      const happened = await session.advance(by);
      return { ...viewClock(session), happened: happened.map(viewEvent) };
    },
  }),
  controlRow({
    name: 'runUntilIdle',
    summary: 'Move the clock from one due moment to the next until nothing is due',
    method: 'POST',
    path: '/clock/run-until-idle',
    request: null,
    handle: async ({ session }) => {
      const happened = await session.runUntilIdle();
      return { ...viewClock(session), happened: happened.map(viewEvent) };
    },
  }),
  controlRow({
    name: 'listScenarios',
    summary: 'The scenarios that there are',
    method: 'GET',
    path: '/scenarios',
    request: null,
    handle: async ({ session }) => ({ items: await session.read(listScenarios), nextCursor: null }),
  }),
  controlRow({
    name: 'getScenario',
    summary: 'The scenario that the session follows',
    method: 'GET',
    path: '/scenario',
    request: null,
    handle: async ({ session }) => session.read((reader) => requireScenario(reader, reader.scenario)),
  }),
  controlRow<ScenarioChoice>({
    name: 'chooseScenario',
    summary: 'Follow another scenario from now on',
    method: 'PUT',
    path: '/scenario',
    request: 'control/scenario-choice',
    handle: ({ session, body: { name } }) =>
      session.transact(async (transaction) => {
        const scenario = await requireScenario(transaction, name);
        transaction.followScenario(name);
        await forgetStrikes(transaction);
        return scenario;
      }),
  }),
  controlRow<ScenarioFixture>({
    name: 'defineScenario',
    summary: 'Define a scenario in this session, or redefine one',
    method: 'PUT',
    path: '/scenarios/{name}',
    request: 'fixtures/scenario',
    handle: async ({ session, parameters, body }) => {
      if (body.name !== parameters['name']) {
        throw new Refusal('invalid-field', `the path names ${parameters['name']}, the body ${body.name}`);
      }
      const findings = await checkScenario(body, session.fixtures.channels.channels);
      if (findings.length > 0) {
        throw refuseFindings(findings);
      }
      await session.transact(async (transaction) => {
        transaction.put('scenarios', { id: body.name, scenario: body });
        await forgetStrikes(transaction, body.name);
      });
      return body;
    },
  }),
  controlRow({
    name: 'deleteScenario',
    summary: 'Forget a scenario that was defined in this session',
    method: 'DELETE',
    path: '/scenarios/{name}',
    request: null,
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

function viewClock(session: Session) {
  const { nextDueAt: nextDue } = session.scheduler;
  const { mode } = session.clock.state;
  return { mode, now: formatUtc(session.clock.now()), nextDue: nextDue === undefined ? null : formatUtc(nextDue) };
}
