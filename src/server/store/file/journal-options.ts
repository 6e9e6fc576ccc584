import type { Pending } from '../pending.ts';
import type { Lease } from './lease.ts';

/** What a journal needs, and whom it tells what becomes of it. */
export interface JournalOptions {
  /** Nothing is written to a file that somebody else may have. */
  lease: Lease;
  /** Wait for the disk itself, not only for the operating system: survives a power cut, not only a kill. */
  syncToDisk: boolean;
  /** Called after each write, in the same turn: all that was appended is in the file then. */
  onWritten(): void;
  /** Called when the file was written anew, as its path did not lead to it any more. */
  onPutBack(): void;
  /** Called when a change could not be written, and those before it could. */
  onRefused(reason: string): void;
  /** Called when changes can be written again after some could not. */
  onRecovered(): void;
}

/** The commits of one turn of the event loop. */
export interface Batch extends Pending {
  lines: string[];
  /** Undo in memory what the lines did, one each. */
  rollbacks: (() => void)[];
}
