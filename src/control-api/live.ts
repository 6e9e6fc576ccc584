import { createHmac } from 'node:crypto';
import type { Response } from 'express';
import { type Message, PacedStream } from '../http/paced-stream.ts';
import type { CallNotice, ChangeNotice, DeliveryNotice, OverNotice, ReadyNotice } from '../schema/control.ts';
import type { Delivery } from '../schema/records.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { CallSummary } from '../sessions/request-log.ts';
import type { Session } from '../sessions/session.ts';
import type { Change, CollectionName } from '../store/store.ts';
import { formatUtc } from '../time.ts';
import { viewClock, viewEvent, viewSession } from './views.ts';

/** Events that begin another generation: all that was told before is over. */
const BEGINNINGS: Readonly<Record<string, OverNotice['reason']>> = {
  'session.reset': 'reset',
  'session.restored': 'restored',
};

/** Collections whose changes have no event. */
const SILENT: ReadonlySet<CollectionName> = new Set(['endpoints', 'scenarios', 'merchants']);

/** Characters of what a merchant wrote that a notice repeats. */
const LONGEST = 200;

/**
 * All that whoever shows a session must hear of, as it happens: its events, and notices beside them that have no number. `since`
 * is the event after which it begins.
 */
export function sendLive(session: Session, since: number, response: Response): void {
  const told = factsOf(session);
  const stream = new PacedStream(response, { present: () => changedFacts(session, told) });
  if (!stream.begin([ready(session), ...session.events.since(since).map(eventMessage)])) {
    return;
  }
  const stops = [
    session.events.listen(
      (event) => {
        const reason = BEGINNINGS[event.type];
        if (reason === undefined) {
          stream.push(eventMessage(event));
        } else {
          Object.assign(told, factsOf(session));
          stream.replace([over(session, reason), ready(session), eventMessage(event)]);
        }
      },
      // A sandbox that stops says nothing: whoever connects again is right to.
      () => stream.end(session.generation.ended ? [over(session, 'deleted')] : []),
    ),
    session.requests.listen(
      (call) => stream.push({ name: 'call', data: callNotice(call.summarize()) }),
      () => stream.push({ name: 'cleared', data: {} }),
    ),
    session.changes.add((changes) => {
      for (const message of changes.flatMap(changeMessage)) {
        stream.push(message);
      }
      stream.plan();
    }),
    session.clock.follow(() => stream.plan()),
  ];
  response.on('close', () => {
    for (const stop of stops) {
      stop();
    }
  });
}

function ready(session: Session): Message {
  const { generation, counters } = session.state;
  const lastEvent = counters['event'] ?? 0;
  const data: ReadyNotice = {
    run: runOf(session),
    generation,
    lastEvent,
    session: viewSession(session),
    clock: viewClock(session),
  };
  return { name: 'ready', data };
}

/** Of one store, and of one process where nothing is kept. It says nothing of the key. */
function runOf({ installationKey }: Session): string {
  return createHmac('sha256', installationKey).update('run').digest('base64url').slice(0, 12);
}

function over({ generation: { number: generation } }: Session, reason: OverNotice['reason']): Message {
  const data: OverNotice = { reason, generation };
  return { name: 'over', data };
}

function eventMessage(event: SessionEvent): Message {
  return { name: 'event', id: event.id, data: viewEvent(event) };
}

function callNotice({ at, path, reference, ...summary }: CallSummary): CallNotice {
  return { ...summary, at: formatUtc(at), path: cut(path), reference: reference && cut(reference) };
}

function changeMessage({ collection, id, record }: Change): Message[] {
  if (collection === 'deliveries' && record !== null) {
    return [{ name: 'delivery', data: deliveryNotice(record as Delivery) }];
  }
  const data: ChangeNotice = { collection, id, isRemoved: record === null };
  return SILENT.has(collection) ? [{ name: 'changed', data }] : [];
}

function deliveryNotice({ id, type, subjectId, state, attempts, dueAt }: Delivery): DeliveryNotice {
  const last = attempts.at(-1);
  return {
    id,
    type,
    subjectId,
    state,
    attempts: attempts.length,
    last: last ? { at: formatUtc(last.at), status: last.status, error: last.error, milliseconds: last.ms } : null,
    nextAttemptAt: dueAt === null ? null : formatUtc(dueAt),
  };
}

/** What is told again once it is another. A real clock goes on by itself, which is nothing to tell. */
interface Facts {
  clock: string;
  scenario: string;
}

function factsOf(session: Session): Facts {
  const { nextDue, next } = viewClock(session);
  return { clock: JSON.stringify([session.clock.setting, nextDue, next]), scenario: session.scenario };
}

function changedFacts(session: Session, told: Facts): Message[] {
  const { clock, scenario } = told;
  Object.assign(told, factsOf(session));
  return [
    ...(told.clock === clock ? [] : [{ name: 'clock', data: viewClock(session) }]),
    ...(told.scenario === scenario ? [] : [{ name: 'session', data: viewSession(session) }]),
  ];
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
