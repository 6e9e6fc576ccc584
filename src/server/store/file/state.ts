import type { CapturedSession } from '../memory/tables.ts';

/** The version of both files' format, and the only one that is read. A change that an older sandbox cannot read increases it. */
export const FORMAT = 6;

/** Whether later commits may stand in a journal beside the state file, which must be there then. */
export const MARKS = ['none', 'open'] as const;
export type JournalMark = (typeof MARKS)[number];

/** All that is kept, as it was after one commit. Source of the written shape: `schemas/state.json`. */
export interface State {
  /** Number of the last commit that is in here; the journal's later ones come on top. */
  lastCommit: number;
  /** To be written. Those that are read go into the tables, and are not here. */
  sessions: CapturedSession[];
  journal: JournalMark;
  /** Whether the file is as the sandbox wrote it, or was changed outside it. */
  origin: 'ours' | 'changed';
}

export const EMPTY_STATE: State = { lastCommit: 0, sessions: [], journal: 'none', origin: 'ours' };
