import { toDecimalText } from '../../../base/money.ts';
import type { TimelineCause, TimelineEntry } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { inWords } from '../../../base/text/words.ts';
import type { Instant } from '../../../base/time.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import { causeInWords } from './cause-in-words.ts';

/** A timeline entry whose time is not formatted yet. */
export interface StoryEntry extends Omit<TimelineEntry, 'at'> {
  at: Instant;
  /** Sorts entries of the same instant: the id of the entry's event or, without one, 0.5 more or less than the id of an adjacent event. */
  order: number;
}

/** Orders of entries without an event in the log: past ones, because the log drops the oldest events first, and planned ones. */
export const MIN_ORDER = 0;
export const MAX_ORDER = Number.MAX_SAFE_INTEGER;

type Placement = Pick<StoryEntry, 'order' | 'eventId' | 'requestId'>;
type EventFilter = (event: SessionEvent) => boolean;

/** The logged events of a record and its notifications. Each belongs to at most one entry. */
export class RecordEvents {
  readonly #events: readonly SessionEvent[];
  readonly #assigned = new Set<SessionEvent>();

  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
  }

  get unassigned(): readonly SessionEvent[] {
    return this.#events.filter((event) => !this.#assigned.has(event));
  }

  /** Assigns the first free matching event to an entry, and returns the order and the links of that entry. */
  take(matches: EventFilter): Placement {
    const event = this.#events.find((each) => !this.#assigned.has(each) && matches(each));
    if (event === undefined) {
      return { order: MIN_ORDER };
    }
    this.#assigned.add(event);
    const { id, requestId } = event;
    return { order: id, eventId: id, ...(requestId === null ? {} : { requestId }) };
  }

  placeAfter(matches: EventFilter): Pick<StoryEntry, 'order'> {
    const event = this.#events.find(matches);
    return { order: event === undefined ? MIN_ORDER : event.id + 0.5 };
  }
}

/** A description with its code, or only one of them: `Do not honour (05)`. */
export function reasonOf({ description, code }: { description: string | null; code: string | null }): string {
  return description === null || code === null ? (description ?? code ?? '') : `${description} (${code})`;
}

/** A state as in event types: `PartlyPaid` is `partly-paid`. */
export function stateInEvents(state: string): string {
  return state.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}

export function plannedEntry(at: Instant, facts: Pick<StoryEntry, 'kind' | 'title' | 'words' | 'cause'>): StoryEntry {
  return { at, order: MAX_ORDER, ...facts, isAhead: true };
}

export function moneyOf(amount: number, currency: string): string {
  return `${groupDigits(toDecimalText(amount))} ${currency}`;
}

interface Change {
  at: Instant;
  from: string | null;
  to: string;
  cause: TimelineCause['kind'];
  decidedBy?: string;
}

/** `kind` is the type of the change's event; `isItsEvent` distinguishes events of that type at the same instant. */
export function entryOfChange(
  kind: string,
  { at, from, to, cause, decidedBy }: Change,
  events: RecordEvents,
  words: string,
  isItsEvent: EventFilter = () => true,
): StoryEntry & { cause: TimelineCause } {
  return {
    at,
    ...events.take((event) => event.type === kind && event.at === at && isItsEvent(event)),
    kind,
    title: from === null ? 'Created' : inWords(to),
    words,
    cause: causeInWords(cause, decidedBy),
  };
}
