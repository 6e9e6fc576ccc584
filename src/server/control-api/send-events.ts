import type { ServerResponse } from 'node:http';
import type { EventView } from '../../base/schema/generated/control.ts';
import { EventStream, textOf } from '../http/event-stream.ts';
import { Subscribers } from '../http/subscribers.ts';
import type { LoggedCall } from '../sessions/request-log.ts';
import type { Session } from '../sessions/session.ts';
import { viewCall, viewEvent } from './views.ts';

/** Where an event stream begins. */
export interface Beginning {
  /** The event after which it begins. */
  after: number;
  /** The place of its first call in the request log; undefined where no calls are shown. */
  firstCall: number | undefined;
}

/** A call among events, which comes behind the last one before it was over. */
interface CallInWords {
  lastEvent: number;
  text: string;
}

const subscribersBySession = new WeakMap<Session, Subscribers>();

/** Server-sent events: first the stored events, then new ones. A client that reads too slowly is told how many it missed. */
export function sendEvents(session: Session, { after, firstCall }: Beginning, response: ServerResponse): void {
  const { events, requests } = session;
  const subscribers = subscribersOf(session);
  const places = { event: events.positionAfter(after), call: firstCall };
  const wordsOf = oneAhead((call: LoggedCall) => subscribers.share(call, () => callInWords(call)));
  const next = (): string | undefined => {
    const event = events.from(places.event);
    const call = places.call === undefined ? undefined : requests.from(places.call);
    const words = call && wordsOf(call.item);
    if (event && !(words && words.lastEvent < event.item.id)) {
      places.event = event.missed > 0 ? event.position : event.position + 1;
      return event.missed > 0
        ? missed(session, event.item.id - 1, { events: event.missed })
        : subscribers.share(event.item, () => textOfView(viewEvent(event.item), event.item.id));
    }
    if (call && words) {
      places.call = call.missed > 0 ? call.position : call.position + 1;
      return call.missed > 0 ? missed(session, words.lastEvent, { calls: call.missed }) : words.text;
    }
    return undefined;
  };
  subscribers.add(new EventStream(response, ': connected\n\n', next));
}

/** Where a stream continues: after a call or, if that call is not in the log any more, after an event. */
export function placeOfCalls({ requests }: Session, after: number, callId: string | undefined): number {
  const behindEvent = requests.positionOfFirst(({ lastEvent }) => lastEvent >= after);
  const behindCall = requests.positionOfFirst(({ id }) => id !== callId);
  const isKnown = callId !== undefined && requests.find(callId)?.lastEvent === after;
  return isKnown ? behindCall : behindEvent;
}

function subscribersOf(session: Session): Subscribers {
  const known = subscribersBySession.get(session);
  if (known) {
    return known;
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

function callInWords(call: LoggedCall): CallInWords {
  const request = call.describe();
  const { id, lastEvent } = request;
  return { lastEvent, text: textOfView(viewCall(request), `${lastEvent};${id}`) };
}

function textOfView(view: EventView, id?: number | string): string {
  return textOf({ name: view.type, data: view, ...(id === undefined ? {} : { id }) });
}

function missed({ clock }: Session, id: number, data: { events: number } | { calls: number }): string {
  const facts = { collection: null, subjectId: null, requestId: null };
  return textOfView(viewEvent({ id, at: clock.now(), type: 'missed', ...facts, data }));
}

/** The same as a function, which is asked for one thing again and again before the next. */
function oneAhead<Item extends object, Made>(make: (item: Item) => Made): (item: Item) => Made {
  let last: { item: Item; made: Made } | undefined;
  return (item) => {
    last = last?.item === item ? last : { item, made: make(item) };
    return last.made;
  };
}
