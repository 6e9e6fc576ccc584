import type { SessionState } from '../../../src/base/schema/generated/records.ts';
import type { Transaction } from '../../../src/server/sessions/transaction.ts';
import { COLLECTIONS } from '../../../src/server/store/collections.ts';
import type { CollectionName, SessionSnapshot } from '../../../src/server/store/store.ts';

/** The snapshot of a session after conversion to and from JSON, as clients receive it. */
export async function snapshotOf(transaction: Transaction, state: SessionState): Promise<SessionSnapshot> {
  const collections = await Promise.all(
    (Object.keys(COLLECTIONS) as CollectionName[]).map(async (name) => [name, await transaction.all(name)]),
  );
  return JSON.parse(JSON.stringify({ state, ...Object.fromEntries(collections) }));
}
