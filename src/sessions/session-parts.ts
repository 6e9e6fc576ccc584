import type { Fixtures } from '../config/fixtures.ts';
import type { Store } from '../store/store.ts';
import type { SessionEvent } from './event-log.ts';
import type { JobTable } from './job-table.ts';
import type { LogSpace } from './log-space.ts';
import type { Transaction } from './transaction.ts';

/** What sessions need from the layers above them, filled in once by the composition. */
export interface SessionHooks {
  /** The job table: what is done when a record is due. */
  jobs: JobTable;
  /** Records that follow from events, kept in the same commit: the outbox. */
  onEvents(transaction: Transaction, events: readonly SessionEvent[]): Promise<void>;
  /** Called with events once they are durable. */
  onPublished(sessionName: string, events: readonly SessionEvent[]): void;
  onJobFailed(kind: string, recordId: string, error: unknown): void;
  onError(error: unknown): void;
}

export interface SessionParts {
  store: Store;
  /** The fixtures as they stand now; they may be reloaded while the sandbox runs. */
  fixtures: () => Fixtures;
  publicUrl: () => string;
  /** Where the request logs of all sessions are kept. */
  requestLogSpace: LogSpace;
  /** The secret of this installation; see store/installation-key.ts. */
  installationKey: Buffer;
  hooks: SessionHooks;
}
