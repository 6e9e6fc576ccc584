import type { CapturedSession } from '../memory/tables.ts';

/** The version of both files' format. A change that an older sandbox cannot read makes it one more. */
export const FORMAT = 5;

/** Whether later commits may stand in a journal beside the state file, which must be there then. */
export type JournalMark = 'none' | 'open';

/** All that is kept, as it was after one commit. Source of the written shape: `schemas/state.json`. */
export interface State {
  /** Number of the last commit that is in here; the journal's later ones come on top. */
  lastCommit: number;
  /** To be written. Those that are read go into the tables, record by record, and are not here. */
  sessions: CapturedSession[];
  journal: JournalMark;
  /** A person edited the file and said so in it: its checksums do not count. */
  edited?: boolean;
}

export const EMPTY_STATE: State = { lastCommit: 0, sessions: [], journal: 'none' };
