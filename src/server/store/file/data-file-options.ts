import type { Finding } from '../../../base/refusal.ts';
import type { SessionSnapshot } from '../store.ts';

/** How the data is kept, and whom it tells what becomes of it. */
export interface DataFileOptions {
  /** Path of the state file; its folder is made where it is missing. */
  file: string;
  /** Wait for the disk itself on every commit: survives a power cut, not only a killed process. */
  syncToDisk: boolean;
  /** Sessions that are to be left out where they cannot be read. */
  withoutSessions?: readonly string[];
  /** What is wrong with a session of a state file that was changed outside the sandbox. Left out, only the schemas are looked at. */
  checkEdited?(session: SessionSnapshot): Promise<readonly Finding[]>;
  onWarning(message: string): void;
  /** Called when changes are kept again after a time in which they could not be. */
  onRecovered?(): void;
  /** Internal: how far the journal may always grow. Tests make it small. */
  journalBytes?: number;
  /** Internal: how long after a commit a small state may be written. Tests make it short. */
  freshMilliseconds?: number;
}
