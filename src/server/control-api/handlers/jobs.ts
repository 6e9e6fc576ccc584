import { mapInTurns, runInTurns } from '../../../base/run-in-turns.ts';
import type { JobsQuery } from '../../../base/schema/generated/control.ts';
import type { Payment, Payout } from '../../../base/schema/generated/records.ts';
import { dueCredits } from '../../domain/payouts/credits.ts';
import { type DueJob, jobKeyOf } from '../../sessions/job-index.ts';
import type { Reader } from '../../sessions/reader.ts';
import { numberIn } from '../../store/record-numbers.ts';
import type { AnyRecord, CollectionName } from '../../store/store.ts';
import { type ControlOperation, listOf, type SessionCall, sessionRow } from '../control-operation.ts';
import { keyOfNumber } from '../cursor.ts';
import { type ListOrder, listEntries } from '../lists.ts';
import { viewJob } from '../views.ts';

export const JOB_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, JobsQuery>({
    name: 'listJobs',
    summary: 'List jobs',
    description: 'Scheduled jobs in the order in which they are due, each with what it will do.',
    method: 'GET',
    path: '/jobs',
    query: 'control/jobs-query',
    response: listOf('control/job'),
    handle: listJobs,
  }),
];

async function listJobs({ session, query }: SessionCall<undefined, JobsQuery>) {
  const { recordId } = query;
  // Filters before sorting, because sorting all due jobs to show those of one record takes long if there are many.
  const matchesQuery = (job: DueJob) => recordId === undefined || job.recordId.toLowerCase() === recordId.toLowerCase();
  const { scheduler } = session;
  const ranks = new Map(scheduler.collections.map((collection, rank) => [collection, rank]));
  // Whether a job is running is not part of its key, because that changes while a client pages.
  const byDueTime: ListOrder<DueJob> = {
    name: 'jobs',
    keyOf: ({ collection, recordId, dueAt }) =>
      [dueAt, ranks.get(collection) ?? ranks.size, numberIn(collection, recordId)].map(keyOfNumber).join(' '),
  };
  const dueJobs = await runInTurns(scheduler.inspect(matchesQuery));
  const jobs = await mapInTurns(dueJobs, (job) => ({ id: jobKeyOf(job), ...job }));
  const { items, nextCursor } = await listEntries(byDueTime, jobs, { order: 'oldest', ...query });
  const records = await session.read(async (reader) => items.map((job) => recordOf(reader, job)));
  return { items: items.map((job, index) => ({ ...viewJob(job), what: describeJob(records[index]) })), nextCursor };
}

function recordOf(reader: Reader, { collection, recordId }: DueJob): AnyRecord | undefined {
  return reader.get<CollectionName>(collection, recordId);
}

/** What the next job of a record will do. */
function describeJob(record: AnyRecord | undefined): string | null {
  if (record === undefined) {
    return null;
  }
  if ('attempts' in record) {
    return `attempt ${record.attempts.length + 1}`;
  }
  if ('intervalDays' in record) {
    return `charge ${record.charges + 1}`;
  }
  if ('credits' in record) {
    return describeDueCredits(record);
  }
  if ('businessDate' in record) {
    const { state, businessDate } = record;
    return state === 'Open' ? `close of ${businessDate}` : state === 'InTransit' ? 'Paid' : 'issue of the report';
  }
  return 'plannedOutcome' in record ? nextChangeOf(record) : null;
}

/** "2 credits Paid, credit 3 Failed". */
function describeDueCredits(payout: Payout): string {
  const byOutcome = new Map<string, number[]>();
  for (const { number, planned } of dueCredits(payout)) {
    byOutcome.set(planned.outcome, [...(byOutcome.get(planned.outcome) ?? []), number]);
  }
  return [...byOutcome]
    .map(([outcome, numbers]) => {
      const credits = numbers.length === 1 ? `credit ${numbers[0]}` : `${numbers.length} credits`;
      return `${credits} ${outcome}`;
    })
    .join(', ');
}

/** The next outcome or adjustment. A payment expires if no outcome is planned before its expiry. */
function nextChangeOf({ state, plannedOutcome, plannedAdjustments, expiresAt }: Payment): string | null {
  if (state !== 'Processing') {
    return plannedOutcome?.outcome ?? plannedAdjustments?.[0]?.kind ?? null;
  }
  return plannedOutcome && (expiresAt === null || plannedOutcome.at <= expiresAt) ? plannedOutcome.outcome : 'Expired';
}
