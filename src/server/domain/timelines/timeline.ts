import type { Payment } from '../../../base/schema/generated/records.ts';
import type { EventLog } from '../../sessions/event-log.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { RequestLog } from '../../sessions/request-log.ts';
import type { Records } from '../../store/store.ts';
import { entryOfCall } from './call-entry.ts';
import { entriesOfDelivery, forgedInWords, notificationClause } from './delivery-entries.ts';
import { storyOfPayment } from './payment-story.ts';
import { storyOfPayout } from './payout-story.ts';
import { clauseOf, plannedClause, type StoryPart, sentences } from './sentence.ts';
import { storyOfSettlement } from './settlement-story.ts';
import type { Story, StoryContext } from './story.ts';
import { BEFORE_ALL, RecordEvents, type StoryEntry } from './story-entry.ts';

/** Past and planned steps of a record. */
export interface Timeline {
  sentence: StoryPart[];
  entries: StoryEntry[];
  /** Calls and notifications that are not listed. */
  omitted: number;
}

/** Data of a session besides its records. */
interface Logs {
  events: EventLog;
  requests: RequestLog;
}

export type TimelineCollection = 'payments' | 'payouts' | 'settlements';

interface Teller<Kept> {
  /** The merchant's reference. */
  namesOf(record: Kept): readonly (string | null)[];
  storyOf(record: Kept, known: StoryContext, reader: Reader): Story;
}

/** THE TABLE of records that have a timeline. */
const TELLERS: { readonly [C in TimelineCollection]: Teller<Records[C]> } = {
  payments: {
    namesOf: ({ payerReference, paymentId, paymentCode }) => [payerReference, paymentId, paymentCode],
    storyOf: (payment, known, { fixtures }) => storyOfPayment(payment, known, fixtures),
  },
  payouts: { namesOf: ({ payerReference }) => [payerReference], storyOf: storyOfPayout },
  settlements: { namesOf: () => [], storyOf: storyOfSettlement },
};

/** Calls and notifications that are listed of each: a shop may ask every second, a scenario may send a thousand. */
const MAX_LISTED = 50;

export function timelineOf<C extends TimelineCollection>(
  reader: Reader,
  { events, requests }: Logs,
  collection: C,
  record: Records[C],
): Timeline {
  const { id, merchantId, failure } = record;
  const { namesOf, storyOf }: Teller<Records[C]> = TELLERS[collection];
  const names = namesOf(record).filter((name) => name !== null);
  const calls = requests.about({ key: `${collection} ${id}`, merchantId, names });
  const deliveries = reader.find('deliveries', 'subjectId', id);
  const [first, ...others] = calls;
  const shown = first === undefined ? [] : [first, ...others.slice(1 - MAX_LISTED)];
  const known = {
    deliveries,
    calls: shown.map((call) => call.describe()),
    events: new RecordEvents(events.about(new Set([id, ...deliveries.map((delivery) => delivery.id)]))),
  };
  const story = storyOf(record, known, reader);
  const failures = failure === undefined ? [] : [entryOfFailure(failure)];
  return {
    sentence: sentenceOf(story, deliveries, failures, reader.now),
    entries: [
      ...known.calls.map(entryOfCall),
      ...story.changes,
      ...story.others,
      ...deliveries.slice(-MAX_LISTED).flatMap((delivery) => entriesOfDelivery(delivery, known.events)),
      ...failures,
      ...story.plannedEntries,
    ].sort((one, other) => one.at - other.at || one.order - other.order),
    omitted: calls.length - shown.length + Math.max(0, deliveries.length - MAX_LISTED),
  };
}

/** One sentence: why the record is in its state, who was notified, and what is planned next. */
function sentenceOf(
  { changes, plannedEntries, state, rule, isNotified }: Story,
  deliveries: StoryContext['deliveries'],
  failures: readonly StoryEntry[],
  now: number,
): StoryPart[] {
  const [last, next] = [changes.at(-1), plannedEntries[0]];
  const about = deliveries.filter(
    ({ type, createdAt, forgery, isTest }) =>
      type === last?.kind && createdAt === last.at && forgery === undefined && !isTest,
  );
  return sentences([
    state ?? (last ? clauseOf(last) : []),
    forgedInWords(deliveries, rule),
    isNotified && last ? notificationClause(about, last.kind, { now, rule }) : [],
    next === undefined ? [] : plannedClause(next, now),
    ...failures.map(clauseOf),
  ]);
}

/** A failure of the sandbox itself to carry out a due job. */
function entryOfFailure({ at, reason }: NonNullable<Payment['failure']>): StoryEntry {
  return { at, order: BEFORE_ALL, kind: 'job.failed', title: 'The sandbox itself failed', words: reason };
}
