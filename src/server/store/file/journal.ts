import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { Mutex } from '../../../base/mutex.ts';
import { OutcomeUnknown, type Refusal } from '../../../base/refusal.ts';
import { afterMilliseconds, endOfTurn } from '../../../base/timers.ts';
import { newPending } from '../pending.ts';
import { sealLines } from './checksum.ts';
import { copyAllButTheLast, copyBytes, leadsTo, removeIfThere, syncFolderOf, writeWhole } from './files.ts';
import { encodeHeader, HEADER_BYTES, type JournalHeader } from './journal-line.ts';
import type { Batch, JournalOptions } from './journal-options.ts';
import { refusalFor, unconfirmed } from './unwritten.ts';

const syncData = promisify(fdatasync);
/** So many milliseconds after a failed write, and then again and again, it is tried whether there is room again. */
const RETRY = 1000;
/** So many bytes must be free before the journal counts as well again. */
const ROOM = Buffer.alloc(1 << 16);

/** The file of commits beside the state file: only ever appended to, until the state file has them all. */
export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #descriptor: number;
  #size: number;
  #header: JournalHeader;
  #batch: Batch | undefined;
  #writing: Promise<void> | undefined;
  /** The last restart, which the next one follows. */
  readonly #restarts = new Mutex();
  #failure: Refusal | undefined;
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

  /** Whether its path leads to it: somebody may have removed or replaced the file. */
  get isInPlace(): boolean {
    return leadsTo(this.#file, this.#descriptor);
  }

  /** Why the last changes could not be written; undefined while all is well. */
  get failure(): Refusal | undefined {
    return this.#failure;
  }

  /** Resolves when the line, which is JSON, is durable. Rejects with the refusal `storage`, having called `rollBack`, when it could not be written. */
  append(line: string, rollBack: () => void): Promise<void> {
    this.#batch ??= { ...newPending(), lines: [], rollbacks: [] };
    this.#batch.lines.push(line);
    this.#batch.rollbacks.push(rollBack);
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
   * Begins a new journal with what stands behind `from` bytes of this one, once the state file has the rest, up to `lastCommit`.
   * Appending goes on meanwhile. A kill in the midst of it finds either, both right; on an error the old one stays.
   */
  restart(from: number, lastCommit: number): Promise<void> {
    return this.#restarts.run(() => this.#restart(from, lastCommit));
  }

  /** Puts it back, with all that it has, where its path does not lead to it any more. */
  putBack(): Promise<void> {
    return this.#restarts.run(async () => {
      if (!this.isInPlace) {
        await this.#restart(HEADER_BYTES, this.#header.first - 1);
        this.#options.onPutBack();
      }
    });
  }

  async #restart(from: number, lastCommit: number): Promise<void> {
    const headerNow = () => ({ first: lastCommit + 1, last: Math.max(lastCommit, this.#header.last) });
    const source = this.#descriptor;
    const target = openSync(this.#temporary, 'w+');
    try {
      writeWhole(target, encodeHeader(headerNow()), 0);
      const moved = HEADER_BYTES - from;
      const copied = await copyAllButTheLast(source, target, from, moved, () => this.#size);
      if (this.#options.syncToDisk) {
        await syncData(target);
      }
      // From here to the end in one go, so that nothing is appended to the old one any more.
      copyBytes(source, target, copied, this.#size - copied, moved);
      this.#header = headerNow();
      writeWhole(target, encodeHeader(this.#header), 0);
      this.#takePlace(target);
    } catch (error) {
      closeSync(target);
      removeIfThere(this.#temporary);
      throw error;
    }
    this.#descriptor = target;
    this.#size += HEADER_BYTES - from;
    // A batch that waits for the disk still needs the old file; its lines are in the new one, too.
    void Promise.resolve(this.#writing).then(() => closeSync(source));
  }

  /** Lets go of the file; without it where the state file has it all. */
  async close(remove: boolean): Promise<void> {
    await this.flush();
    await this.#restarts.idle();
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
    const descriptor = openSync(this.#temporary, 'w+');
    try {
      writeWhole(descriptor, encodeHeader(this.#header), 0);
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
    this.#options.lease.expectHeld();
    renameSync(this.#temporary, this.#file);
    if (this.#options.syncToDisk) {
      syncFolderOf(this.#file);
    }
  }

  async #writeBatches(): Promise<void> {
    while (this.#batch) {
      // To the end of the turn, so that all of its commits go in one write. Later ones gather in the next batch.
      await endOfTurn();
      const problem = await this.#prepare().catch((error: unknown) => ({ error }));
      // Only taken now: while it waits, this is not settled.
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
      batch.settle();
    } catch (error) {
      this.#refuse(batch, error);
    }
  }

  /** Makes sure that what is written goes to a file that is ours and that a later start finds. */
  async #prepare(): Promise<void> {
    if (!this.#options.lease.isFresh) {
      await this.#options.lease.confirm();
    }
    if (!this.isInPlace) {
      this.#options.lease.expectHeld();
      await this.putBack();
    }
  }

  #write(lines: readonly string[]): JournalHeader {
    if (this.#failure && this.#isLost) {
      throw this.#failure;
    }
    const bytes = sealLines(lines);
    const header = { first: this.#header.first, last: this.#header.last + lines.length };
    writeWhole(this.#descriptor, bytes, this.#size);
    if (!this.#options.syncToDisk) {
      this.#confirm(header);
    }
    this.#size += bytes.length;
    this.#recovered();
    this.#options.onWritten();
    return header;
  }

  async #sync(descriptor: number, header: JournalHeader): Promise<void> {
    try {
      await syncData(descriptor);
      // Only now, or the count could reach the disk without its lines.
      this.#confirm(header);
    } catch (error) {
      // Nobody knows any more what the disk has of it, and a checkpoint may have it already: only a new start can tell.
      this.#isLost = true;
      throw unconfirmed(error, this.#file);
    }
  }

  /** Counts the commits that are confirmed from here on, so that a later start notices where one of them is missing. */
  #confirm(header: JournalHeader): void {
    writeWhole(this.#descriptor, encodeHeader({ ...header, first: this.#header.first }), 0);
    this.#header = { ...header, first: this.#header.first };
  }

  /** A batch that could not be written, and what came upon it meanwhile, is rolled back as a whole before anybody hears of it. */
  #refuse(batch: Batch, error: unknown): void {
    const waiting = this.#batch;
    this.#batch = undefined;
    const isFirst = this.#failure === undefined;
    this.#failure = refusalFor(error, this.#file, this.#isLost);
    this.#cutBack();
    for (const rollBack of [...batch.rollbacks, ...(waiting?.rollbacks ?? [])].reverse()) {
      rollBack();
    }
    batch.settle(error instanceof OutcomeUnknown ? error : this.#failure);
    waiting?.settle(this.#failure);
    if (isFirst) {
      this.#options.onRefused(this.#failure.message);
      this.#retryLater();
    }
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
