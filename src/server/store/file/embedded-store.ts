import { Refusal } from '../../../base/refusal.ts';
import type { SessionState } from '../../../base/schema/generated/records.ts';
import { withCommitCheck } from '../commit-check.ts';
import { MemoryReads } from '../memory/reads.ts';
import type { UndoAction } from '../memory/table.ts';
import { Tables } from '../memory/tables.ts';
import type { Commit, SessionLocation, Store } from '../store.ts';
import { DataFile } from './data-file.ts';
import type { DataFileOptions } from './data-file-options.ts';
import { unreadableMessage } from './unreadable-sessions.ts';

/**
 * Opens the embedded store: all data in memory and, unless the file is `:memory:`, in lowdb's file and the journal next to
 * it. Throws StoreError if it cannot; corrupted or locked data is not changed.
 */
export async function openStore(options: DataFileOptions): Promise<Store> {
  const tables = new Tables();
  const dataFile = options.file === ':memory:' ? undefined : await DataFile.open(options, tables);
  return withCommitCheck(new EmbeddedStore(tables, dataFile));
}

class EmbeddedStore extends MemoryReads implements Store {
  readonly #dataFile: DataFile | undefined;

  constructor(tables: Tables, dataFile: DataFile | undefined) {
    super(tables);
    this.#dataFile = dataFile;
  }

  async sessions(): Promise<{ name: string; state: SessionState }[]> {
    return this.tables.states();
  }

  async claim(session: string): Promise<SessionLocation> {
    this.assertOwned(session);
    return { isHere: true, state: this.tables.stateOf(session) };
  }

  /** Checks only that the session is readable. The lock on the file, which each write checks, keeps other processes out. */
  assertOwned(session: string): void {
    const unreadable = this.#dataFile?.unreadableSessions.get(session);
    if (unreadable) {
      throw new Refusal('unreadable-session', unreadableMessage(session, unreadable.reason.message));
    }
  }

  commit(commit: Commit): Promise<void> {
    return this.#write(commit, () => this.tables.apply(commit));
  }

  async drop(session: string): Promise<void> {
    if (this.tables.has(session)) {
      await this.#write({ session, drop: true, changes: [] }, () => this.tables.drop(session));
    }
  }

  get failure(): string | undefined {
    return this.#dataFile?.failure;
  }

  get journalBytes(): number | undefined {
    return this.#dataFile?.journalBytes;
  }

  async close(): Promise<void> {
    await this.#dataFile?.close();
  }

  #write(change: Commit & { drop?: boolean }, apply: () => UndoAction): Promise<void> {
    return this.#dataFile ? this.#dataFile.commit(change, apply) : applyInMemory(apply);
  }
}

/** Async, so that it rejects for an invalid change, as `DataFile.commit` does. */
async function applyInMemory(apply: () => UndoAction): Promise<void> {
  apply();
}
