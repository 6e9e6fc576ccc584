import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type {
  CallNotice,
  ChangeNotice,
  DeliveryNotice,
  OverNotice,
  ReadyNotice,
} from '../../base/schema/generated/control.ts';
import type { Delivery } from '../../base/schema/generated/records.ts';
import { formatUtc } from '../../base/time.ts';
import { EventStream, formatMessage, type Message } from '../http/event-stream.ts';
import { Subscribers } from '../http/subscribers.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { CallSummary } from '../sessions/request-log.ts';
import { RingBuffer } from '../sessions/ring-buffer.ts';
import type { Session } from '../sessions/session.ts';
import type { CollectionName, RecordChange } from '../store/store.ts';
import { viewClock, viewEvent, viewSession } from './views.ts';

/** Events that begin another generation: everything reported before is obsolete. */
const NEW_GENERATION_EVENTS: Readonly<Record<string, OverNotice['reason']>> = {
  'session.reset': 'reset',
  'session.restored': 'restored',
};

/** Collections whose changes are reported as `changed`, because not all of them have an event. */
const CHANGE_NOTICES: ReadonlySet<CollectionName> = new Set(['endpoints', 'webhookQueues', 'scenarios', 'merchants']);

/** Maximum length of a merchant's text in a notice. */
const MAX_TEXT_LENGTH = 200;

/** How long messages are collected for one write; too short for a person to notice. */
const WRITE_DELAY_MS = 25;
/** Number of messages that are kept for slow readers: at least this, and at most twice as many. */
const KEPT_MESSAGES = 3000;

/** The messages of a session's stream, serialized once; each reader has a position in them. */
class Broadcast {
  readonly texts = new RingBuffer<string>(KEPT_MESSAGES);
  readonly subscribers: Subscribers;
  readonly #session: Session;
  #facts: Facts;

  constructor(session: Session, onEmpty: () => void) {
    this.#session = session;
    this.#facts = factsOf(session);
    const { events, requests, changes, clock } = session;
    const stops = [
      events.listen(
        (event) => this.#sendEvent(event),
        // When the sandbox stops, no `over` is sent, because clients should connect again.
        () => this.subscribers.end(session.generation.hasEnded ? formatMessage(overMessage(session, 'deleted')) : ''),
      ),
      requests.listen(
        (call) => this.#send({ name: 'call', data: callNotice(call.summarize()) }),
        () => this.#send({ name: 'cleared', data: {} }),
      ),
      changes.add((changed) => this.#send(...changed.flatMap(changeMessage))),
      clock.listeners.add(() => this.#send()),
    ];
    const stopAll = () => {
      for (const stop of stops) {
        stop();
      }
      onEmpty();
    };
    this.subscribers = new Subscribers(stopAll, { prepare: () => this.#sendFacts(), minDelayMs: WRITE_DELAY_MS });
  }

  /** Reports clock, scenario and behaviour if they have changed since the last report; intermediate states are skipped. */
  #sendFacts(): void {
    const { clock, session } = this.#facts;
    this.#facts = factsOf(this.#session);
    const [clockMessage, sessionMessage] = factMessages(this.#session);
    if (this.#facts.clock !== clock) {
      this.texts.add(formatMessage(clockMessage));
    }
    if (this.#facts.session !== session) {
      this.texts.add(formatMessage(sessionMessage));
    }
  }

  #send(...messages: readonly Message[]): void {
    for (const message of messages) {
      this.texts.add(formatMessage(message));
    }
    this.subscribers.wake();
  }

  #sendEvent(event: SessionEvent): void {
    const reason = NEW_GENERATION_EVENTS[event.type];
    if (reason === undefined) {
      this.#send(eventMessage(event));
    } else {
      this.#facts = factsOf(this.#session);
      this.texts.clear();
      this.#send(overMessage(this.#session, reason), readyMessage(this.#session), eventMessage(event));
    }
  }
}

const broadcasts = new WeakMap<Session, Broadcast>();

/**
 * Streams everything that a live view of a session needs: its events, and notices, which have no id. `since`
 * is the event after which the stream begins. A reader that is too far behind gets `missed`.
 */
export function sendLive(session: Session, since: number, response: ServerResponse): void {
  const broadcast = broadcasts.get(session) ?? new Broadcast(session, () => broadcasts.delete(session));
  broadcasts.set(session, broadcast);
  const { texts, subscribers } = broadcast;
  const { events } = session;
  const replay = { position: events.positionAfter(since), end: events.nextPosition };
  let position = texts.nextPosition;
  const next = (): string | undefined => {
    const event = replay.position < replay.end ? events.readFrom(replay.position) : undefined;
    if (event && event.position < replay.end) {
      replay.position = event.position + 1;
      return subscribers.serializeOnce(event.item, () => formatMessage(eventMessage(event.item)));
    }
    replay.position = replay.end;
    const unread = texts.readFrom(position);
    if (unread === undefined) {
      return undefined;
    }
    if (unread.missed > 0) {
      position = texts.nextPosition;
      return [{ name: 'missed', data: {} }, ...factMessages(session)].map(formatMessage).join('');
    }
    position = unread.position + 1;
    return unread.item;
  };
  subscribers.add(new EventStream(response, `retry: 1000\n\n${formatMessage(readyMessage(session))}`, next));
}

function readyMessage(session: Session): Message {
  const { generation, counters } = session.state;
  const lastEvent = counters['event'] ?? 0;
  const data: ReadyNotice = {
    run: runOf(session),
    generation,
    lastEvent,
    session: viewSession(session),
    clock: viewClock(session.clockMover.reading),
  };
  return { name: 'ready', data };
}

/** Stays the same after a restart if the sandbox has a store, which keeps the key. The HMAC does not reveal the key. */
function runOf({ installationKey }: Session): string {
  return createHmac('sha256', installationKey).update('run').digest('base64url').slice(0, 12);
}

function overMessage({ generation: { number: generation } }: Session, reason: OverNotice['reason']): Message {
  const data: OverNotice = { reason, generation };
  return { name: 'over', data };
}

function eventMessage(event: SessionEvent): Message {
  return { name: 'event', id: event.id, data: viewEvent(event) };
}

export function callNotice({ at, path, reference, ...summary }: CallSummary): CallNotice {
  return { ...summary, at: formatUtc(at), path: shorten(path), reference: reference && shorten(reference) };
}

function changeMessage({ collection, id, record }: RecordChange): Message[] {
  if (collection === 'deliveries' && record !== null) {
    return [{ name: 'delivery', data: deliveryNotice(record as Delivery) }];
  }
  const data: ChangeNotice = { collection, id, isRemoved: record === null };
  return CHANGE_NOTICES.has(collection) ? [{ name: 'changed', data }] : [];
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

/** The facts whose changes are reported. The passing of time on a real clock is not a change. */
interface Facts {
  clock: string;
  /** The session's scenario and behaviour. */
  session: string;
}

function factsOf(session: Session): Facts {
  const { nextDue, next } = viewClock(session.clockMover.reading);
  return {
    clock: JSON.stringify([session.clock.setting, nextDue, next]),
    session: JSON.stringify([session.state.scenario, session.state.behaviour]),
  };
}

function factMessages(session: Session): [clock: Message, session: Message] {
  return [
    { name: 'clock', data: viewClock(session.clockMover.reading) },
    { name: 'session', data: viewSession(session) },
  ];
}

function shorten(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
