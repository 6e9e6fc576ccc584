import { VERSION } from '../../base/package.ts';
import { type CheckSummary, MAX_COUNTED, summarizeChecks } from '../../base/report/check-summary.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownCoverage, ShownFinding } from '../../client/shown.ts';
import type { ShownRequest } from './request-text.ts';

/** The report about the integration that uses a session. */
export interface SessionReport {
  session: string;
  /** When the report was created, by the machine's clock. */
  at: string;
  version: string;
  findings: ShownFinding[];
  checked: CheckSummary;
  /** The coverage of the sandbox, over all sessions. */
  coverage: ShownCoverage;
}

/** Reads all data for the report of a session. */
export async function reportOf(client: SandboxClient): Promise<SessionReport> {
  const limit = String(MAX_COUNTED);
  const [findings, calls, payments, notifications, coverage] = await Promise.all([
    client.list<ShownFinding>('findings'),
    client.list<ShownRequest>('requests', { limit }),
    client.payments({ limit }),
    client.deliveries({ limit }),
    client.coverage(),
  ]);
  return {
    session: client.session,
    at: formatUtc(machineNow()),
    version: VERSION,
    findings: findings.items,
    checked: summarizeChecks({ calls, payments, notifications }),
    coverage,
  };
}
