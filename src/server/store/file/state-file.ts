import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Adapter } from 'lowdb';
import { PACKAGE_ROOT } from '../../../base/package.ts';
import { platform } from '../../../base/platform.ts';
import { syncFolderOf } from './files.ts';
import type { Lease } from './lease.ts';
import { MARK_FROM_END, slicesOf } from './state-text.ts';
import type { JournalMark, StoredState } from './stored-state.ts';

const SCHEMA = `${PACKAGE_ROOT}schemas/state.json`;

/**
 * A lowdb adapter for one readable JSON file. lowdb's own adapter builds one string of the whole state, which blocks the event
 * loop for a second at 100,000 payments and exceeds the maximum length at 600,000. This one writes in slices, with requests in
 * between, to a temporary file that then replaces the old one.
 */
export class StateFile implements Adapter<StoredState> {
  readonly #file: string;
  readonly #lease: Lease;
  readonly #readState: () => Promise<StoredState | null>;
  #size = 0;
  #mark: JournalMark = 'none';

  constructor(file: string, lease: Lease, read: () => Promise<StoredState | null>) {
    this.#file = file;
    this.#lease = lease;
    this.#readState = read;
  }

  /** Bytes of the file when it was last read or written; 0 if it is empty or does not exist yet. */
  get size(): number {
    return this.#size;
  }

  /** Whether the file exists with the size that it had when last read or written. */
  get isInPlace(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false })?.size === this.#size;
  }

  /** Null if the file is empty or does not exist. Throws StoreError if it is corrupted. */
  async read(): Promise<StoredState | null> {
    const state = await this.#readState();
    this.#size = state ? (await stat(this.#file)).size : 0;
    this.#mark = state?.journal ?? 'none';
    return state;
  }

  async write(state: StoredState): Promise<void> {
    const temporary = `${this.#file}.new`;
    await this.#lease.confirm();
    try {
      const size = await this.#writeSlices(temporary, state);
      await this.#lease.confirm();
      this.#lease.assertOwned();
      platform.replaceFile(temporary, this.#file);
      this.#size = size;
      this.#mark = state.journal;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    syncFolderOf(this.#file);
  }

  /** Marks in the file, in place, whether a journal must exist next to it. */
  mark(journal: JournalMark): void {
    if (this.#mark === journal) {
      return;
    }
    this.#lease.assertFresh();
    const descriptor = openSync(this.#file, 'r+');
    try {
      writeSync(descriptor, journal, this.#size - MARK_FROM_END);
      fdatasyncSync(descriptor);
      this.#mark = journal;
    } finally {
      closeSync(descriptor);
    }
  }

  async #writeSlices(temporary: string, state: StoredState): Promise<number> {
    const handle = await open(temporary, 'w');
    try {
      let size = 0;
      for (const slice of slicesOf(state, this.#schemaPath())) {
        await handle.writeFile(slice);
        size += slice.length;
      }
      // Before the rename, because otherwise a power failure could leave an empty file in place of the old one.
      await handle.sync();
      return size;
    } finally {
      await handle.close();
    }
  }

  /** Relative, so that an editor finds the schema, and the file does not reveal its folder. */
  #schemaPath(): string {
    return relative(dirname(this.#file), SCHEMA).split(sep).join('/');
  }
}
