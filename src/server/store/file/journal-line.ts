import type { Commit } from '../store.ts';
import { sealLines } from './checksum.ts';
import { DATA_FORMAT } from './stored-state.ts';

/** A line of the journal with one commit. The format is defined by `schemas/journal-line.json`. */
export interface JournalCommit extends Commit {
  /** Commits are numbered without gaps, over all sessions. */
  number: number;
  /** Delete the session. */
  drop?: boolean;
}

/** The first line of each journal: which commits the lines below must contain, at least. */
export interface JournalHeader {
  /** Number of the commit that the journal begins with. */
  first: number;
  /** Number of the last confirmed commit. It is updated with every write of commits. */
  last: number;
}

/** Room for two numbers of 16 digits, so that a header can be replaced in place. */
const HEADER_BODY_BYTES = 60;
/** Bytes of a header, its newline included. */
export const HEADER_BYTES = HEADER_BODY_BYTES + ',"crc":"01234567"}\n'.length;

export function encodeHeader({ first, last }: JournalHeader): Buffer {
  const body = `{"format":${DATA_FORMAT},"first":${first},"last":${last}`;
  return sealLines([`${body.padEnd(HEADER_BODY_BYTES)}}`]);
}

/** A line's JSON, to which the checksum is added when it is written. Throws if a record cannot be written as JSON. */
export function encodeLine(
  number: number,
  { session, drop, wipe, state, changes }: Omit<JournalCommit, 'number'>,
): string {
  return JSON.stringify({ number, session, drop: drop || undefined, wipe: wipe || undefined, state, changes });
}
