import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { Mutex } from '../../../base/mutex.ts';
import { platform } from '../../../base/platform.ts';
import { OutcomeUnknown, type Refusal } from '../../../base/refusal.ts';
import { afterMilliseconds, endOfTurn } from '../../../base/timers.ts';
import { newPendingWrite } from '../pending-write.ts';
import { sealLines } from './checksum.ts';
import { copyBytes, copyWhileGrowing, isPathOf, removeQuietly, syncFolderOf, writeWhole } from './files.ts';
import { encodeHeader, HEADER_BYTES, type JournalHeader } from './journal-line.ts';
import type { Batch, JournalOptions } from './journal-options.ts';
import { storageRefusalFor, unconfirmedWriteError } from './write-errors.ts';

const syncData = promisify(fdatasync);
/** Interval of the check, after a failed write, whether the disk has room again. */
const RETRY_MS = 1000;
/** Written, and cut off again, by that check. */
const SPACE_PROBE = Buffer.alloc(1 << 16);

/** The file of commits next to the state file. Only its header is overwritten, and only lines of failed writes are cut off. */
export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #descriptor: number;
  #size: number;
  #header: JournalHeader;
  #batch: Batch | undefined;
  #writing: Promise<void> | undefined;
  /** Runs restarts one after another. */
  readonly #restarts = new Mutex();
  #failure: Refusal | undefined;
  /** Whether nothing can be written any more until the next start. */
  #isUnusable = false;
  #isClosed = false;

  /**
   * Continues a journal of which `size` bytes are valid, and cuts off the rest. With 0, begins a new one.
   * The header names the commits that the journal contains, or the first one that it will contain.
   */
  constructor(file: string, size: number, header: JournalHeader, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
    this.#header = header;
    if (size === 0) {
      this.#descriptor = this.#create();
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

  /** Whether no appended line waits to be written. */
  get isWritten(): boolean {
    return this.#batch === undefined;
  }

  get isEmpty(): boolean {
    return this.#size === HEADER_BYTES;
  }

  /** Why the last changes could not be written; undefined if they were, or there has been room since. */
  get failure(): Refusal | undefined {
    return this.#failure;
  }

  /** Resolves when the line is durable. Else rolls back and rejects with `storage`, or with OutcomeUnknown if the disk did not confirm. */
  append(line: string, rollBack: () => void): Promise<void> {
    this.#batch ??= { pending: newPendingWrite(), lines: [], rollbacks: [] };
    this.#batch.lines.push(line);
    this.#batch.rollbacks.push(rollBack);
    this.#writing ??= this.#writeBatches();
    return this.#batch.pending.completion;
  }

  /** Resolves when no line waits to be written or confirmed. */
  async waitUntilWritten(): Promise<void> {
    while (this.#writing) {
      await this.#writing;
    }
  }

  /**
   * Begins a new journal with the lines after `from` bytes of this one. The state file must contain the commits before them, up to
   * `lastCommit`, so that a start after a kill can use either journal. Lines can be appended while it runs. On an error the old one stays.
   */
  restart(from: number, lastCommit: number): Promise<void> {
    return this.#restarts.run(() => this.#restart(from, lastCommit));
  }

  /** Writes the whole journal again if its file was removed or replaced. */
  rewriteIfMissing(): Promise<void> {
    return this.#restarts.run(async () => {
      if (!this.#isInPlace) {
        await this.#restart(HEADER_BYTES, this.#header.first - 1);
        this.#options.onRewritten();
      }
    });
  }

  async #restart(from: number, lastCommit: number): Promise<void> {
    const nextHeader = () => ({ first: lastCommit + 1, last: Math.max(lastCommit, this.#header.last) });
    const source = this.#descriptor;
    const target = openSync(this.#temporaryFile, 'w+');
    try {
      writeWhole(target, encodeHeader(nextHeader()), 0);
      const shift = HEADER_BYTES - from;
      const copiedUntil = await copyWhileGrowing(source, target, from, shift, () => this.#size);
      if (this.#options.syncToDisk) {
        await syncData(target);
      }
      // Synchronous from here on, so that nothing is appended to the old journal any more.
      copyBytes(source, target, copiedUntil, this.#size - copiedUntil, shift);
      this.#header = nextHeader();
      writeWhole(target, encodeHeader(this.#header), 0);
      this.#replaceFile(target);
    } catch (error) {
      closeSync(target);
      removeQuietly(this.#temporaryFile);
      throw error;
    }
    this.#descriptor = target;
    this.#size += HEADER_BYTES - from;
    // A batch that waits for the disk still needs the old file; its lines are in the new one, too.
    void Promise.resolve(this.#writing).then(() => closeSync(source));
  }

  /** Closes the file, and removes it if the state file contains all its commits. */
  async close(isObsolete: boolean): Promise<void> {
    await this.waitUntilWritten();
    await this.#restarts.idle();
    this.#isClosed = true;
    closeSync(this.#descriptor);
    if (isObsolete) {
      platform.removeFile(this.#file);
    }
  }

  /** False if the file was removed or replaced. */
  get #isInPlace(): boolean {
    return isPathOf(this.#file, this.#descriptor);
  }

  get #temporaryFile(): string {
    return `${this.#file}.new`;
  }

  #create(): number {
    const descriptor = openSync(this.#temporaryFile, 'w+');
    try {
      writeWhole(descriptor, encodeHeader(this.#header), 0);
      this.#replaceFile(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return descriptor;
  }

  /** Replaces the journal with the temporary file. */
  #replaceFile(descriptor: number): void {
    if (this.#options.syncToDisk) {
      fsyncSync(descriptor);
    }
    this.#options.lease.assertOwned();
    platform.replaceOpenFile(this.#temporaryFile, this.#file);
    if (this.#options.syncToDisk) {
      syncFolderOf(this.#file);
    }
  }

  async #writeBatches(): Promise<void> {
    while (this.#batch) {
      // Waits for the end of the turn, so that all of its commits are in one write, with those that arrive during `#prepare`.
      await endOfTurn();
      const problem = await this.#prepare().catch((error: unknown) => ({ error }));
      // Only removed now, because `isWritten` must be false while the batch waits.
      const batch = this.#batch;
      this.#batch = undefined;
      if (problem) {
        this.#refuse(batch, problem.error);
      } else {
        await this.#writeBatch(batch);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      const descriptor = this.#descriptor;
      const header = this.#write(batch.lines);
      if (this.#options.syncToDisk) {
        await this.#sync(descriptor, header);
      }
      batch.pending.finish();
    } catch (error) {
      this.#refuse(batch, error);
    }
  }

  /** Makes sure that this process owns the file and that a later start will find it. */
  async #prepare(): Promise<void> {
    if (!this.#options.lease.isFresh) {
      await this.#options.lease.confirm();
    }
    if (!this.#isInPlace) {
      this.#options.lease.assertOwned();
      await this.rewriteIfMissing();
    }
  }

  #write(lines: readonly string[]): JournalHeader {
    if (this.#failure && this.#isUnusable) {
      throw this.#failure;
    }
    const bytes = sealLines(lines);
    const header = { first: this.#header.first, last: this.#header.last + lines.length };
    writeWhole(this.#descriptor, bytes, this.#size);
    if (!this.#options.syncToDisk) {
      this.#confirm(header);
    }
    this.#size += bytes.length;
    this.#clearFailure();
    this.#options.onWritten();
    return header;
  }

  async #sync(descriptor: number, header: JournalHeader): Promise<void> {
    try {
      await syncData(descriptor);
      // Only now, because otherwise the header could reach the disk without the lines.
      this.#confirm(header);
    } catch (error) {
      // It is unknown which lines reached the disk, and a checkpoint may contain them already: only a new start can tell.
      this.#isUnusable = true;
      throw unconfirmedWriteError(error, this.#file);
    }
  }

  /** Writes the last confirmed number, so that a start notices missing commits. `first` is current: a sync may overlap a restart. */
  #confirm(header: JournalHeader): void {
    writeWhole(this.#descriptor, encodeHeader({ ...header, first: this.#header.first }), 0);
    this.#header = { ...header, first: this.#header.first };
  }

  /** Rolls back a batch that could not be written, with all commits after it, before any of them is rejected. */
  #refuse(batch: Batch, error: unknown): void {
    const nextBatch = this.#batch;
    this.#batch = undefined;
    const isFirst = this.#failure === undefined;
    this.#failure = storageRefusalFor(error, this.#file, this.#isUnusable);
    this.#truncate();
    for (const rollBack of [...batch.rollbacks, ...(nextBatch?.rollbacks ?? [])].reverse()) {
      rollBack();
    }
    batch.pending.finish(error instanceof OutcomeUnknown ? error : this.#failure);
    nextBatch?.pending.finish(this.#failure);
    if (isFirst) {
      this.#options.onRefused(this.#failure.message);
      this.#retryLater();
    }
  }

  /** Cuts off the lines of a failed write, because their commits are refused and must not reappear at the next start. */
  #truncate(): void {
    try {
      this.#options.lease.assertFresh();
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      // The disk fails, or another process has taken the file. The next start drops an incomplete line, but applies complete ones.
    }
  }

  /** Checks for room without waiting for a change, because clients may send none while the sandbox reports a failure. */
  #retryLater(): void {
    afterMilliseconds(RETRY_MS, () => {
      if (this.#isClosed || !this.#failure || this.#isUnusable) {
        return;
      }
      try {
        this.#options.lease.assertFresh();
        writeWhole(this.#descriptor, SPACE_PROBE, this.#size);
        this.#clearFailure();
      } catch {
        this.#retryLater();
      } finally {
        this.#truncate();
      }
    });
  }

  #clearFailure(): void {
    if (this.#failure) {
      this.#failure = undefined;
      this.#options.onRecovered();
    }
  }
}
