import { isCaught } from '../../../base/catch.ts';
import { isRefused } from '../../../base/is-success.ts';
import type { OverviewView } from '../../../base/schema/generated/control.ts';
import type { Delivery } from '../../../base/schema/generated/records.ts';
import { formatUtc } from '../../../base/time.ts';
import { endpointsOf } from '../../domain/webhooks/endpoints.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Session } from '../../sessions/session.ts';
import type { CollectionName } from '../../store/store.ts';
import { type ControlOperation, itemOf, type SessionCall, sessionRow } from '../control-operation.ts';
import { callNotice } from '../send-live.ts';
import { volumeOf } from '../volume.ts';

/** Maximum number of notifications whose attempts are read. */
const MAX_DELIVERIES = 500;
const MAX_REFUSED_CALLS = 5;

type OverviewCall = Pick<SessionCall, 'session' | 'parts'>;

export const OVERVIEW_OPERATIONS: readonly ControlOperation[] = [
  sessionRow({
    name: 'getOverview',
    summary: 'Get the overview of a session',
    description:
      'The session at a glance: payments by state, channel and time, payouts and notifications by state, how endpoints answer, and the last refused calls. Fast with any number of payments.',
    method: 'GET',
    path: '/overview',
    response: itemOf('control/overview'),
    handle: (call) => call.session.read((reader) => overviewOf(call, reader)),
  }),
];

async function overviewOf(call: OverviewCall, reader: Reader): Promise<OverviewView> {
  // The volume is read first, because its first read takes a while and the counts below should be of one moment.
  const volume = await volumeOf(reader);
  const newest = await reader.list('deliveries', { limit: MAX_DELIVERIES, newestFirst: true });
  const endpoints = await endpointsOf(reader, call.parts.webhookUrl);
  return {
    payments: { ...(await countsOf(call, 'payments')), channels: await countsBy(call, 'payments', 'channel') },
    payouts: await countsOf(call, 'payouts'),
    volume: {
      seconds: volume.seconds,
      intervals: volume.intervals.map(({ at, channels }) => ({
        at: formatUtc(at),
        channels: Object.fromEntries(channels),
      })),
    },
    calls: callsOf(call.session),
    deliveries: {
      ...(await countsOf(call, 'deliveries')),
      endpoints: endpoints.length,
      attempts: attemptsOf(newest),
    },
  };
}

async function countsOf(call: OverviewCall, collection: CollectionName) {
  const states = await countsBy(call, collection, 'state');
  return { count: Object.values(states).reduce((sum, records) => sum + records, 0), states };
}

async function countsBy(
  { session, parts }: OverviewCall,
  collection: CollectionName,
  field: string,
): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { values, records } of await parts.counts(session, collection)) {
    const value = values[field] ?? '';
    counts.set(value, (counts.get(value) ?? 0) + records);
  }
  return Object.fromEntries(counts);
}

function callsOf({ requests: { calls } }: Session): OverviewView['calls'] {
  const refusedCalls = calls.filter(({ status, fault }) => isRefused(status) && fault === null);
  const lastRefused = refusedCalls.slice(-MAX_REFUSED_CALLS).reverse();
  return {
    count: calls.length,
    refused: refusedCalls.length,
    lastRefused: lastRefused.map((call) => callNotice(call.summarize())),
  };
}

function attemptsOf({ items }: { items: readonly Delivery[] }): OverviewView['deliveries']['attempts'] {
  const attempts = items.flatMap((delivery) => (isCaught(delivery) ? [] : delivery.attempts));
  const answerMs = attempts.flatMap(({ status, ms }) => (status === null ? [] : ms)).sort((one, other) => one - other);
  return {
    count: attempts.length,
    succeeded: attempts.filter(({ error }) => error === null).length,
    median: percentile(answerMs, 0.5),
    slow: percentile(answerMs, 0.95),
  };
}

/** By the nearest-rank method. */
function percentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? null;
}
