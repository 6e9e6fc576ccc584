import { VERSION } from '../../base/package.ts';
import { type CheckSummary, MAX_COUNTED, summarizeChecks } from '../../base/report/check-summary.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownCoverage, ShownFinding, ShownList } from '../../client/shown.ts';
import { type CommonFinding, mergeFindings, readEachSession } from './findings-of-all.ts';
import type { ShownRequest } from './request-text.ts';

/** The report about the integration that uses a session, or all of them. */
export interface SessionReport {
  /** Null for all sessions. */
  session: string | null;
  /** When the report was created, by the machine's clock. */
  at: string;
  version: string;
  findings: (ShownFinding | CommonFinding)[];
  checked: CheckSummary;
  /** The coverage of the sandbox, over all sessions. */
  coverage: ShownCoverage;
}

export async function createReport(client: SandboxClient, isAllSessions = false): Promise<SessionReport> {
  const sessions = await (isAllSessions ? readEachSession(client, readSessionData) : [await readSessionData(client)]);
  return {
    session: isAllSessions ? null : client.session,
    at: formatUtc(machineNow()),
    version: VERSION,
    findings: isAllSessions ? mergeFindings(sessions) : sessions.flatMap(({ findings }) => findings),
    checked: summarizeChecks({
      calls: joinLists(sessions.map(({ calls }) => calls)),
      payments: joinLists(sessions.map(({ payments }) => payments)),
      notifications: joinLists(sessions.map(({ notifications }) => notifications)),
    }),
    coverage: await client.coverage(),
  };
}

async function readSessionData(client: SandboxClient) {
  const limit = String(MAX_COUNTED);
  const [findings, calls, payments, notifications] = await Promise.all([
    client.list<ShownFinding>('findings'),
    client.list<ShownRequest>('requests', { limit }),
    client.payments({ limit }),
    client.deliveries({ limit }),
  ]);
  return { session: client.session, findings: findings.items, calls, payments, notifications };
}

function joinLists<Item>(lists: readonly ShownList<Item>[]): ShownList<Item> {
  const nextCursor = lists.find((list) => list.nextCursor !== null)?.nextCursor ?? null;
  return { items: lists.flatMap(({ items }) => items), nextCursor };
}
