import type { Commit } from '../store.ts';
import { FORMAT } from './state.ts';

/** One commit as it stands in the journal. Source of the written shape: `schemas/journal-line.json`. */
export interface JournalLine extends Commit {
  /** Commits are numbered without gaps, over all sessions. */
  number: number;
  /** Forget the session. */
  drop?: boolean;
}

/** The first line of each journal. */
export const JOURNAL_HEADER = `{"format":${FORMAT}}\n`;

/** Throws where a record cannot be written as JSON. */
export function encodeLine({ number, session, drop, wipe, state, changes }: JournalLine): string {
  const line = { number, session, drop: drop || undefined, wipe: wipe || undefined, state, changes };
  return `${JSON.stringify(line)}\n`;
}
