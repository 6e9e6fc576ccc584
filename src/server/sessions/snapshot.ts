import { namesIn } from '../../base/members.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { COLLECTIONS } from '../store/collections.ts';
import type { CollectionName, RecordChange, SessionSnapshot } from '../store/store.ts';
import type { Reader } from './reader.ts';

/** A session's state with all records. Must be called while nothing changes, because all parts must be from the same moment. */
export async function snapshotOf(reader: Pick<Reader, 'all'>, state: SessionState): Promise<SessionSnapshot> {
  // A copy, so that a caller that changes the snapshot does not change the session.
  const snapshot: SessionSnapshot = { state: structuredClone(state) };
  for (const collection of namesIn(COLLECTIONS)) {
    const items = await reader.all<CollectionName>(collection);
    if (items.length > 0) {
      Object.assign(snapshot, { [collection]: items });
    }
  }
  return snapshot;
}

/** The changes that create the records of a snapshot. */
export function changesOf({ state: _, ...collections }: SessionSnapshot): RecordChange[] {
  return namesIn<CollectionName>(collections).flatMap((collection) =>
    (collections[collection] ?? []).map((record) => ({ collection, id: record.id, record })),
  );
}
