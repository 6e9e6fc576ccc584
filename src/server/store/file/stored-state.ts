import type { CapturedSession } from '../memory/tables.ts';

/** The format of state file and journal; no other is read. It increases with every change that an older sandbox cannot read. */
export const DATA_FORMAT = 6;

/** Whether a journal with later commits must exist next to the state file: `open`, or `none`. */
export const JOURNAL_MARKS = ['none', 'open'] as const;
export type JournalMark = (typeof JOURNAL_MARKS)[number];

/** All data, as it was after one commit. The format is defined by `schemas/state.json`. */
export interface StoredState {
  /** Number of the last commit in this state; later ones are in the journal. */
  lastCommit: number;
  /** Sessions to write. Sessions that are read go into the tables instead. */
  sessions: CapturedSession[];
  journal: JournalMark;
  /** Whether the file is as the sandbox wrote it. */
  isUnchanged: boolean;
}

export const EMPTY_STATE: StoredState = { lastCommit: 0, sessions: [], journal: 'none', isUnchanged: true };
