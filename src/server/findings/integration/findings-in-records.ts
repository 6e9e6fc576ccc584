import { isCaught } from '../../../base/catch.ts';
import type { IntegrationKind } from '../../../base/finding-kinds.ts';
import { isRedirect, isSuccess } from '../../../base/is-success.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import type { Delivery, Payment } from '../../../base/schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { RecordChange } from '../../store/store.ts';
import { type CountedFinding, type IntegrationFindings, MAX_NAMED_SUBJECTS } from './integration.ts';

/** The newest payments, and the newest deliveries, that are looked at. */
const MAX_EXAMINED_RECORDS = 100;
/** Milliseconds from which a receiver is slow. */
const SLOW_MS = 2000;
/** Milliseconds that code has to ask for an outcome, where time passes. */
const TIME_TO_ASK_MS = 60_000;
/** Forgeries that are signed as the provider signs: who compares what they say with the order may acknowledge them. */
const SIGNED: ReadonlySet<Delivery['forgery']> = new Set(['wrong-amount', 'unknown-reference'] as const);

interface Evidence {
  payments: readonly Payment[];
  /** Those that were sent to code. */
  deliveries: readonly Delivery[];
  /** Those that the built-in receiver took: they show nothing of the code. */
  caught: readonly Delivery[];
  integration: IntegrationFindings;
  /** From which instant, and by which, an outcome must have come to be looked at. */
  after: number;
  until: number;
  /** Payments to which something happened in this process: of others it is not known whether anybody asked. */
  changed: RecentValues<true>;
}

/** What a record shows, and of which payment or delivery. */
type RecordRule = (looked: Evidence) => { expected: string; received: string; records: readonly string[] };

/** THE TABLE of what is noticed of records. */
const RECORD_RULES: readonly (readonly [IntegrationKind, RecordRule])[] = [
  [
    'outcome-never-learned',
    ({ changed, ...looked }) => ({
      expected: 'an acknowledged notification or a status query for each outcome',
      received: 'neither',
      records: looked.payments
        .filter((payment) => changed.has(payment.id) && isOutcomeUnnoticed(payment, looked))
        .map(({ id }) => id),
    }),
  ],
  [
    'slow-receiver',
    ({ deliveries }) => ({
      expected: `an answer within ${SLOW_MS / 1000} seconds`,
      received: 'a later answer, or none',
      records: idsOf(deliveries, ({ attempts }) => attempts.some(({ ms }) => ms >= SLOW_MS)),
    }),
  ],
  [
    'redirecting-receiver',
    ({ deliveries }) => ({
      expected: '2xx',
      received: 'a redirect',
      records: idsOf(deliveries, ({ attempts }) => attempts.some(({ status }) => isRedirect(status))),
    }),
  ],
  [
    'forgery-acknowledged',
    ({ payments, deliveries, integration }) => ({
      expected: 'a refusal, or a status query',
      received: '2xx and no status query',
      records: idsOf(deliveries, (delivery) => isForgeryBelieved(delivery, payments, integration)),
    }),
  ],
];

const changedPayments = new WeakMap<object, RecentValues<true>>();

function changedPaymentsOf({ timeline }: Pick<Reader, 'timeline'>): RecentValues<true> {
  const known = changedPayments.get(timeline) ?? new RecentValues<true>();
  changedPayments.set(timeline, known);
  return known;
}

/** Notes that something happened to payments of a session. What is put back, or forked, did not happen. */
export function recordChangedPayments(session: Pick<Reader, 'timeline'>, changes: readonly RecordChange[]): void {
  for (const { collection, id } of changes) {
    if (collection === 'payments') {
      changedPaymentsOf(session).set(id, true);
    }
  }
}

/** What the records of a session show of the code that works with it. */
export async function findingsInRecords(
  reader: Reader,
  integration: IntegrationFindings,
  { isFrozen }: { isFrozen: boolean },
): Promise<CountedFinding[]> {
  const newest = { limit: MAX_EXAMINED_RECORDS, newestFirst: true };
  const isSent = (delivery: Delivery) => !isCaught(delivery);
  const [{ items: payments }, { items: deliveries }, { items: caught }] = await Promise.all([
    reader.list('payments', newest),
    reader.list('deliveries', { ...newest, where: isSent }),
    reader.list('deliveries', { ...newest, where: isCaught }),
  ]);
  const changed = changedPaymentsOf(reader);
  const until = isFrozen ? reader.now : reader.now - TIME_TO_ASK_MS;
  // What was notified before the oldest delivery that is looked at is not seen.
  const after = Math.max(
    ...[deliveries, caught].map((all) => (all.length < MAX_EXAMINED_RECORDS ? -1 : (all.at(-1)?.createdAt ?? -1))),
  );
  return RECORD_RULES.flatMap(([kind, apply]) => {
    const { expected, received, records } = apply({
      payments,
      deliveries,
      caught,
      integration,
      after,
      until,
      changed,
    });
    const first = { path: '$', expected, received };
    return records.length === 0
      ? []
      : [{ kind, count: records.length, first, calls: [], records: records.slice(0, MAX_NAMED_SUBJECTS) }];
  });
}

function isOutcomeUnnoticed(
  payment: Payment,
  { deliveries, caught, integration, after, until }: Omit<Evidence, 'changed'>,
): boolean {
  const outcome = payment.history.at(-1);
  if (!outcome || payment.state === 'Processing' || outcome.at <= after || outcome.at > until) {
    return false;
  }
  const isAboutOutcome = ({ subjectId, createdAt, isTest, forgery }: Delivery) =>
    subjectId === payment.id && createdAt >= outcome.at && !isTest && forgery === undefined;
  const notifications = deliveries.filter(isAboutOutcome);
  if (notifications.length === 0 && caught.some(isAboutOutcome)) {
    return false;
  }
  // One that is on its way for the first time may be acknowledged.
  const isAcknowledged = notifications.some(
    ({ state, attempts }) => state === 'delivered' || (state === 'pending' && attempts.length === 0),
  );
  return !isAcknowledged && !isQueriedSince(payment, integration, outcome.at);
}

function isForgeryBelieved(
  delivery: Delivery,
  payments: readonly Payment[],
  integration: IntegrationFindings,
): boolean {
  const accepted = isWronglySigned(delivery) ? delivery.attempts.find(({ status }) => isSuccess(status)) : undefined;
  const payment = payments.find(({ id }) => id === delivery.subjectId);
  return accepted !== undefined && payment !== undefined && !isQueriedSince(payment, integration, accepted.at);
}

/** Whether its signature tells that the provider has not sent it as it is. */
function isWronglySigned({ forgery, webhookBehaviour }: Delivery): boolean {
  return forgery === undefined ? webhookBehaviour.mode === 'tampered' : !SIGNED.has(forgery);
}

function isQueriedSince(
  { paymentId, payerReference, paymentCode }: Payment,
  integration: IntegrationFindings,
  at: number,
) {
  const queried = integration.lastQueryAt([paymentId, payerReference, paymentCode]);
  return queried !== undefined && queried >= at;
}

function idsOf(deliveries: readonly Delivery[], where: (delivery: Delivery) => boolean): string[] {
  return deliveries.filter((delivery) => !delivery.isTest && where(delivery)).map(({ id }) => id);
}
