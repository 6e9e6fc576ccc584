import { checkScenario } from '../../config/check-scenario.ts';
import { Refusal, refuseFindings } from '../../refusal.ts';
import type { EventsQuery } from '../../schema/control.ts';
import type { SessionState } from '../../schema/records.ts';
import { validate } from '../../schema/validation.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { COLLECTIONS } from '../../store/collections.ts';
import { FORMAT } from '../../store/embedded/state.ts';
import type { Change, CollectionName, Records } from '../../store/store.ts';
import { type ControlOperation, EventStream, one, sessionRow } from '../operation.ts';

type SessionSnapshot = { state: SessionState } & Partial<{ [Name in CollectionName]: Records[Name][] }>;

/** A session's state as a whole, and what happens in it. */
export const STATE_OPERATIONS: readonly ControlOperation[] = [
  sessionRow({
    name: 'getState',
    summary: 'All that the session keeps, to put back later',
    method: 'GET',
    path: '/state',
    query: null,
    request: null,
    response: one('control/state'),
    handle: ({ session }) => session.transact((transaction) => stateOf(transaction, session)),
  }),
  sessionRow<SessionSnapshot>({
    name: 'putState',
    summary: 'Put a fetched state back in place of what there is',
    method: 'PUT',
    path: '/state',
    query: null,
    request: 'control/state',
    response: one('control/state'),
    handle: async ({ session, body }) => {
      const { name } = session;
      const findings = await validate('state', { format: FORMAT, lastCommit: 0, sessions: [{ ...body, name }] });
      if (findings.length > 0) {
        throw refuseFindings(
          findings.map((finding) => ({
            ...finding,
            path: finding.path.replace('$.sessions[0]', '$'),
          })),
        );
      }
      await checkScenarios(body, session);
      await session.restore(body.state, changesOf(body));
      return session.transact((transaction) => stateOf(transaction, session));
    },
  }),
  sessionRow<undefined, EventsQuery>({
    name: 'streamEvents',
    summary: 'What happens, as server-sent events; Last-Event-ID (or ?since=) goes on from there',
    method: 'GET',
    path: '/events',
    query: 'control/events-query',
    request: null,
    response: { mediaType: 'text/event-stream', schema: 'control/event' },
    handle: async ({ session, query, lastEventId }) => {
      const last = session.state.counters['event'] ?? 0;
      const since = Number(lastEventId ?? query.since ?? last);
      if (!Number.isSafeInteger(since) || since < 0) {
        throw new Refusal('invalid-field', 'Last-Event-ID must be the number of an event');
      }
      // Events are numbered from 1 again after a reset: a number that is still to come is one of before.
      return new EventStream(session, since > last ? 0 : since);
    },
  }),
];

/** A scenario that comes this way must work as well as one that is defined. */
async function checkScenarios({ scenarios = [] }: SessionSnapshot, { fixtures }: Session): Promise<void> {
  const checked = await Promise.all(
    scenarios.map(async ({ scenario }, index) => {
      const findings = await checkScenario(scenario, fixtures.channels.channels);
      return findings.map((finding) => ({
        ...finding,
        path: `$.scenarios[${index}].scenario${finding.path.slice(1)}`,
      }));
    }),
  );
  if (checked.flat().length > 0) {
    throw refuseFindings(checked.flat());
  }
}

/** Read in a transaction: of a whole state no part may be older than another. */
async function stateOf(transaction: Transaction, { state }: Session): Promise<SessionSnapshot> {
  const snapshot: SessionSnapshot = { state };
  for (const collection of Object.keys(COLLECTIONS) as CollectionName[]) {
    const items = await transaction.all<CollectionName>(collection);
    if (items.length > 0) {
      Object.assign(snapshot, { [collection]: items });
    }
  }
  return snapshot;
}

function changesOf({ state: _, ...collections }: SessionSnapshot): Change[] {
  return Object.entries(collections).flatMap(([collection, records]) =>
    (records ?? []).map((record) => ({ collection: collection as CollectionName, id: record.id, record })),
  );
}
