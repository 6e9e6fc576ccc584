import { rmSync } from 'node:fs';
import { Low } from 'lowdb';
import { afterMilliseconds, every } from '../../../base/timers.ts';
import type { Undo } from '../memory/table.ts';
import type { Tables } from '../memory/tables.ts';
import { StoreError } from '../store.ts';
import type { DataFileOptions } from './data-file-options.ts';
import { Journal } from './journal.ts';
import { encodeLine, type JournalLine } from './journal-line.ts';
import type { Lease } from './lease.ts';
import { lockFile } from './lock.ts';
import { asStoreError, checkEdited, expectUnused, journalMissing, leaveOut, warn } from './opening.ts';
import { usablePath } from './path.ts';
import { type Replayed, replay } from './replay.ts';
import { EMPTY_STATE, type JournalMark, type State } from './state.ts';
import { StateFile } from './state-file.ts';
import { readState } from './state-reader.ts';
import { UnreadableSessions } from './unreadable-sessions.ts';

/** The journal may always grow so far before it goes into the state file: 27,000 payments. */
const JOURNAL_BYTES = 32 << 20;
/** How much further, in multiples of that, it may grow while no quiet moment comes. */
const BUSY_FACTOR = 8;
/** So many milliseconds without a commit count as a quiet moment. */
const QUIET = 20;
/** A state file of so many bytes, about a thousand payments, is written in any quiet moment: people look at it. */
const SMALL = 1 << 20;
/** Every so many milliseconds it is looked whether the files are in their places. */
const LOOK = 1000;
/** But not more often than every so many milliseconds. */
const FRESH = 1000;

/**
 * What is kept, on disk: lowdb's state file and the journal of the commits since. A checkpoint writes the state anew and
 * begins a new journal: at start, at stop, in quiet moments while the state is small, and when the journal has grown to twice the
 * state, so that the cost per commit stays the same however much is kept.
 */
export class DataFile {
  /** Nothing is written over while there are any: the state file stays as it was found, and the journal continues. */
  readonly unreadable: UnreadableSessions;
  readonly #tables: Tables;
  readonly #lock: Lease;
  readonly #stateFile: StateFile;
  readonly #low: Low<State>;
  readonly #journal: Journal;
  readonly #options: DataFileOptions;
  #lastCommit: number;
  #checkpointAt: number;
  #checkpoint: Promise<void> | undefined;
  #watching = false;
  /** A state file that could not be written is tried again when the journal has grown, not every second. */
  #failed = false;
  #closed: Promise<void> | undefined;
  #stopLooking = () => {};

  /** Takes the file and reads all that it keeps into the tables. Throws StoreError, having changed nothing, where it can't. */
  static async open(options: DataFileOptions, tables: Tables): Promise<DataFile> {
    try {
      const file = usablePath(options.file);
      const lock = await lockFile(file);
      try {
        return await DataFile.#read({ ...options, file }, tables, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    } catch (error) {
      throw asStoreError(error, options.file);
    }
  }

  static async #read(options: DataFileOptions, tables: Tables, lock: Lease): Promise<DataFile> {
    const unreadable = new UnreadableSessions();
    const stateFile = new StateFile(options.file, lock, () => readState(options.file, tables, unreadable));
    const low = new Low<State>(stateFile, EMPTY_STATE);
    await low.read();
    const { journal, origin, lastCommit } = low.data;
    const journalFile = `${options.file}.journal`;
    const replayed = await replay(journalFile, lastCommit, tables, unreadable);
    low.data = EMPTY_STATE;
    if (origin === 'changed') {
      await checkEdited(unreadable, tables, options);
    }
    if (journal === 'open' && !replayed.header) {
      throw journalMissing(journalFile, options.file);
    }
    if (stateFile.size === 0 && !replayed.header) {
      expectUnused(options);
    }
    warn(options, replayed, journalFile, origin);
    for (const leftover of [`${options.file}.new`, `${journalFile}.new`]) {
      rmSync(leftover, { force: true });
    }
    // A long file, or a busy machine, may have kept the lease from being renewed.
    await lock.confirm();
    const disk = new DataFile(options, { tables, unreadable, lock, low, stateFile, replayed });
    await leaveOut(unreadable, tables, options, (session) =>
      disk.keep({ session, drop: true, changes: [] }, () => () => undefined),
    );
    if (stateFile.size === 0 || origin !== 'ours') {
      await disk.#begin(replayed.commits);
    } else {
      await lock.confirm();
      stateFile.mark('open');
      if (replayed.commits > 0 && unreadable.size === 0) {
        // Requests need not wait for it: a kill in the midst of it finds the journal as it was.
        disk.#startCheckpoint();
      }
    }
    // Not before: a file that is being written for the first time is not in its place.
    disk.#stopLooking = every(LOOK, () => void disk.#putBackFiles());
    return disk;
  }

  private constructor(
    options: DataFileOptions,
    parts: {
      tables: Tables;
      unreadable: UnreadableSessions;
      lock: Lease;
      low: Low<State>;
      stateFile: StateFile;
      replayed: Replayed;
    },
  ) {
    const { replayed } = parts;
    this.#options = options;
    this.#tables = parts.tables;
    this.unreadable = parts.unreadable;
    this.#lock = parts.lock;
    this.#low = parts.low;
    this.#stateFile = parts.stateFile;
    this.#lastCommit = replayed.lastCommit;
    // A journal that the state has overtaken (a kill came between the two) is done with.
    const { lastCommit, commits, size } = replayed;
    const header = (commits > 0 && replayed.header) || { first: lastCommit + 1, last: lastCommit };
    this.#journal = new Journal(`${options.file}.journal`, commits > 0 ? size : 0, header, {
      lease: parts.lock,
      syncToDisk: options.syncToDisk,
      onWritten: () => this.#considerCheckpoint(),
      onPutBack: () => this.#tellOfChange(`${options.file}.journal`),
      onRefused: (reason) => options.onWarning(reason),
      onRecovered: () => options.onRecovered?.(),
    });
    this.#checkpointAt = this.#nextCheckpoint();
  }

  /**
   * Applies a change in memory at once and resolves when it is durable. Rejects, with nothing applied, where it makes no sense; and with the refusal `storage`, having taken it back in memory, where the file cannot be written:
   * reads show only what a later start would find.
   */
  async keep(change: Omit<JournalLine, 'number'>, apply: () => Undo): Promise<void> {
    this.#expectOpen();
    const line = encodeLine({ ...change, number: this.#lastCommit + 1 });
    const undo = apply();
    this.#lastCommit += 1;
    await this.#journal.append(line, () => {
      undo();
      this.#lastCommit -= 1;
    });
  }

  /** Why changes are not kept at present; undefined while they are. */
  get failure(): string | undefined {
    return this.#lock.loss ?? this.#journal.failure?.message;
  }

  /** Bytes in the journal. */
  get journalBytes(): number {
    return this.#journal.size;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#stopLooking();
    await this.#journal.flush();
    await this.#checkpoint;
    await this.#lock.confirm().catch(() => undefined);
    const isSound = this.failure === undefined;
    const isWritable = isSound && this.unreadable.size === 0;
    if (isWritable) {
      if (this.#journal.isEmpty && this.#stateFile.isInPlace) {
        this.#stateFile.mark('none');
      } else {
        await this.#startCheckpoint('none');
      }
    }
    await this.#journal.close(this.#journal.isEmpty && isWritable);
    this.#lock.release();
  }

  /** The state file is there from the first second on, and one that cannot be written is found out now. */
  async #begin(commits: number): Promise<void> {
    if (this.unreadable.size > 0) {
      return;
    }
    try {
      await this.#writeState(this.#journal.size, 'open');
      this.#checkpointAt = this.#nextCheckpoint();
    } catch (error) {
      await this.#journal.close(commits === 0);
      throw error;
    }
  }

  /** Files that somebody removed or replaced in use are written anew: the sandbox still has all that was in them. */
  async #putBackFiles(): Promise<void> {
    try {
      await this.#journal.putBack();
      const isFree = !this.#closed && !this.#checkpoint && !this.failure && this.#journal.settled;
      if (isFree && this.unreadable.size === 0 && !this.#stateFile.isInPlace) {
        this.#tellOfChange(this.#options.file);
        await this.#startCheckpoint();
      }
    } catch {
      // The folder itself is gone, or the disk full: the next change is refused, and says why.
    }
  }

  #tellOfChange(path: string): void {
    this.#options.onWarning(`${path} was removed or changed from outside, and is written again`);
  }

  #expectOpen(): void {
    if (this.#closed) {
      throw new StoreError(`${this.#options.file} is closed and takes no more changes`, this.#options.file);
    }
  }

  #nextCheckpoint(): number {
    return this.#journal.size + Math.max(this.#options.journalBytes ?? JOURNAL_BYTES, 2 * this.#stateFile.size);
  }

  #considerCheckpoint(): void {
    if (this.#checkpoint || this.#closed || this.#journal.isEmpty || this.unreadable.size > 0) {
      return;
    }
    if (this.#journal.size >= this.#checkpointAt + BUSY_FACTOR * (this.#options.journalBytes ?? JOURNAL_BYTES)) {
      this.#startCheckpoint();
    } else if (!this.#watching && (this.#isSmall || this.#journal.size >= this.#checkpointAt)) {
      this.#watching = true;
      this.#watchForQuiet(this.#lastCommit, this.#isSmall ? (this.#options.freshMilliseconds ?? FRESH) : QUIET);
    }
  }

  get #isSmall(): boolean {
    return this.#stateFile.size <= SMALL && !this.#failed;
  }

  /** A checkpoint costs a burst of requests some of its speed, so it waits for a gap; but not for ever, see above. */
  #watchForQuiet(lastCommit: number, milliseconds: number): void {
    afterMilliseconds(milliseconds, () => {
      if (this.#closed || this.#checkpoint) {
        this.#watching = false;
      } else if (this.#lastCommit !== lastCommit || !this.#journal.settled) {
        this.#watchForQuiet(this.#lastCommit, QUIET);
      } else {
        this.#watching = false;
        this.#startCheckpoint();
      }
    });
  }

  /** Only called while no commit waits to be written, so that the journal's size and the tables stand for the same commits. */
  #startCheckpoint(journal: JournalMark = 'open'): Promise<void> {
    const written = this.#writeState(this.#journal.size, journal).then(() => {
      this.#failed = false;
    });
    const checkpoint = written.catch((error) => {
      this.#failed = true;
      this.#options.onWarning(
        `${this.#options.file} could not be written (${error}); ` +
          'nothing is lost: all changes are in the journal beside it',
      );
    });
    this.#checkpoint = checkpoint.then(() => {
      this.#checkpoint = undefined;
      this.#checkpointAt = this.#nextCheckpoint();
      // For what came meanwhile.
      this.#considerCheckpoint();
    });
    return this.#checkpoint;
  }

  async #writeState(journalSize: number, journal: JournalMark): Promise<void> {
    const lastCommit = this.#lastCommit;
    this.#low.data = { lastCommit, sessions: this.#tables.capture(), journal, origin: 'ours' };
    try {
      await this.#low.write();
    } finally {
      this.#low.data = EMPTY_STATE;
    }
    await this.#journal.restart(journalSize, lastCommit);
  }
}
