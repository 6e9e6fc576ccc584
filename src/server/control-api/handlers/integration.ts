import { INTEGRATION_KINDS } from '../../../base/finding-kinds.ts';
import type { IntegrationFinding, PageQuery } from '../../../base/schema/generated/control.ts';
import { findingsInRecords } from '../../findings/integration/findings-in-records.ts';
import { type CountedFinding, integrationFindingsOf } from '../../findings/integration/integration-findings.ts';
import { type ControlOperation, listOf, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';

const BY_ID: ListOrder<IntegrationFinding> = { name: 'findings', keyOf: ({ id }) => id };

export const INTEGRATION_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listFindings',
    summary: 'List findings about the integration',
    description:
      'Mistakes in your code that are accepted today and cause problems later: what each finding means, what to do, and the calls and records that show it. Of payments and deliveries, the newest hundred are checked. Findings are cleared when the session is reset or the sandbox is restarted.',
    method: 'GET',
    path: '/findings',
    query: 'control/page-query',
    response: listOf('control/integration-finding'),
    handle: async ({ session, parts: { ignored }, query }) => {
      const integration = integrationFindingsOf(session.generation);
      const { isFrozen } = session.clock;
      const ofRecords = await session.read((reader) => findingsInRecords(reader, integration, { isFrozen }));
      const findings = [...integration.findings, ...ofRecords].map(viewFinding);
      return pageOf(
        BY_ID,
        findings.filter(({ id }) => !ignored.has(id)),
        query,
      );
    },
  }),
];

function viewFinding({
  kind,
  count,
  first: { expected, received },
  calls,
  records,
}: CountedFinding): IntegrationFinding {
  const { id, meaning, advice } = INTEGRATION_KINDS[kind];
  return { id, name: kind, meaning, advice, count, expected, received, calls: [...calls], records: [...records] };
}
