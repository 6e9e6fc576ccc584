import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Adapter } from 'lowdb';
import { PACKAGE_ROOT } from '../../../base/package.ts';
import { syncFolderOf } from './files.ts';
import type { Lease } from './lease.ts';
import type { JournalMark, State } from './state.ts';
import { MARK_FROM_END, slicesOf } from './state-text.ts';

const SCHEMA = `${PACKAGE_ROOT}schemas/state.json`;

/**
 * lowdb's adapter for one readable JSON file. lowdb's own makes one string of the whole state, which stops the event
 * loop for a second at 100,000 payments and cannot be at 600,000; this one writes slice by slice, requests in between,
 * to a temporary file that then takes the old one's place.
 */
export class StateFile implements Adapter<State> {
  readonly #file: string;
  readonly #lease: Lease;
  readonly #readState: () => Promise<State | null>;
  #size = 0;
  #mark: JournalMark = 'none';

  constructor(file: string, lease: Lease, read: () => Promise<State | null>) {
    this.#file = file;
    this.#lease = lease;
    this.#readState = read;
  }

  /** Bytes of the file as it was last read or written; 0 while there is none. */
  get size(): number {
    return this.#size;
  }

  /** Whether the file is there as it was last read or written, as far as its size tells. */
  get isInPlace(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false })?.size === this.#size;
  }

  /** Null where there is no file. Throws StoreError where it is corrupted. */
  async read(): Promise<State | null> {
    const state = await this.#readState();
    this.#size = state ? (await stat(this.#file)).size : 0;
    this.#mark = state?.journal ?? 'none';
    return state;
  }

  async write(state: State): Promise<void> {
    const temporary = `${this.#file}.new`;
    await this.#lease.confirm();
    try {
      const size = await this.#writeSlices(temporary, state);
      await this.#lease.confirm();
      this.#lease.expectHeld();
      await rename(temporary, this.#file);
      this.#size = size;
      this.#mark = state.journal;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    syncFolderOf(this.#file);
  }

  /** Says in the file, in place and at once, whether a journal must stand beside it. */
  mark(journal: JournalMark): void {
    if (this.#mark === journal) {
      return;
    }
    this.#lease.expectFresh();
    const descriptor = openSync(this.#file, 'r+');
    try {
      writeSync(descriptor, journal, this.#size - MARK_FROM_END);
      fdatasyncSync(descriptor);
      this.#mark = journal;
    } finally {
      closeSync(descriptor);
    }
  }

  async #writeSlices(temporary: string, state: State): Promise<number> {
    const handle = await open(temporary, 'w');
    try {
      let size = 0;
      for (const slice of slicesOf(state, this.#schemaPath())) {
        await handle.writeFile(slice);
        size += slice.length;
      }
      // Before the rename, or a power cut could leave an empty file in the old one's place.
      await handle.sync();
      return size;
    } finally {
      await handle.close();
    }
  }

  /** Relative, so that an editor finds the schema and the file does not tell where it lies. */
  #schemaPath(): string {
    return relative(dirname(this.#file), SCHEMA).split(sep).join('/');
  }
}
