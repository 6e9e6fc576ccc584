import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import type { ShownFinding, ShownSession } from '../../client/shown.ts';
import { listAll } from './lists.ts';

/** The members of a finding that are the same in each session. */
type CommonMembers = Pick<ShownFinding, 'id' | 'name' | 'meaning' | 'advice'>;

/** A kind of finding with its total count, and the evidence in each session. */
export interface CommonFinding extends CommonMembers {
  count: number;
  sessions: (Omit<ShownFinding, keyof CommonMembers> & { session: string })[];
}

/** Reads data of each session, except those that a test deletes while the sessions are read. */
export async function readEachSession<Data>(
  client: SandboxClient,
  read: (client: SandboxClient) => Promise<Data>,
): Promise<Data[]> {
  const results: Data[] = [];
  // One after the other: there may be thousands, and a sandbox may share its machine with the tests that use it.
  const { items: sessions } = await listAll<ShownSession>(client, 'sessions');
  for (const { name } of sessions) {
    try {
      results.push(await read(client.inSession(name)));
    } catch (error) {
      if (!(error instanceof ControlError && error.status === 404)) {
        throw error;
      }
    }
  }
  return results;
}

/** The findings of several sessions, merged by kind and sorted by id. */
export function mergeFindings(sessions: readonly { session: string; findings: ShownFinding[] }[]): CommonFinding[] {
  const byId = new Map<string, CommonFinding>();
  for (const { session, findings } of sessions) {
    for (const { id, name, meaning, advice, ...evidence } of findings) {
      const existing = byId.get(id) ?? { id, name, meaning, advice, count: 0, sessions: [] };
      existing.count += evidence.count;
      existing.sessions.push({ session, ...evidence });
      byId.set(id, existing);
    }
  }
  return [...byId.values()].toSorted((one, other) => one.id.localeCompare(other.id));
}
