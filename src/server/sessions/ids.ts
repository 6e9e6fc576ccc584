import type { SessionState } from '../../base/schema/records.ts';
import { SeededIds } from '../../base/seeded-ids.ts';

/** Where a session goes on drawing: on from its seed, or, where its ids are to differ, from what no other life of a session has. */
export function idsOf(session: string, { seed, ids, generation, rngPosition }: SessionState): SeededIds {
  return new SeededIds(ids === 'differ' ? JSON.stringify([seed, session, generation]) : seed, rngPosition);
}
