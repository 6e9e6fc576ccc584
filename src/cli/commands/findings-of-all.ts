import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import type { ShownFinding, ShownSession } from '../../client/shown.ts';
import { listAll } from './lists.ts';

/** The members of a finding that are the same in each session. */
type FindingKind = Pick<ShownFinding, 'id' | 'name' | 'meaning' | 'advice'>;

/** A kind of finding with its total count, and the evidence in each session. */
export interface CommonFinding extends FindingKind {
  count: number;
  sessions: (Omit<ShownFinding, keyof FindingKind> & { session: string })[];
}

/** The findings of all sessions, merged by kind and sorted by id. */
export async function findingsOfAll(client: SandboxClient): Promise<CommonFinding[]> {
  const common = new Map<string, CommonFinding>();
  // One after the other: there may be thousands, and a sandbox may share its machine with the tests that use it.
  const { items: sessions } = await listAll<ShownSession>(client, 'sessions');
  for (const { name: session } of sessions) {
    for (const { id, name, meaning, advice, ...seen } of await findingsOf(client.inSession(session))) {
      const known = common.get(id) ?? { id, name, meaning, advice, count: 0, sessions: [] };
      known.count += seen.count;
      known.sessions.push({ session, ...seen });
      common.set(id, known);
    }
  }
  return [...common.values()].toSorted((one, other) => one.id.localeCompare(other.id));
}

async function findingsOf(client: SandboxClient): Promise<ShownFinding[]> {
  try {
    return (await client.list<ShownFinding>('findings')).items;
  } catch (error) {
    // A test may have deleted its session since.
    if (error instanceof ControlError && error.status === 404) {
      return [];
    }
    throw error;
  }
}
