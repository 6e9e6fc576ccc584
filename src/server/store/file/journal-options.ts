import type { PendingWrite } from '../pending-write.ts';
import type { Lease } from './lease.ts';

export interface JournalOptions {
  /** Checked before each write, because another process may have taken the file. */
  lease: Lease;
  /** As in DataFileOptions. */
  syncToDisk: boolean;
  /** Called after each write, in the same turn of the event loop, when all appended lines are in the file. */
  onWritten(): void;
  /** Called when the file was written again because it had been removed or replaced. */
  onRewritten(): void;
  /** Called when a change could not be written, but not again before `onRecovered`. */
  onRefused(reason: string): void;
  /** Called when changes can be written again after a failure. */
  onRecovered(): void;
}

/** Commits that are written together: at least those of one turn of the event loop. */
export interface Batch {
  pending: PendingWrite;
  lines: string[];
  /** For each line, a function that undoes its change in memory. */
  rollbacks: (() => void)[];
}
