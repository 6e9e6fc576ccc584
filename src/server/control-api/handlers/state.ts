import { capFindings, findingsRefusal, Refusal } from '../../../base/refusal.ts';
import { mapInTurns } from '../../../base/run-in-turns.ts';
import type { EventLogQuery, EventsQuery, StreamQuery } from '../../../base/schema/generated/control.ts';
import { checkState } from '../../domain/restored-state/check-state.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Session } from '../../sessions/session.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import { type ControlOperation, itemOf, listOf, StreamedAnswer, sessionRow } from '../control-operation.ts';
import { keyOfNumber } from '../cursor.ts';
import { type ListOrder, listEntries } from '../lists.ts';
import { textsOfEvent } from '../search.ts';
import { positionOfNextCall, sendEvents } from '../send-events.ts';
import { sendLive } from '../send-live.ts';
import { viewFullEvent } from '../subjects.ts';

const BY_NUMBER: ListOrder<SessionEvent> = { name: 'event-log', keyOf: ({ id }) => keyOfNumber(id) };

export const STATE_OPERATIONS: readonly ControlOperation[] = [
  sessionRow({
    name: 'getState',
    summary: 'Get the state',
    description: 'All data of the session, to restore later.',
    method: 'GET',
    path: '/state',
    response: itemOf('control/state'),
    handle: ({ session }) => session.snapshot(),
  }),
  sessionRow<SessionSnapshot>({
    name: 'putState',
    summary: 'Restore a state',
    description:
      'Replaces all data of the session with a state that was fetched earlier, or changes nothing. A state whose records contradict each other or the books is refused, with a list of the contradictions.',
    method: 'PUT',
    path: '/state',
    request: 'control/state',
    response: itemOf('control/state'),
    handle: async ({ session, body }) => {
      // The schema of the body accepts any object, so that only checkState reports errors, and names every place in the same way.
      const findings = await checkState(body, session.fixtures);
      if (findings.length > 0) {
        throw findingsRefusal(capFindings(findings));
      }
      await session.restore(body);
      return session.snapshot();
    },
  }),
  sessionRow<undefined, EventLogQuery>({
    name: 'listEvents',
    summary: 'List events',
    description:
      'The last events, at least a thousand, newest first. They are cleared when the session is reset or the sandbox is restarted.',
    method: 'GET',
    path: '/event-log',
    query: 'control/event-log-query',
    response: listOf('control/event'),
    handle: async ({ session, query }) => {
      const { items, nextCursor } = await listEntries(BY_NUMBER, session.events.since(0), query, textsOfEvent);
      return {
        items: await session.read((reader) => mapInTurns(items, (event) => viewFullEvent(event, reader))),
        nextCursor,
      };
    },
  }),
  sessionRow<undefined, EventsQuery>({
    name: 'streamEvents',
    summary: 'Stream events',
    description:
      'Events as they happen, as server-sent events; the data of each is an EventView. Begins after the event `since`, or after the id in `Last-Event-ID`, if later events are still kept; does not end by itself. `missed` reports how many events were dropped before a slow client had read them.',
    method: 'GET',
    path: '/events',
    query: 'control/events-query',
    requestHeaders: ['Last-Event-ID'],
    response: { mediaType: 'text/event-stream', schema: 'control/event' },
    handle: async ({ session, query, lastEventId }) => {
      // The id of the last call is part of the event's id: <event>;<call>.
      const [event = query.since, call] = lastEventId?.split(';') ?? [];
      const afterEvent = eventBefore(session, event);
      const startPosition = () =>
        event === undefined ? session.requests.nextPosition : positionOfNextCall(session, afterEvent, call);
      const firstCall = query.calls ? startPosition() : undefined;
      return new StreamedAnswer((response) => sendEvents(session, { after: afterEvent, firstCall }, response));
    },
  }),
  sessionRow<undefined, StreamQuery>({
    name: 'streamNotices',
    summary: 'Stream all notices',
    description:
      'Everything that a client needs to show a session live, as server-sent events: `ready` first, and again after a reset; `event` (as in streamEvents), `call`, `delivery`, `clock`, `session`, `changed` and `cleared` as they happen; `missed` if the client did not read fast enough; `over` when everything reported before is obsolete. Only events have an id; a client that reconnects continues after the last id. After `ready` and `missed`, fetch again the data that you show.',
    method: 'GET',
    path: '/stream',
    query: 'control/stream-query',
    requestHeaders: ['Last-Event-ID'],
    response: { mediaType: 'text/event-stream', schema: 'control/notice' },
    handle: async ({ session, query, lastEventId }) => {
      const since = eventBefore(session, lastEventId ?? query.since);
      return new StreamedAnswer((response) => sendLive(session, since, response));
    },
  }),
];

/** The id of the event after which a stream begins: the requested one, otherwise the last. */
function eventBefore({ state }: Session, requested: string | number | undefined): number {
  const lastEvent = state.counters['event'] ?? 0;
  const since = Number(requested ?? lastEvent);
  if (!Number.isSafeInteger(since) || since < 0) {
    throw new Refusal('invalid-field', 'Last-Event-ID must be the id that an event of the stream had');
  }
  // Events are numbered from 1 again after a reset, so a number beyond the last event is from before the reset.
  return since > lastEvent ? 0 : since;
}
