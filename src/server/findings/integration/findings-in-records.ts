import { isCaught } from '../../../base/catch.ts';
import type { IntegrationKind } from '../../../base/finding-kinds.ts';
import { isRedirect, isSuccess } from '../../../base/is-success.ts';
import { isWronglySigned } from '../../../base/is-wrongly-signed.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import type { Delivery, Payment } from '../../../base/schema/generated/records.ts';
import type { Epoch, Reader } from '../../sessions/reader.ts';
import type { RecordChange } from '../../store/store.ts';
import { type CountedFinding, type IntegrationFindings, MAX_NAMED_SUBJECTS } from './integration-findings.ts';

/** Only this many of the newest payments and deliveries are examined, which bounds the time. */
const MAX_EXAMINED_RECORDS = 100;
const SLOW_MS = 2000;
/** Time for code to query an outcome, on a running clock. */
const TIME_TO_QUERY_MS = 60_000;

interface Evidence {
  payments: readonly Payment[];
  /** Deliveries that were sent to the code under test. */
  deliveries: readonly Delivery[];
  /** Deliveries to the built-in receiver, which show nothing about the code. */
  caughtDeliveries: readonly Delivery[];
  integration: IntegrationFindings;
  /** Only outcomes later than `after`, and up to `until`, are examined. */
  after: number;
  until: number;
  /** Payments that changed in this process. Status queries for others are not known. */
  changedIds: RecentValues<true>;
}

/** Finds the records with one kind of mistake. */
type RecordRule = (evidence: Evidence) => { expected: string; received: string; records: readonly string[] };

/** THE TABLE of rules about records. */
const RECORD_RULES: readonly (readonly [IntegrationKind, RecordRule])[] = [
  [
    'outcome-never-learned',
    ({ changedIds, ...evidence }) => ({
      expected: 'an acknowledged notification or a status query for each outcome',
      received: 'neither',
      records: evidence.payments
        .filter((payment) => changedIds.has(payment.id) && isOutcomeUnnoticed(payment, evidence))
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
      records: idsOf(deliveries, (delivery) => isForgeryTrusted(delivery, payments, integration)),
    }),
  ],
];

const changedPayments = new WeakMap<Epoch, RecentValues<true>>();

function changedPaymentsOf({ epoch }: Pick<Reader, 'epoch'>): RecentValues<true> {
  let changedIds = changedPayments.get(epoch);
  if (!changedIds) {
    changedIds = new RecentValues<true>();
    changedPayments.set(epoch, changedIds);
  }
  return changedIds;
}

export function recordChangedPayments(session: Pick<Reader, 'epoch'>, changes: readonly RecordChange[]): void {
  for (const { collection, id } of changes) {
    if (collection === 'payments') {
      changedPaymentsOf(session).set(id, true);
    }
  }
}

export async function findingsInRecords(
  reader: Reader,
  integration: IntegrationFindings,
  { isFrozen }: { isFrozen: boolean },
): Promise<CountedFinding[]> {
  const newest = { limit: MAX_EXAMINED_RECORDS, newestFirst: true };
  const [{ items: payments }, { items: deliveries }, { items: caughtDeliveries }] = await Promise.all([
    reader.list('payments', newest),
    reader.list('deliveries', { ...newest, where: (delivery: Delivery) => !isCaught(delivery) }),
    reader.list('deliveries', { ...newest, where: isCaught }),
  ]);
  const changedIds = changedPaymentsOf(reader);
  const until = isFrozen ? reader.now : reader.now - TIME_TO_QUERY_MS;
  // Notifications from before the oldest examined delivery are unknown, so earlier outcomes are not judged.
  const after = Math.max(
    ...[deliveries, caughtDeliveries].map((all) =>
      all.length < MAX_EXAMINED_RECORDS ? -1 : (all.at(-1)?.createdAt ?? -1),
    ),
  );
  const evidence = { payments, deliveries, caughtDeliveries, integration, after, until, changedIds };
  return RECORD_RULES.flatMap(([kind, apply]) => {
    const { expected, received, records } = apply(evidence);
    const first = { path: '$', expected, received };
    return records.length === 0
      ? []
      : [{ kind, count: records.length, first, calls: [], records: records.slice(0, MAX_NAMED_SUBJECTS) }];
  });
}

function isOutcomeUnnoticed(
  payment: Payment,
  { deliveries, caughtDeliveries, integration, after, until }: Omit<Evidence, 'changedIds'>,
): boolean {
  const outcome = payment.history.at(-1);
  if (!outcome || payment.state === 'Processing' || outcome.at <= after || outcome.at > until) {
    return false;
  }
  const isAboutOutcome = ({ subjectId, createdAt, isTest, forgery }: Delivery) =>
    subjectId === payment.id && createdAt >= outcome.at && !isTest && forgery === undefined;
  const notifications = deliveries.filter(isAboutOutcome);
  if (notifications.length === 0 && caughtDeliveries.some(isAboutOutcome)) {
    return false;
  }
  // A notification without attempts may yet be acknowledged. One that is being sent again may have been acknowledged before.
  const isAcknowledged = notifications.some(
    ({ state, attempts }) =>
      attempts.some(({ error }) => error === null) || (state === 'pending' && attempts.length === 0),
  );
  return !isAcknowledged && !isQueriedSince(payment, integration, outcome.at);
}

function isForgeryTrusted(delivery: Delivery, payments: readonly Payment[], integration: IntegrationFindings): boolean {
  const attempt = isWronglySigned(delivery) ? delivery.attempts.find(({ status }) => isSuccess(status)) : undefined;
  const payment = payments.find(({ id }) => id === delivery.subjectId);
  return attempt !== undefined && payment !== undefined && !isQueriedSince(payment, integration, attempt.at);
}

function isQueriedSince(
  { paymentId, payerReference, paymentCode }: Payment,
  integration: IntegrationFindings,
  at: number,
) {
  const queriedAt = integration.lastQueryAt([paymentId, payerReference, paymentCode]);
  return queriedAt !== undefined && queriedAt >= at;
}

function idsOf(deliveries: readonly Delivery[], isIncluded: (delivery: Delivery) => boolean): string[] {
  return deliveries.filter((delivery) => !delivery.isTest && isIncluded(delivery)).map(({ id }) => id);
}
