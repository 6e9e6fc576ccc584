import { toDecimalText } from '../../../base/money.ts';
import type { TimelineCause, TimelineEntry } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { inWords } from '../../../base/text/words.ts';
import type { Instant } from '../../../base/time.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import { causeInWords } from './causes.ts';

/** One thing that happened to a record, or is still to come. */
export interface StoryEntry extends Omit<TimelineEntry, 'at'> {
  at: Instant;
  /** Its place among what happened at the same instant: the number of its event, or of one that it follows. */
  order: number;
}

/** Before all that the event log still has: events are dropped from it oldest first. */
export const BEFORE_ALL = 0;
export const AFTER_ALL = Number.MAX_SAFE_INTEGER;

type Placed = Pick<StoryEntry, 'order' | 'eventId' | 'requestId'>;
type Fits = (event: SessionEvent) => boolean;

/** The logged events of a record and its notifications, each of which belongs to one entry. */
export class RecordEvents {
  readonly #events: readonly SessionEvent[];
  readonly #taken = new Set<SessionEvent>();

  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
  }

  /** The events that no entry has taken yet. */
  get free(): readonly SessionEvent[] {
    return this.#events.filter((event) => !this.#taken.has(event));
  }

  /** Where the first free event that fits places an entry, and what it leads to. No other entry gets that event. */
  take(fits: Fits): Placed {
    const event = this.#events.find((each) => !this.#taken.has(each) && fits(each));
    if (event === undefined) {
      return { order: BEFORE_ALL };
    }
    this.#taken.add(event);
    const { id, requestId } = event;
    return { order: id, eventId: id, ...(requestId === null ? {} : { requestId }) };
  }

  /** The place right after the first event that fits. */
  after(fits: Fits): Pick<StoryEntry, 'order'> {
    const event = this.#events.find(fits);
    return { order: event === undefined ? BEFORE_ALL : event.id + 0.5 };
  }
}

/** What there is of a description and a code: `Do not honour (05)`. */
export function reasonOf({ description, code }: { description: string | null; code: string | null }): string {
  return description === null || code === null ? (description ?? code ?? '') : `${description} (${code})`;
}

/** `PartlyPaid` as events have it. */
export function stateInEvents(state: string): string {
  return state.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}

export function plannedEntry(at: Instant, facts: Pick<StoryEntry, 'kind' | 'title' | 'words' | 'cause'>): StoryEntry {
  return { at, order: AFTER_ALL, ...facts, isAhead: true };
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

/** A change of state, by the type of its event. */
export function entryOfChange(
  kind: string,
  { at, from, to, cause, decidedBy }: Change,
  events: RecordEvents,
  words: string,
): StoryEntry & { cause: TimelineCause } {
  return {
    at,
    ...events.take((event) => event.type === kind && event.at === at),
    kind,
    title: from === null ? 'Created' : inWords(to),
    words,
    cause: causeInWords(cause, decidedBy),
  };
}
