import { VERSION } from '../../base/package.ts';
import { type Checked, checkedOf, MOST_COUNTED } from '../../base/report/checked.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownCoverage, ShownFinding } from '../../client/shown.ts';
import type { ShownRequest } from './request-text.ts';

/** What is reported on the integration that works with a session. */
export interface SessionReport {
  session: string;
  /** When it was made, by the machine's clock. */
  at: string;
  version: string;
  findings: ShownFinding[];
  checked: Checked;
  /** Of the sandbox, over all sessions. */
  coverage: ShownCoverage;
}

/** Asks a sandbox for what it can tell of a session. */
export async function reportOf(client: SandboxClient): Promise<SessionReport> {
  const limit = String(MOST_COUNTED);
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
    checked: checkedOf({ calls, payments, notifications }),
    coverage,
  };
}
