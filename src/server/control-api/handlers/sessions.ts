import { findingsRefusal, Refusal } from '../../../base/refusal.ts';
import { mapInTurns } from '../../../base/run-in-turns.ts';
import type {
  ClockAdvance,
  ClockSetting,
  ClockView,
  HistoryQuery,
  PageQuery,
  SessionFork,
  SessionStart,
} from '../../../base/schema/generated/control.ts';
import { parseInstant } from '../../../base/time.ts';
import { checkName } from '../../config/check-name.ts';
import type { ClockMoveResult } from '../../sessions/clock-mover.ts';
import { type ControlOperation, itemOf, listOf, PlainText, sandboxRow, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';
import { viewClock, viewEvent, viewSession, viewStoredSession } from '../views.ts';

const BY_NAME: ListOrder<{ name: string }> = { name: 'sessions', keyOf: ({ name }) => name };

export const SESSION_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow<undefined, PageQuery>({
    name: 'listSessions',
    summary: 'List the sessions',
    description: 'All sessions.',
    method: 'GET',
    path: '/sessions',
    query: 'control/page-query',
    response: listOf('control/session-view'),
    handle: async ({ parts, query }) => {
      const { items, nextCursor } = await pageOf(BY_NAME, await parts.sessions.all(), query);
      return { items: items.map((session) => viewStoredSession(session, parts.baseOf(session.name))), nextCursor };
    },
  }),
  sandboxRow<SessionStart>({
    name: 'createSession',
    summary: 'Create a session',
    description:
      'Creates a session with its own seed, scenario, behaviour and frozen clock. Without this call, a session is created on first use.',
    method: 'POST',
    path: '/sessions',
    request: 'control/session',
    response: itemOf('control/session-view'),
    handle: async ({ parts, body: { name, now, ...facts } }) => {
      requireFixture('scenario', parts.fixtures().scenarios, facts.scenario);
      requireFixture('behaviour', parts.fixtures().behaviours, facts.behaviour);
      const start = now === undefined ? facts : { ...facts, now: parseInstant(now) };
      return viewSession(await parts.sessions.create(name, start));
    },
  }),
  sandboxRow<SessionFork>({
    name: 'forkSession',
    summary: 'Fork a session',
    description:
      'Creates a session from the state of another one after one of its steps. The clock is frozen at that time, and the webhook endpoints are paused: notifications are held until their endpoint is resumed. The step must be in the history that is kept of that session.',
    method: 'POST',
    path: '/sessions/{name}/fork',
    refusals: ['unknown-record', 'conflict'],
    request: 'control/session-fork',
    response: itemOf('control/session-view'),
    handle: async ({ parts, parameters, body: { at, as } }) => {
      const session = await parts.sessions.getExisting(parameters['name'] ?? '');
      return viewSession(await parts.fork(session, at, as));
    },
  }),
  sandboxRow({
    name: 'deleteSession',
    summary: 'Delete a session',
    description: 'Deletes a session and all its data. Its jobs and pending notifications are cancelled.',
    method: 'DELETE',
    path: '/sessions/{name}',
    response: null,
    handle: async ({ parts, parameters }) => parts.sessions.delete(parameters['name'] ?? ''),
  }),
  sessionRow({
    name: 'getBundle',
    summary: 'Get the history as a bundle',
    description:
      'One file (NDJSON) for `merchant-sandbox open`: the data of the session when its history began, and each change, call and answer since then. Secrets are masked.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/bundle',
    response: { mediaType: 'application/x-ndjson', schema: null },
    handle: async ({ parts, session }) =>
      new PlainText('application/x-ndjson; charset=utf-8', await parts.bundleOf(session)),
  }),
  sessionRow<undefined, HistoryQuery>({
    name: 'getHistory',
    summary: 'Get the history',
    description:
      'The calls, answers and notifications of the session, step by step. Secrets, and values that differ between any two sessions, are masked, so that sessions can be compared.',
    refusals: ['unknown-record', 'conflict'],
    method: 'GET',
    path: '/history',
    query: 'control/history-query',
    response: itemOf('control/history'),
    handle: async ({ parts, session, query: { after } }) => parts.historyOf(session, after),
  }),
  sessionRow({
    name: 'reset',
    summary: 'Reset the session',
    description:
      'Deletes all records, and restores the scenario, behaviour and clock that the session was created with. Pending notifications are cancelled.',
    method: 'POST',
    path: '/reset',
    response: itemOf('control/session-view'),
    handle: async ({ session }) => {
      await session.reset();
      return viewSession(session);
    },
  }),
  sessionRow({
    name: 'getClock',
    summary: 'Get the clock',
    description: 'The time in the session, whether its clock is frozen, and when the next job is due.',
    method: 'GET',
    path: '/clock',
    response: itemOf('control/clock-view'),
    handle: async ({ session }) => viewClock(session.clockMover.reading),
  }),
  sessionRow<ClockSetting>({
    name: 'setClock',
    summary: 'Set the clock',
    description:
      "Freezes the clock, moves it, or lets it run with the machine's clock. Jobs that become due run in order before this answers.",
    method: 'PUT',
    path: '/clock',
    request: 'control/clock',
    response: itemOf('control/clock-view'),
    handle: async ({ session, signal, body: { mode, now } }) => {
      if (mode === 'real' && now !== undefined) {
        throw new Refusal(
          'invalid-field',
          'a real clock follows the machine; omit now, or freeze the clock at that time',
        );
      }
      const result = await session.clockMover.set(
        (current) =>
          mode === 'real' ? { mode, offset: 0 } : { mode, now: now === undefined ? current : parseInstant(now) },
        signal,
      );
      return viewMove(result);
    },
  }),
  sessionRow<ClockAdvance>({
    name: 'advanceClock',
    summary: 'Advance the clock',
    description:
      'Moves the clock forward by a duration. All jobs that become due run in order before this answers; closing the connection stops it.',
    method: 'POST',
    path: '/clock/advance',
    request: 'control/clock-advance',
    response: itemOf('control/clock-view'),
    handle: async ({ session, signal, body: { by } }) => viewMove(await session.clockMover.advance(by, signal)),
  }),
  sessionRow({
    name: 'runUntilIdle',
    summary: 'Run until only settlements are due',
    description:
      'Moves the clock from job to job until only settlements are due, which recur without end (`nextDue`), or jobs after the last time that a clock can show; or until 100,000 events have happened.',
    method: 'POST',
    path: '/clock/run-until-idle',
    response: itemOf('control/clock-view'),
    handle: async ({ session, signal }) => viewMove(await session.clockMover.runUntilIdle(signal)),
  }),
];

/** A new session can only use fixtures, because scenarios that were defined at run time belong to other sessions. */
function requireFixture(
  kind: 'scenario' | 'behaviour',
  names: ReadonlyMap<string, unknown>,
  name: string | undefined,
): void {
  const findings = checkName(name, [...names.keys()].sort(), `$.${kind}`);
  if (findings.length > 0) {
    throw findingsRefusal(findings);
  }
}

async function viewMove({ reading, happened, more }: ClockMoveResult): Promise<ClockView> {
  return { ...viewClock(reading), happened: await mapInTurns(happened, viewEvent), ...(more > 0 ? { more } : {}) };
}
