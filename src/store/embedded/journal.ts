import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterMilliseconds, endOfTurn } from '../../timers.ts';
import { StoreError } from '../store.ts';
import { type Batch, openBatch } from './batch.ts';
import { copyBytes, writeWhole } from './bytes.ts';
import { syncFolderOf } from './files.ts';
import { encodeHeader, HEADER_BYTES, type JournalHeader } from './journal-line.ts';
import type { Lease } from './lease.ts';

const syncData = promisify(fdatasync);
/** Bytes that are copied in one go: about a millisecond. */
const CHUNK = 1 << 20;
/** So many milliseconds after a failed write, and then again and again, it is tried whether there is room again. */
const RETRY = 1000;
/** So many bytes must be free before the journal counts as well again. */
const ROOM = Buffer.alloc(1 << 16);

export interface JournalOptions {
  /** Nothing is written to a file that somebody else may have. */
  lease: Lease;
  /** Wait for the disk itself, not only for the operating system: survives a power cut, not only a kill. */
  syncToDisk: boolean;
  /** Called after each write, in the same turn: all that was appended is in the file then. */
  onWritten(): void;
  /** Called when changes can be written again after some could not. */
  onRecovered(): void;
}

/** The file of commits beside the state file: only ever appended to, until the state file has them all. */
export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #descriptor: number;
  #size: number;
  #header: JournalHeader;
  #batch: Batch | undefined;
  #writing: Promise<void> | undefined;
  #failure: StoreError | undefined;
  /** Whether it may still be written to after the failure. */
  #isLost = false;
  #isClosed = false;

  /**
   * Goes on with a journal of which `size` bytes are sound; what follows them is cut off. With 0, begins a new one.
   * The header says which commits it has, or will begin with.
   */
  constructor(file: string, size: number, header: JournalHeader, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
    this.#header = header;
    if (size === 0) {
      this.#descriptor = this.#begin();
    } else {
      this.#descriptor = openSync(file, 'r+');
      if (fstatSync(this.#descriptor).size > size) {
        ftruncateSync(this.#descriptor, size);
      }
    }
    this.#size = Math.max(size, HEADER_BYTES);
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /** Whether all that was appended is in the file. */
  get settled(): boolean {
    return this.#batch === undefined;
  }

  /** Whether it has no commits. */
  get isEmpty(): boolean {
    return this.#size === HEADER_BYTES;
  }

  /** Why the last changes could not be written; undefined while all is well. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** Resolves when the line is durable. Rejects with StoreError, having called `takeBack`, when it could not be written. */
  append(line: string, takeBack: () => void): Promise<void> {
    this.#batch ??= openBatch();
    this.#batch.lines.push(line);
    this.#batch.takeBacks.push(takeBack);
    this.#writing ??= this.#writeBatches();
    return this.#batch.durable;
  }

  /** Resolves when nothing is on its way to the disk. */
  async flush(): Promise<void> {
    while (this.#writing) {
      await this.#writing;
    }
  }

  /**
   * Begins a new journal with what stands behind `from` bytes of this one, once the state file has the rest, which ends with
   * the commit `lastCommit`. Appending goes
   * on meanwhile. A kill in the midst of it finds the old one or the new one, both right; on an error the old one stays.
   */
  async restart(from: number, lastCommit: number): Promise<void> {
    const headerNow = () => ({ first: lastCommit + 1, last: Math.max(lastCommit, this.#header.last) });
    const source = openSync(this.#file, 'r');
    const target = openSync(this.#temporary, 'w');
    try {
      writeWhole(target, Buffer.from(encodeHeader(headerNow())), 0);
      const moved = HEADER_BYTES - from;
      let copied = from;
      for (; this.#size - copied > CHUNK; copied += CHUNK) {
        copyBytes(source, target, copied, CHUNK, moved);
        await endOfTurn();
      }
      if (this.#options.syncToDisk) {
        await syncData(target);
      }
      // From here to the end in one go, so that nothing is appended to the old one any more.
      copyBytes(source, target, copied, this.#size - copied, moved);
      this.#header = headerNow();
      writeWhole(target, Buffer.from(encodeHeader(this.#header)), 0);
      this.#takePlace(target);
    } catch (error) {
      closeSync(target);
      rmFile(this.#temporary);
      throw error;
    } finally {
      closeSync(source);
    }
    const old = this.#descriptor;
    this.#descriptor = target;
    this.#size += HEADER_BYTES - from;
    // A batch that waits for the disk still needs the old file; its lines are in the new one, too.
    void Promise.resolve(this.#writing).then(() => closeSync(old));
  }

  /** Lets go of the file; without it where the state file has it all. */
  async close(remove: boolean): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    closeSync(this.#descriptor);
    if (remove) {
      rmSync(this.#file, { force: true });
    }
  }

  get #temporary(): string {
    return `${this.#file}.new`;
  }

  #begin(): number {
    const descriptor = openSync(this.#temporary, 'w');
    try {
      writeWhole(descriptor, Buffer.from(encodeHeader(this.#header)), 0);
      this.#takePlace(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return descriptor;
  }

  /** Puts the temporary file in the journal's place. */
  #takePlace(descriptor: number): void {
    if (this.#options.syncToDisk) {
      fsyncSync(descriptor);
    }
    this.#options.lease.expectFresh();
    renameSync(this.#temporary, this.#file);
    if (this.#options.syncToDisk) {
      syncFolderOf(this.#file);
    }
  }

  async #writeBatches(): Promise<void> {
    while (this.#batch) {
      // To the end of the turn, so that all of its commits go in one write. Later ones gather in the next batch.
      await endOfTurn();
      const batch = this.#batch;
      this.#batch = undefined;
      await this.#writeBatch(batch);
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      if (!this.#options.lease.isFresh) {
        await this.#options.lease.confirm();
      }
    } catch (error) {
      this.#refuse(batch, error);
      return;
    }
    const descriptor = this.#descriptor;
    const bytes = Buffer.from(batch.lines.join(''));
    const { first, last } = this.#header;
    const header = { first, last: last + batch.lines.length };
    try {
      this.#write(bytes, header);
    } catch (error) {
      this.#refuse(batch, error);
      return;
    }
    try {
      if (this.#options.syncToDisk) {
        await syncData(descriptor);
        // Only now, or the count could reach the disk without its lines.
        this.#confirm(header);
      }
      batch.resolve();
    } catch (error) {
      // Nobody knows any more what the disk has of it, and a checkpoint may have it already: only a new start can tell.
      this.#isLost = true;
      this.#refuse(batch, error);
    }
  }

  #write(bytes: Buffer, header: JournalHeader): void {
    if (this.#failure && this.#isLost) {
      throw this.#failure;
    }
    writeWhole(this.#descriptor, bytes, this.#size);
    if (!this.#options.syncToDisk) {
      this.#confirm(header);
    }
    this.#size += bytes.length;
    this.#recovered();
    this.#options.onWritten();
  }

  /** Counts the commits that are confirmed from here on, so that a later start notices where one of them is missing. */
  #confirm(header: JournalHeader): void {
    writeWhole(this.#descriptor, Buffer.from(encodeHeader({ ...header, first: this.#header.first })), 0);
    this.#header = { ...header, first: this.#header.first };
  }

  /** A batch that could not be written, and what came upon it meanwhile, is taken back whole before anybody hears of it. */
  #refuse(batch: Batch, error: unknown): void {
    const waiting = this.#batch;
    this.#batch = undefined;
    const isFirst = this.#failure === undefined;
    this.#failure = this.#failureOf(error);
    this.#cutBack();
    for (const takeBack of [...batch.takeBacks, ...(waiting?.takeBacks ?? [])].reverse()) {
      takeBack();
    }
    batch.reject(this.#failure);
    waiting?.reject(this.#failure);
    if (isFirst && !this.#isLost) {
      this.#retryLater();
    }
  }

  #failureOf(error: unknown): StoreError {
    if (error instanceof StoreError) {
      return error;
    }
    const outlook = this.#isLost
      ? 'The sandbox keeps nothing more until it is started again'
      : 'It was refused; the sandbox keeps changes again as soon as they can be written';
    return new StoreError(
      `${this.#file}: a change could not be written (${error}). ${outlook}; all it confirmed before is safe.`,
      this.#file,
    );
  }

  /** What a failed write left behind is cut off: those commits are refused, so they must not come back. */
  #cutBack(): void {
    try {
      this.#options.lease.expectFresh();
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      // The disk does nothing any more, or somebody else has the file. A torn line is dropped at the next start.
    }
  }

  /** Nobody may send changes to a sandbox that is not well, so it must not take one to find out that there is room again. */
  #retryLater(): void {
    afterMilliseconds(RETRY, () => {
      if (this.#isClosed || !this.#failure || this.#isLost) {
        return;
      }
      try {
        this.#options.lease.expectFresh();
        writeWhole(this.#descriptor, ROOM, this.#size);
        this.#recovered();
      } catch {
        this.#retryLater();
      } finally {
        this.#cutBack();
      }
    });
  }

  #recovered(): void {
    if (this.#failure) {
      this.#failure = undefined;
      this.#options.onRecovered();
    }
  }
}

function rmFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Something else stands there; the next start says what.
  }
}
