import { INTEGRATION_KINDS } from '../../../base/finding-kinds.ts';
import type { IntegrationFinding } from '../../../base/schema/control.ts';
import { integrationOf, type Seen } from '../../../integration/integration.ts';
import { seenInRecords } from '../../../integration/seen-in-records.ts';
import { type ControlOperation, listOf, sessionRow } from '../operation.ts';

/** What a session shows of the code that works with it. */
export const INTEGRATION_OPERATIONS: readonly ControlOperation[] = [
  sessionRow({
    name: 'listFindings',
    summary: 'List findings about the integration',
    description:
      'What the code that works with the session does that is a mistake in the making, though no call is refused for it: each with what it means, what to do, and the calls and records that show it. Since the session began, was reset or the sandbox was started.',
    method: 'GET',
    path: '/findings',
    query: null,
    request: null,
    response: listOf('control/integration-finding'),
    handle: async ({ session, parts: { ignored } }) => {
      const integration = integrationOf(session.generation);
      const { isFrozen } = session.clock;
      const ofRecords = await session.read(() => seenInRecords(session, integration, { isFrozen, ignored }));
      const items = [...integration.seen, ...ofRecords].map(viewSeen).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { items, nextCursor: null };
    },
  }),
];

function viewSeen({ kind, count, first: { expected, received }, calls, records }: Seen): IntegrationFinding {
  const { id, meaning, advice } = INTEGRATION_KINDS[kind];
  return { id, name: kind, meaning, advice, count, expected, received, calls: [...calls], records: [...records] };
}
