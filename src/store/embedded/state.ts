import type { CapturedSession } from '../memory/tables.ts';

/** The version of both files' format. A change that an older sandbox cannot read makes it one more. */
export const FORMAT = 6;
/** Those that are read; the files are written anew in the last one. */
export const READABLE: readonly unknown[] = [5, FORMAT];

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
  /**
   * What the file is known to be: as this version wrote it, as the version before did, or changed outside the sandbox. Checksums of the
   * version before are not looked at; what it wrote need not pass the check of an import, as its fixtures may have been others.
   */
  origin: 'ours' | 'older' | 'changed';
}

export const EMPTY_STATE: State = { lastCommit: 0, sessions: [], journal: 'none', origin: 'ours' };
