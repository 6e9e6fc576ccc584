import { VERSION } from '../../base/package.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownCoverage, ShownDelivery, ShownFinding } from '../../client/shown.ts';
import type { ShownRequest } from './request-text.ts';

/** As many as one answer has of a list: a report costs five calls, however long the session was. */
const MOST = 1000;

/** How many there were of one kind. */
export interface Count {
  of: string;
  count: number;
}

/** What is reported on the integration that works with a session. */
export interface SessionReport {
  session: string;
  /** When it was made, by the machine's clock. */
  at: string;
  version: string;
  findings: ShownFinding[];
  checked: {
    /** By operation. */
    calls: (Count & { withoutSuccess: number })[];
    /** By state. */
    payments: Count[];
    /** By what became of them. */
    notifications: Count[];
    /** Lists that go on behind what was counted. */
    cut: string[];
  };
  /** Of the sandbox, over all sessions. */
  coverage: ShownCoverage;
}

const FATES: Readonly<Record<ShownDelivery['state'], string>> = {
  delivered: 'acknowledged',
  pending: 'under way',
  held: 'held back',
  failed: 'given up',
  dropped: 'lost',
};

/** Asks a sandbox for what it can tell of a session. */
export async function reportOf(client: SandboxClient): Promise<SessionReport> {
  const limit = String(MOST);
  const [findings, requests, payments, deliveries, coverage] = await Promise.all([
    client.list<ShownFinding>('findings'),
    client.list<ShownRequest>('requests', { limit }),
    client.payments({ limit }),
    client.deliveries({ limit }),
    client.coverage(),
  ]);
  const lists = { calls: requests, payments, notifications: deliveries };
  return {
    session: client.session,
    at: formatUtc(machineNow()),
    version: VERSION,
    findings: findings.items,
    checked: {
      calls: countsOf(requests.items, operationOf).map(({ of, count }) => {
        const own = requests.items.filter((each) => operationOf(each) === of);
        return { of, count, withoutSuccess: own.filter(isWithoutSuccess).length };
      }),
      payments: countsOf(payments.items, ({ state }) => state),
      notifications: countsOf(deliveries.items, ({ state }) => FATES[state]),
      cut: Object.entries(lists).flatMap(([name, { nextCursor }]) => (nextCursor === null ? [] : [name])),
    },
    coverage,
  };
}

/** The most frequent first. */
function countsOf<Item>(items: readonly Item[], kindOf: (item: Item) => string): Count[] {
  const counts = new Map<string, number>();
  for (const kind of items.map(kindOf)) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([of, count]) => ({ of, count })).toSorted((one, other) => other.count - one.count);
}

function operationOf({ operation }: ShownRequest): string {
  return operation ?? 'no operation that there is';
}

function isWithoutSuccess({ answer }: ShownRequest): boolean {
  return !answer || answer.status >= 400;
}
