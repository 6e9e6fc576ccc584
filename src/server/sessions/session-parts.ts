import type { Awaitable } from '../../base/awaitable.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { RecordChange, Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import type { SessionEvent } from './event-log.ts';
import type { SessionHistory } from './history.ts';
import type { JobTable } from './job.ts';
import type { Reader } from './reader.ts';
import type { Addresses } from './session-addresses.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { Transaction } from './transaction.ts';

/** The parts of sessions that the layers above implement. */
export interface SessionHooks {
  jobs: JobTable;
  /** Adds the outbox records for the events of a transaction, so that one commit contains both. */
  onEvents(transaction: Transaction, events: readonly SessionEvent[]): Awaitable<void>;
  /** Called once a commit is durable. */
  onPublished(session: Reader, events: readonly SessionEvent[], changes: readonly RecordChange[]): void;
  onJobFailed(kind: string, recordId: string, error: unknown): void;
  onError(error: unknown): void;
}

export interface SessionParts {
  store: Store;
  /** A function, because fixtures may be reloaded while the sandbox runs. */
  fixtures: () => Fixtures;
  publicUrl: () => string;
  requestLogMemory: SharedMemory;
  historyMemory: SharedMemory;
  /** The secret of this installation; see store/installation-key.ts. */
  installationKey: Buffer;
  hooks: SessionHooks;
}

export interface QueueParts
  extends Pick<SessionParts, 'store' | 'fixtures'>,
    Pick<SessionHooks, 'onEvents' | 'onError'> {
  name: string;
  clock: Clock;
  history: Pick<SessionHistory, 'addCommit'>;
  addresses: () => Addresses;
  /** Called one by one when a commit is durable, unless its generation has ended by then. */
  commitListeners: readonly ((changes: readonly RecordChange[], events: readonly SessionEvent[]) => void)[];
  /** Called with the state before commits that the store could not write. */
  onRollback(state: SessionState): void;
}
