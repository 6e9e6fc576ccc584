import type { Finding } from '../../../base/refusal.ts';
import type { SessionSnapshot } from '../store.ts';

export interface DataFileOptions {
  /** Path of the state file; its folder is created if it is missing. */
  file: string;
  /** Wait for the disk itself on every commit, so that commits survive a power failure, not only a kill of the process. */
  syncToDisk: boolean;
  /** Sessions to drop if they cannot be read. Their data is moved to separate files. */
  withoutSessions?: readonly string[];
  /** Checks a session of a state file that was changed outside the sandbox. Default: only the schemas are checked. */
  checkEdited?(session: SessionSnapshot): Promise<readonly Finding[]>;
  onWarning(message: string): void;
  /** Called when changes can be stored again after a failure. */
  onRecovered?(): void;
  /** Internal: a large state is not written again before the journal has grown by this much. Tests make it small. */
  checkpointBytes?: number;
  /** Internal: the least time between two checkpoints of a small state in quiet moments. Tests make it short. */
  checkpointIntervalMs?: number;
}
