import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { endOfTurn } from '../../timers.ts';
import { StoreError } from '../store.ts';
import { syncFolderOf } from './files.ts';
import { JOURNAL_HEADER } from './journal-line.ts';

const syncData = promisify(fdatasync);
/** Bytes that are copied in one go: about a millisecond. */
const CHUNK = 1 << 20;

/** The commits of one turn of the event loop, which share one write and one fate. */
interface Batch {
  lines: string[];
  durable: Promise<void>;
  resolve(): void;
  reject(error: StoreError): void;
}

export interface JournalOptions {
  /** Wait for the disk itself, not only for the operating system: survives a power cut, not only a kill. */
  syncToDisk: boolean;
  /** Called after each write, in the same turn: all that was appended is in the file then. */
  onWritten(): void;
}

/** The file of commits beside the state file: only ever appended to, until the state file has them all. */
export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #descriptor: number;
  #size: number;
  #batch: Batch | undefined;
  #writing: Promise<void> | undefined;
  #failure: StoreError | undefined;

  /** Goes on with a journal of which `size` bytes are sound; what follows them is cut off. With 0, begins a new one. */
  constructor(file: string, size: number, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
    if (size === 0) {
      this.#descriptor = this.#begin();
    } else {
      this.#descriptor = openSync(file, 'a');
      if (fstatSync(this.#descriptor).size > size) {
        ftruncateSync(this.#descriptor, size);
      }
    }
    this.#size = Math.max(size, JOURNAL_HEADER.length);
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /** Whether all that was appended is in the file. */
  get settled(): boolean {
    return this.#batch === undefined;
  }

  /** Why nothing can be appended any more; undefined while it can. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** Resolves when the line is durable. Rejects with StoreError when it could not be written. */
  append(line: string): Promise<void> {
    this.#batch ??= openBatch();
    this.#batch.lines.push(line);
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
   * Begins a new journal with what stands behind `from` bytes of this one, once the state file has the rest. Appending goes
   * on meanwhile. A kill in the midst of it finds the old one or the new one, both right; on an error the old one stays.
   */
  async restart(from: number): Promise<void> {
    const source = openSync(this.#file, 'r');
    const target = openSync(this.#temporary, 'w');
    try {
      writeWhole(target, Buffer.from(JOURNAL_HEADER));
      let copied = from;
      for (; this.#size - copied > CHUNK; copied += CHUNK) {
        copy(source, target, copied, CHUNK);
        await endOfTurn();
      }
      if (this.#options.syncToDisk) {
        await syncData(target);
      }
      // From here to the end in one go, so that nothing is appended to the old one any more.
      copy(source, target, copied, this.#size - copied);
      this.#takePlace(target);
    } catch (error) {
      closeSync(target);
      throw error;
    } finally {
      closeSync(source);
    }
    const old = this.#descriptor;
    this.#descriptor = target;
    this.#size += JOURNAL_HEADER.length - from;
    // A batch that waits for the disk still needs the old file; its lines are in the new one, too.
    void Promise.resolve(this.#writing).then(() => closeSync(old));
  }

  /** Lets go of the file; without it where the state file has it all. */
  async close(remove: boolean): Promise<void> {
    await this.flush();
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
      writeWhole(descriptor, Buffer.from(JOURNAL_HEADER));
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

  async #writeBatch({ lines, resolve, reject }: Batch): Promise<void> {
    const descriptor = this.#descriptor;
    const size = this.#size;
    try {
      if (this.#failure) {
        throw this.#failure;
      }
      const bytes = Buffer.from(lines.join(''));
      writeWhole(descriptor, bytes);
      this.#size += bytes.length;
      this.#options.onWritten();
      if (this.#options.syncToDisk) {
        await syncData(descriptor);
      }
      resolve();
    } catch (error) {
      this.#failure ??= this.#giveUp(error, descriptor, size);
      reject(this.#failure);
    }
  }

  /** What a failed write left behind is cut off: those commits are refused, so they must not come back. */
  #giveUp(error: unknown, descriptor: number, size: number): StoreError {
    try {
      ftruncateSync(descriptor, size);
    } catch {
      // The disk does nothing any more. A torn line is dropped at the next start.
    }
    return new StoreError(
      `${this.#file}: a change could not be written (${error}). ` +
        'The sandbox keeps nothing more until it is started again; all it confirmed before is safe.',
      this.#file,
    );
  }
}

function openBatch(): Batch {
  const batch: Partial<Batch> = { lines: [] };
  batch.durable = new Promise((resolve, reject) => {
    batch.resolve = resolve;
    batch.reject = reject;
  });
  return batch as Batch;
}

function copy(source: number, target: number, from: number, length: number): void {
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const read = readSync(source, bytes, filled, length - filled, from + filled);
    if (read === 0) {
      throw new Error('the journal is shorter than what was written to it');
    }
    filled += read;
  }
  writeWhole(target, bytes);
}

/** The system may take less than it was given, and only then say why. */
function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written);
  }
}
