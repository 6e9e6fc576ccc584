import type { Delivery } from '../../../base/schema/generated/records.ts';
import { answerInWords } from '../../../base/text/call-words.ts';
import { plural } from '../../../base/text/plural.ts';
import type { Instant } from '../../../base/time.ts';
import { type Clause, joinClauses, lengthUntil, ruleMention, type StoryPart } from './sentence.ts';
import { MAX_ORDER, RecordEvents, type StoryEntry } from './story-entry.ts';

interface Context {
  now: Instant;
  /** The scenario's rule that acted on the record. */
  rule: string | undefined;
}

/** One entry for each attempt of a notification, and one for the next attempt; or one entry for a notification that was never sent. */
export function entriesOfDelivery(delivery: Delivery, events: RecordEvents): StoryEntry[] {
  const { id, type, createdAt, attempts, state, dueAt } = delivery;
  const common = { title: titleOf(delivery), deliveryId: id };
  const attemptEntries = attempts.map(({ at, status, error, ms }, index): StoryEntry => {
    const reason = index === attempts.length - 1 ? finalReason(delivery) : '';
    const answer =
      status === null ? error : status < 400 && error ? `${answerInWords(status)}, ${error}` : answerInWords(status);
    const isGivenUp = reason !== '' && state === 'failed';
    return {
      at,
      ...events.take(({ subjectId, data }) => subjectId === id && data['attempt'] === index + 1),
      ...common,
      kind: error === null ? 'delivery.succeeded' : isGivenUp ? 'delivery.given-up' : 'delivery.failed',
      words: [answer, reason].filter(Boolean).join(', '),
      status,
      milliseconds: ms,
      ...(attempts.length > 1 ? { attempt: index + 1 } : {}),
    };
  });
  if (state === 'pending') {
    const members = { ...common, kind: 'delivery.pending', words: isPlannedDelay(delivery) ? 'late on purpose' : '' };
    const next = { at: dueAt ?? 0, order: MAX_ORDER, ...members, attempt: attempts.length + 1, isAhead: true } as const;
    return dueAt === null ? attemptEntries : [...attemptEntries, next];
  }
  if (attempts.length > 0) {
    return attemptEntries;
  }
  const placement = events.placeAfter((event) => event.type === type && event.at === createdAt);
  return [{ at: createdAt, ...placement, ...common, kind: `delivery.${state}`, words: finalReason(delivery) }];
}

function titleOf({ type, forgery, isTest, webhookBehaviour: { mode } }: Delivery): string {
  if (forgery !== undefined) {
    return `Forged notification ${type} (${forgery})`;
  }
  return `${isTest ? 'Test notification' : 'Notification'} ${type}${mode === 'tampered' ? ', altered in transit' : ''}`;
}

/** The reason why no further attempt is planned; empty if one is, or if the notification was delivered. */
function finalReason(delivery: Delivery): string {
  const { state, failure } = delivery;
  switch (state) {
    case 'failed':
      return failure === undefined ? 'given up' : `could not be sent: ${failure.reason}`;
    case 'held':
      return 'held until its endpoint is resumed';
    case 'dropped':
      return isPlannedDrop(delivery)
        ? 'dropped on purpose'
        : 'dropped because its endpoint was switched off or removed';
    default:
      return '';
  }
}

function isPlannedDrop({ webhookBehaviour: { mode }, state, attempts }: Delivery): boolean {
  return mode === 'dropped' && state === 'dropped' && attempts.length === 0;
}

function isPlannedDelay({ webhookBehaviour: { mode }, attempts }: Delivery): boolean {
  return attempts.length === 0 && (mode === 'delayed' || mode === 'reordered');
}

export function notificationClause(deliveries: readonly Delivery[], type: string, context: Context): Clause {
  const [first, ...others] = deliveries;
  if (first === undefined) {
    const link = { text: 'no endpoint was set', collection: 'deliveries', id: 'endpoints' };
    return ['No notification was sent: ', link, ` for ${type}`];
  }
  return others.length === 0 ? describeDelivery(first, context) : describeDeliveries(deliveries, first, context);
}

function describeDelivery(delivery: Delivery, { now, rule }: Context): Clause {
  const entries = entriesOfDelivery(delivery, new RecordEvents([]));
  const last = entries.findLast(({ isAhead }) => !isAhead);
  const next = entries.find(({ isAhead }) => isAhead);
  const attempt = last?.attempt === undefined ? '' : `, attempt ${last.attempt}`;
  return [
    { text: titleOf(delivery), collection: 'deliveries', id: delivery.id },
    last === undefined ? '' : `${attempt}: ${last.words}`,
    ...(next === undefined ? [] : describeNext(next, now)),
    ...(isPlannedDrop(delivery) || isPlannedDelay(delivery) ? ruleMention(rule) : []),
  ];
}

function describeNext({ at, attempt, words }: StoryEntry, now: Instant): Clause {
  if (at <= now) {
    return [attempt === 1 ? ' is being sent' : '; the next attempt is under way'];
  }
  const lead = attempt === 1 ? ' will be sent in ' : '; next attempt in ';
  return [lead, lengthUntil(at, now), words === '' ? '' : `, ${words}`];
}

function isFailedSoFar({ state, attempts }: Delivery): boolean {
  return state === 'pending' && (attempts.at(-1)?.error ?? null) !== null;
}

function describeDeliveries(deliveries: readonly Delivery[], first: Delivery, { now }: Context): Clause {
  const openDeliveries = deliveries.filter(({ state }) => state !== 'delivered');
  const count = (state: Delivery['state']) => openDeliveries.filter((each) => each.state === state).length;
  const failedCount = openDeliveries.filter(isFailedSoFar).length;
  const otherCounts = [
    [failedCount, 'failed so far'],
    [count('pending') - failedCount, 'pending'],
    [count('held'), 'held'],
    [count('failed'), 'given up'],
    [count('dropped'), 'dropped'],
  ].flatMap(([number, words]) => (number === 0 ? [] : `, ${number} ${words}`));
  const text = `${deliveries.length - openDeliveries.length} of ${plural(deliveries.length, 'notification')} delivered`;
  const [dueAt] = openDeliveries.flatMap((delivery) => delivery.dueAt ?? []).sort((one, other) => one - other);
  return [
    { text, collection: 'deliveries', id: (openDeliveries[0] ?? first).id },
    ...otherCounts,
    ...(dueAt === undefined ? [] : ['; next attempt in ', lengthUntil(dueAt, now)]),
  ];
}

export function forgeryClause(deliveries: readonly Delivery[], rule: string | undefined): Clause {
  const [first, ...others] = deliveries.filter(({ forgery }) => forgery !== undefined);
  if (first === undefined) {
    return [];
  }
  const link = { text: plural(others.length + 1, 'forged notification'), collection: 'deliveries', id: first.id };
  return [link, ` ${others.length === 0 ? 'says' : 'say'} that it was paid`, ...ruleMention(rule)];
}

/** Without a link to the delivery itself. */
export function sentenceOfDelivery(delivery: Delivery, now: Instant): StoryPart[] {
  const unlinked = describeDelivery(delivery, { now, rule: undefined }).map((part) =>
    typeof part === 'object' && 'text' in part && part.id !== undefined ? part.text : part,
  );
  return joinClauses([unlinked]);
}
