import type { JobFailure } from '../../../base/schema/generated/records.ts';
import type { EventLog } from '../../sessions/event-log.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { RequestLog } from '../../sessions/request-log.ts';
import type { Records } from '../../store/store.ts';
import { entryOfCall } from './call-entry.ts';
import { entriesOfDelivery, forgeryClause, notificationClause } from './delivery-entries.ts';
import { storyOfPayment } from './payment-story.ts';
import { storyOfPayout } from './payout-story.ts';
import { clauseOf, joinClauses, plannedClause, type StoryPart } from './sentence.ts';
import { storyOfSettlement } from './settlement-story.ts';
import type { Story, StoryContext } from './story.ts';
import { MIN_ORDER, RecordEvents, type StoryEntry } from './story-entry.ts';

export interface Timeline {
  sentence: StoryPart[];
  entries: StoryEntry[];
  /** Number of calls and notifications that are not listed. */
  omitted: number;
}

interface Logs {
  events: EventLog;
  requests: RequestLog;
}

export type TimelineCollection = 'payments' | 'payouts' | 'settlements';

interface RecordKind<Item> {
  /** The references by which calls of the merchant name the record. */
  referencesOf(record: Item): readonly (string | null)[];
  storyOf(record: Item, context: StoryContext, reader: Reader): Story;
}

const RECORD_KINDS: { readonly [C in TimelineCollection]: RecordKind<Records[C]> } = {
  payments: {
    referencesOf: ({ payerReference, paymentId, paymentCode }) => [payerReference, paymentId, paymentCode],
    storyOf: (payment, context, { fixtures }) => storyOfPayment(payment, context, fixtures),
  },
  payouts: { referencesOf: ({ payerReference }) => [payerReference], storyOf: storyOfPayout },
  settlements: { referencesOf: () => [], storyOf: storyOfSettlement },
};

/** Maximum number of listed calls and of listed notifications: the latest ones, and the first call, which may have created the record. */
const MAX_LISTED = 50;

export function timelineOf<C extends TimelineCollection>(
  reader: Reader,
  { events, requests }: Logs,
  collection: C,
  record: Records[C],
): Timeline {
  const { id, merchantId, failure } = record;
  const { referencesOf, storyOf }: RecordKind<Records[C]> = RECORD_KINDS[collection];
  const names = referencesOf(record).filter((reference) => reference !== null);
  const calls = requests.about({ key: `${collection} ${id}`, merchantId, names });
  const deliveries = reader.find('deliveries', 'subjectId', id);
  const [first, ...others] = calls;
  const listedCalls = first === undefined ? [] : [first, ...others.slice(1 - MAX_LISTED)];
  const context = {
    deliveries,
    calls: listedCalls.map((call) => call.describe()),
    events: new RecordEvents(events.about(new Set([id, ...deliveries.map((delivery) => delivery.id)]))),
  };
  const story = storyOf(record, context, reader);
  const failures = failure === undefined ? [] : [entryOfFailure(failure)];
  return {
    sentence: sentencesOf(story, deliveries, failures, reader.now),
    entries: [
      ...context.calls.map(entryOfCall),
      ...story.changes,
      ...story.otherEntries,
      ...deliveries.slice(-MAX_LISTED).flatMap((delivery) => entriesOfDelivery(delivery, context.events)),
      ...failures,
      ...story.plannedEntries,
    ].sort((one, other) => one.at - other.at || one.order - other.order),
    omitted: calls.length - listedCalls.length + Math.max(0, deliveries.length - MAX_LISTED),
  };
}

function sentencesOf(
  { changes, plannedEntries, state, rule, isNotified }: Story,
  deliveries: StoryContext['deliveries'],
  failures: readonly StoryEntry[],
  now: number,
): StoryPart[] {
  const [last, next] = [changes.at(-1), plannedEntries[0]];
  const sameChanges = changes.filter(({ kind, at }) => kind === last?.kind && at === last.at);
  const sameDeliveries = deliveries.filter(
    ({ type, createdAt, forgery, isTest }) =>
      type === last?.kind && createdAt === last.at && forgery === undefined && !isTest,
  );
  // With a frozen clock, several equal changes can have the same time. Each has an equal share of their deliveries.
  const lastChangeDeliveries = sameDeliveries.slice(-Math.ceil(sameDeliveries.length / sameChanges.length));
  return joinClauses([
    state ?? (last ? clauseOf(last) : []),
    forgeryClause(deliveries, rule),
    isNotified && last ? notificationClause(lastChangeDeliveries, last.kind, { now, rule }) : [],
    next === undefined ? [] : plannedClause(next, now),
    ...failures.map(clauseOf),
  ]);
}

function entryOfFailure({ at, reason }: JobFailure): StoryEntry {
  return { at, order: MIN_ORDER, kind: 'job.failed', title: 'The sandbox itself failed', words: reason };
}
