import { checkScenario } from '../../config/check-scenario.ts';
import { capFindings, Refusal, refuseFindings } from '../../refusal.ts';
import { listScenarios, requireScenario } from '../../scenarios/choose.ts';
import { forgetStrikes } from '../../scenarios/faults.ts';
import type {
  ClockAdvance,
  ClockSetting,
  ClockView,
  PageQuery,
  ScenarioChoice,
  SessionStart,
} from '../../schema/control.ts';
import type { ScenarioFixture } from '../../schema/fixtures.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Session } from '../../sessions/session.ts';
import { formatUtc, parseInstant } from '../../time.ts';
import { pageOf } from '../lists.ts';
import { type ControlOperation, listOf, one, sandboxRow, sessionRow } from '../operation.ts';
import { viewEvent, viewSession } from '../views.ts';

/** A session's own facts: its name, clock and scenario. */
export const SESSION_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow<undefined, PageQuery>({
    name: 'listSessions',
    summary: 'The sessions that there are',
    method: 'GET',
    path: '/sessions',
    query: 'control/page-query',
    request: null,
    response: listOf('control/session-view'),
    handle: async ({ parts, query }) => {
      const { items, nextCursor } = pageOf(parts.sessions.list(), query, ({ name }) => name);
      return { items: items.map(viewSession), nextCursor };
    },
  }),
  sandboxRow<SessionStart>({
    name: 'createSession',
    summary: 'Make a session with its own seed, scenario and frozen clock',
    method: 'POST',
    path: '/sessions',
    query: null,
    request: 'control/session',
    response: one('control/session-view'),
    handle: async ({ parts, body: { name, now, ...facts } }) => {
      requireFixture(parts.fixtures().scenarios, facts.scenario);
      const start = now === undefined ? facts : { ...facts, now: parseInstant(now) };
      return viewSession(await parts.sessions.create(name, start));
    },
  }),
  sandboxRow({
    name: 'deleteSession',
    summary: 'Delete a session and all that it keeps',
    method: 'DELETE',
    path: '/sessions/{name}',
    query: null,
    request: null,
    response: null,
    handle: async ({ parts, parameters }) => parts.sessions.delete(parameters['name'] ?? ''),
  }),
  sessionRow({
    name: 'reset',
    summary: 'Back to the start: no records, scenario and clock as the session was made',
    method: 'POST',
    path: '/reset',
    query: null,
    request: null,
    response: one('control/session-view'),
    handle: async ({ session }) => {
      await session.reset();
      return viewSession(session);
    },
  }),
  sessionRow({
    name: 'getClock',
    summary: 'What time it is in the session',
    method: 'GET',
    path: '/clock',
    query: null,
    request: null,
    response: one('control/clock-view'),
    handle: async ({ session }) => viewClock(session),
  }),
  sessionRow<ClockSetting>({
    name: 'setClock',
    summary: 'Freeze the clock, move it, or let it go',
    method: 'PUT',
    path: '/clock',
    query: null,
    request: 'control/clock',
    response: one('control/clock-view'),
    handle: async ({ session, signal, body: { mode, now } }) => {
      if (mode === 'real' && now !== undefined) {
        throw new Refusal(
          'invalid-field',
          'a real clock goes by the machine; leave now out, or freeze the clock there',
        );
      }
      const happened = await session.setClock(
        (present) =>
          mode === 'real' ? { mode, offset: 0 } : { mode, now: now === undefined ? present : parseInstant(now) },
        signal,
      );
      return viewMove(session, happened);
    },
  }),
  sessionRow<ClockAdvance>({
    name: 'advanceClock',
    summary: 'Move the clock on; everything due runs in order before this answers, and hanging up ends it',
    method: 'POST',
    path: '/clock/advance',
    query: null,
    request: 'control/clock-advance',
    response: one('control/clock-view'),
    handle: async ({ session, signal, body: { by } }) => viewMove(session, await session.advance(by, signal)),
  }),
  sessionRow({
    name: 'runUntilIdle',
    summary: 'Move the clock from one due moment to the next until nothing is due',
    method: 'POST',
    path: '/clock/run-until-idle',
    query: null,
    request: null,
    response: one('control/clock-view'),
    handle: async ({ session, signal }) => viewMove(session, await session.runUntilIdle(signal)),
  }),
  sessionRow<undefined, PageQuery>({
    name: 'listScenarios',
    summary: 'The scenarios that there are',
    method: 'GET',
    path: '/scenarios',
    query: 'control/page-query',
    request: null,
    response: listOf('fixtures/scenario'),
    handle: async ({ session, query }) => pageOf(await session.read(listScenarios), query, ({ name }) => name),
  }),
  sessionRow({
    name: 'getScenario',
    summary: 'The scenario that the session follows',
    method: 'GET',
    path: '/scenario',
    query: null,
    request: null,
    response: one('fixtures/scenario'),
    handle: async ({ session }) => session.read((reader) => requireScenario(reader, reader.scenario)),
  }),
  sessionRow<ScenarioChoice>({
    name: 'chooseScenario',
    summary: 'Follow another scenario from now on',
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
    summary: 'Define a scenario in this session, or redefine one',
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
    summary: 'Forget a scenario that was defined in this session',
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

/** Scenarios that were defined while the sandbox runs belong to another session: a new one knows the fixtures' only. */
function requireFixture(scenarios: ReadonlyMap<string, unknown>, name: string | undefined): void {
  if (name !== undefined && !scenarios.has(name)) {
    const expected = `one of ${[...scenarios.keys()].sort().join(', ')}`;
    throw refuseFindings([{ path: '$.scenario', expected, received: JSON.stringify(name), severity: 'error' }]);
  }
}

/** Events of a long move that are shown; of the others only how many they are. */
const MOST_SHOWN = 10_000;

function viewMove(session: Session, happened: readonly SessionEvent[]): ClockView {
  const shown = happened.slice(0, MOST_SHOWN);
  const last = shown.at(-1);
  const more = shown.length < MOST_SHOWN || !last ? 0 : (session.state.counters['event'] ?? 0) - last.id;
  return { ...viewClock(session), happened: shown.map(viewEvent), ...(more > 0 ? { more } : {}) };
}

function viewClock(session: Session): ClockView {
  const { nextDueAt: nextDue } = session.scheduler;
  const { mode } = session.clock.state;
  return { mode, now: formatUtc(session.clock.now()), nextDue: nextDue === undefined ? null : formatUtc(nextDue) };
}
