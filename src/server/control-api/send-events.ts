import type { ServerResponse } from 'node:http';
import type { EventView } from '../../base/schema/generated/control.ts';
import { EventStream, formatMessage } from '../http/event-stream.ts';
import { Subscribers } from '../http/subscribers.ts';
import type { LoggedCall } from '../sessions/request-log.ts';
import type { Session } from '../sessions/session.ts';
import { viewCall, viewEvent } from './views.ts';

export interface StreamStart {
  /** The event after which it begins. */
  after: number;
  /** The position of its first call in the request log; undefined for a stream without calls. */
  firstCall: number | undefined;
}

/** A call in the stream, after the last event that happened before the call ended. */
interface CallMessage {
  lastEvent: number;
  text: string;
}

const subscribersBySession = new WeakMap<Session, Subscribers>();

/** Streams the stored events, then new ones. The event `missed` tells a slow client how many were dropped. */
export function sendEvents(session: Session, { after, firstCall }: StreamStart, response: ServerResponse): void {
  const { events, requests } = session;
  const subscribers = subscribersOf(session);
  const positions = { event: events.positionAfter(after), call: firstCall };
  const messageOf = cacheLast((call: LoggedCall) => subscribers.serializeOnce(call, () => callMessage(call)));
  const next = (): string | undefined => {
    const event = events.readFrom(positions.event);
    const call = positions.call === undefined ? undefined : requests.readFrom(positions.call);
    const message = call && messageOf(call.item);
    if (event && !(message && message.lastEvent < event.item.id)) {
      positions.event = event.missed > 0 ? event.position : event.position + 1;
      return event.missed > 0
        ? missedMessage(session, event.item.id - 1, { events: event.missed })
        : subscribers.serializeOnce(event.item, () => textOfView(viewEvent(event.item), event.item.id));
    }
    if (call && message) {
      positions.call = call.missed > 0 ? call.position : call.position + 1;
      return call.missed > 0 ? missedMessage(session, message.lastEvent, { calls: call.missed }) : message.text;
    }
    return undefined;
  };
  subscribers.add(new EventStream(response, ': connected\n\n', next));
}

/** The position at which a stream continues: after a call or, if the log no longer has that call, after an event. */
export function positionOfNextCall({ requests }: Session, after: number, callId: string | undefined): number {
  const afterEvent = requests.positionAfterLast(({ lastEvent }) => lastEvent < after);
  const afterCall = requests.positionAfterLast(({ id }) => id === callId);
  const isKnown = callId !== undefined && requests.find(callId)?.lastEvent === after;
  return isKnown ? afterCall : afterEvent;
}

function subscribersOf(session: Session): Subscribers {
  const existing = subscribersBySession.get(session);
  if (existing) {
    return existing;
  }
  const subscribers = new Subscribers(() => {
    subscribersBySession.delete(session);
    stopEvents();
    stopCalls();
  });
  const stopEvents = session.events.listen(subscribers.wake, () => subscribers.end());
  const stopCalls = session.requests.listen(subscribers.wake);
  subscribersBySession.set(session, subscribers);
  return subscribers;
}

function callMessage(call: LoggedCall): CallMessage {
  const request = call.describe();
  const { id, lastEvent } = request;
  return { lastEvent, text: textOfView(viewCall(request), `${lastEvent};${id}`) };
}

function textOfView(view: EventView, id?: number | string): string {
  return formatMessage({ name: view.type, data: view, ...(id === undefined ? {} : { id }) });
}

function missedMessage({ clock }: Session, id: number, data: { events: number } | { calls: number }): string {
  const facts = { collection: null, subjectId: null, requestId: null };
  return textOfView(viewEvent({ id, at: clock.now(), type: 'missed', ...facts, data }));
}

/** Caches the result for the last item, because a stream asks for the same call until it is sent. */
function cacheLast<Item extends object, Result>(make: (item: Item) => Result): (item: Item) => Result {
  let last: { item: Item; result: Result } | undefined;
  return (item) => {
    last = last?.item === item ? last : { item, result: make(item) };
    return last.result;
  };
}
