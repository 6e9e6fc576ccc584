import type { SessionState } from '../../schema/records.ts';
import type { AnyRecord, CollectionName } from '../store.ts';

/** The version of both files' format. A change that an older sandbox cannot read makes it one more. */
export const FORMAT = 2;

/** One session as it is written down. Empty places among the records are left out of the file. */
export interface KeptSession {
  name: string;
  state: SessionState;
  collections: { name: CollectionName; records: readonly (AnyRecord | undefined)[] }[];
}

/** All that is kept, as it was after one commit. Source of the written shape: `schemas/state.json`. */
export interface State {
  /** Number of the last commit that is in here; the journal's later ones come on top. */
  lastCommit: number;
  sessions: KeptSession[];
}

export const EMPTY_STATE: State = { lastCommit: 0, sessions: [] };
