import { Refusal, refuseFindings } from '../../../base/refusal.ts';
import type {
  ClockAdvance,
  ClockSetting,
  ClockView,
  HistoryQuery,
  PageQuery,
  SessionFork,
  SessionStart,
} from '../../../base/schema/control.ts';
import { parseInstant } from '../../../base/time.ts';
import type { ClockMoved } from '../../../sessions/clock-moves.ts';
import type { Session } from '../../../sessions/session.ts';
import { type Order, pageOf } from '../lists.ts';
import { type ControlOperation, listOf, one, PlainText, sandboxRow, sessionRow } from '../operation.ts';
import { viewClock, viewEvent, viewKeptSession, viewSession } from '../views.ts';

const BY_NAME: Order<{ name: string }> = { name: 'sessions', keyOf: ({ name }) => name };

/** A session's own facts: its name and clock. */
export const SESSION_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow<undefined, PageQuery>({
    name: 'listSessions',
    summary: 'List the sessions',
    description:
      'The sessions that there are. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/sessions',
    query: 'control/page-query',
    request: null,
    response: listOf('control/session-view'),
    handle: async ({ parts, query }) => {
      const { items, nextCursor } = pageOf(BY_NAME, await parts.sessions.all(), query);
      return { items: items.map((session) => viewKeptSession(session, parts.baseOf(session.name))), nextCursor };
    },
  }),
  sandboxRow<SessionStart>({
    name: 'createSession',
    summary: 'Create a session',
    description:
      'Makes a session with its own seed, scenario, behaviour and frozen clock. Without this call, a session is made on first use.',
    method: 'POST',
    path: '/sessions',
    query: null,
    request: 'control/session',
    response: one('control/session-view'),
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
      'Makes a session that is as another one was after one of its steps, with its clock frozen there, and goes its own way. Only as far back as the history goes that is kept of it.',
    method: 'POST',
    path: '/sessions/{name}/fork',
    refusals: ['unknown-record', 'conflict'],
    query: null,
    request: 'control/session-fork',
    response: one('control/session-view'),
    handle: async ({ parts, parameters, body: { at, as } }) => {
      const session = await parts.sessions.existing(parameters['name'] ?? '');
      return viewSession(await parts.fork(session, at, as));
    },
  }),
  sandboxRow({
    name: 'deleteSession',
    summary: 'Delete a session',
    description: 'Deletes a session and all that it keeps. Nothing of it is charged, settled or notified any more.',
    method: 'DELETE',
    path: '/sessions/{name}',
    query: null,
    request: null,
    response: null,
    handle: async ({ parts, parameters }) => parts.sessions.delete(parameters['name'] ?? ''),
  }),
  sessionRow({
    name: 'getBundle',
    summary: 'Get the history as a bundle',
    description:
      'All that came from outside, in its order, as one file (NDJSON): `merchant-sandbox replay` plays it elsewhere, to the byte. Secrets are replaced by stand-ins that verify and sign as well.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/bundle',
    query: null,
    request: null,
    response: { mediaType: 'application/x-ndjson', schema: null },
    handle: async ({ parts, session }) =>
      new PlainText('application/x-ndjson; charset=utf-8', await parts.bundleOf(session)),
  }),
  sessionRow<undefined, HistoryQuery>({
    name: 'getHistory',
    summary: 'Get the history',
    description:
      'What came to the session, what it answered and what it sent, step by step, as two sessions can be compared: secrets are replaced, what differs in any two sessions is masked.',
    refusals: ['unknown-record', 'conflict'],
    method: 'GET',
    path: '/history',
    query: 'control/history-query',
    request: null,
    response: one('control/history'),
    handle: async ({ parts, session, query: { after } }) => parts.historyOf(session, after),
  }),
  sessionRow({
    name: 'reset',
    summary: 'Reset the session',
    description:
      'Back to the start: no records, scenario, behaviour and clock as the session was made. Nothing of before reaches a record or a receiver.',
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
    summary: 'Get the clock',
    description: 'What time it is in the session, whether its clock is frozen, and when something is due next.',
    method: 'GET',
    path: '/clock',
    query: null,
    request: null,
    response: one('control/clock-view'),
    handle: async ({ session }) => viewClock(session.moves.reading),
  }),
  sessionRow<ClockSetting>({
    name: 'setClock',
    summary: 'Set the clock',
    description:
      "Freezes the clock, moves it, or lets it go with the machine's. What becomes due on the way runs in order before this answers.",
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
      const moved = await session.moves.set(
        (present) =>
          mode === 'real' ? { mode, offset: 0 } : { mode, now: now === undefined ? present : parseInstant(now) },
        signal,
      );
      return viewMove(session, moved);
    },
  }),
  sessionRow<ClockAdvance>({
    name: 'advanceClock',
    summary: 'Advance the clock',
    description:
      'Moves the clock on by a duration. Everything due runs in order before this answers; hanging up ends it.',
    method: 'POST',
    path: '/clock/advance',
    query: null,
    request: 'control/clock-advance',
    response: one('control/clock-view'),
    handle: async ({ session, signal, body: { by } }) => viewMove(session, await session.moves.advance(by, signal)),
  }),
  sessionRow({
    name: 'runUntilIdle',
    summary: 'Run until nothing but settlements is due',
    description:
      'Moves the clock from one due moment to the next until nothing is due any more but settlements of merchants, which come round by themselves and stay due (`nextDue`), and what no clock reaches; or until 100,000 events have happened.',
    method: 'POST',
    path: '/clock/run-until-idle',
    query: null,
    request: null,
    response: one('control/clock-view'),
    handle: async ({ session, signal }) => viewMove(session, await session.moves.runUntilIdle(signal)),
  }),
];

/** Scenarios that were defined while the sandbox runs belong to another session: a new one knows the fixtures' only. */
function requireFixture(
  kind: 'scenario' | 'behaviour',
  known: ReadonlyMap<string, unknown>,
  name: string | undefined,
): void {
  if (name !== undefined && !known.has(name)) {
    const expected = `one of ${[...known.keys()].sort().join(', ')}`;
    throw refuseFindings([{ path: `$.${kind}`, expected, received: JSON.stringify(name), severity: 'error' }]);
  }
}

/** Events of a long move that are shown; of the others only how many they are. */
const MOST_SHOWN = 10_000;

function viewMove(session: Session, { reading, happened }: ClockMoved): ClockView {
  const shown = happened.slice(0, MOST_SHOWN);
  const last = shown.at(-1);
  const more = shown.length < MOST_SHOWN || !last ? 0 : (session.state.counters['event'] ?? 0) - last.id;
  return { ...viewClock(reading), happened: shown.map(viewEvent), ...(more > 0 ? { more } : {}) };
}
