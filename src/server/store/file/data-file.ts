import { Low } from 'lowdb';
import { platform } from '../../../base/platform.ts';
import { afterMilliseconds, runEvery } from '../../../base/timers.ts';
import type { UndoAction } from '../memory/table.ts';
import type { Tables } from '../memory/tables.ts';
import { StoreError } from '../store.ts';
import type { DataFileOptions } from './data-file-options.ts';
import { prepareDataFilePath } from './data-file-path.ts';
import { Journal } from './journal.ts';
import { encodeLine, type JournalCommit } from './journal-line.ts';
import type { Lease } from './lease.ts';
import { lockFile } from './lock.ts';
import { asStoreError, assertUnused, checkEdits, noJournalError, setAsideUnreadable, warnOfDamage } from './opening.ts';
import { type ReplayResult, replayJournal } from './replay.ts';
import { StateFile } from './state-file.ts';
import { readState } from './state-reader.ts';
import { EMPTY_STATE, type JournalMark, type StoredState } from './stored-state.ts';
import { UnreadableSessions } from './unreadable-sessions.ts';

/** A large state is not written again before the journal has grown by this much. */
const CHECKPOINT_BYTES = 32 << 20;
/** Without a quiet moment, a due checkpoint waits until the journal has grown by this many times CHECKPOINT_BYTES more. */
const BUSY_FACTOR = 8;
/** Time without a commit that counts as a quiet moment. */
const QUIET_MS = 20;
/** A state file up to this size is written in quiet moments, because people read it. */
const SMALL_STATE_BYTES = 1 << 20;
/** Interval of the check whether the files were removed or replaced. */
const PATH_CHECK_MS = 1000;
/** The least time between two checkpoints of a small state in quiet moments. */
const MIN_CHECKPOINT_INTERVAL_MS = 1000;

/**
 * The data on disk: lowdb's state file and the journal of the commits since. A checkpoint writes the state again and begins a new
 * journal: at start and stop unless the file is up to date, after its removal, in quiet moments while the state is small, and when the
 * journal has grown by twice the state (at least CHECKPOINT_BYTES), so that the cost per commit does not depend on the amount of data.
 */
export class DataFile {
  /** While there are any, no checkpoint is made, because it would overwrite their data: the journal continues instead. */
  readonly unreadableSessions: UnreadableSessions;
  readonly #tables: Tables;
  readonly #lease: Lease;
  readonly #stateFile: StateFile;
  readonly #lowdb: Low<StoredState>;
  readonly #journal: Journal;
  readonly #options: DataFileOptions;
  #lastCommit: number;
  /** The size of the journal at which a checkpoint is due. */
  #dueAtBytes: number;
  #checkpoint: Promise<void> | undefined;
  #isWatchingForQuiet = false;
  /** Whether the last checkpoint failed; then it is tried again when the journal has grown, not every second. */
  #hasCheckpointFailed = false;
  #closing: Promise<void> | undefined;
  #stopPathCheck = () => {};

  /** Locks the file and reads its data into the tables. Throws StoreError if it cannot; corrupted or locked data is not changed. */
  static async open(options: DataFileOptions, tables: Tables): Promise<DataFile> {
    try {
      const file = prepareDataFilePath(options.file);
      const lease = await lockFile(file);
      try {
        return await DataFile.#read({ ...options, file }, tables, lease);
      } catch (error) {
        lease.release();
        throw error;
      }
    } catch (error) {
      throw asStoreError(error, options.file);
    }
  }

  static async #read(options: DataFileOptions, tables: Tables, lease: Lease): Promise<DataFile> {
    const unreadable = new UnreadableSessions();
    const stateFile = new StateFile(options.file, lease, () => readState(options.file, tables, unreadable));
    const lowdb = new Low<StoredState>(stateFile, EMPTY_STATE);
    await lowdb.read();
    const { journal, isUnchanged, lastCommit } = lowdb.data;
    const journalFile = `${options.file}.journal`;
    const replayed = await replayJournal(journalFile, lastCommit, tables, unreadable);
    lowdb.data = EMPTY_STATE;
    if (!isUnchanged) {
      await checkEdits(unreadable, tables, options);
    }
    if (journal === 'open' && !replayed.header) {
      throw noJournalError(journalFile, options.file);
    }
    if (stateFile.size === 0 && !replayed.header) {
      assertUnused(options);
    }
    warnOfDamage(options, replayed, journalFile, isUnchanged);
    for (const leftover of [`${options.file}.new`, `${journalFile}.new`]) {
      platform.removeFile(leftover);
    }
    // The lease may not have been renewed while a long file was read or the machine was busy.
    await lease.confirm();
    const dataFile = new DataFile(options, { tables, unreadable, lease, lowdb, stateFile, replayed });
    await setAsideUnreadable(unreadable, tables, options, (session) =>
      dataFile.commit({ session, drop: true, changes: [] }, () => () => undefined),
    );
    if (stateFile.size === 0 || !isUnchanged) {
      await dataFile.#writeFirstState(replayed.newCommits);
    } else {
      await lease.confirm();
      stateFile.mark('open');
      if (replayed.newCommits > 0 && unreadable.size === 0) {
        // Requests need not wait for the checkpoint: if the process is killed during it, the journal is unchanged.
        dataFile.#startCheckpoint();
      }
    }
    // Not earlier, because a file that is being written for the first time does not exist under its name yet.
    dataFile.#stopPathCheck = runEvery(PATH_CHECK_MS, () => void dataFile.#rewriteMissingFiles());
    return dataFile;
  }

  private constructor(
    options: DataFileOptions,
    parts: {
      tables: Tables;
      unreadable: UnreadableSessions;
      lease: Lease;
      lowdb: Low<StoredState>;
      stateFile: StateFile;
      replayed: ReplayResult;
    },
  ) {
    const { replayed } = parts;
    this.#options = options;
    this.#tables = parts.tables;
    this.unreadableSessions = parts.unreadable;
    this.#lease = parts.lease;
    this.#lowdb = parts.lowdb;
    this.#stateFile = parts.stateFile;
    this.#lastCommit = replayed.lastCommit;
    // Without new commits, a new journal begins: the state contains all of the old one, as after a kill in the middle of a checkpoint.
    const { lastCommit, newCommits, validBytes } = replayed;
    const header = (newCommits > 0 && replayed.header) || { first: lastCommit + 1, last: lastCommit };
    this.#journal = new Journal(`${options.file}.journal`, newCommits > 0 ? validBytes : 0, header, {
      lease: parts.lease,
      syncToDisk: options.syncToDisk,
      onWritten: () => this.#considerCheckpoint(),
      onRewritten: () => this.#warnOfChange(`${options.file}.journal`),
      onRefused: (reason) => options.onWarning(reason),
      onRecovered: () => options.onRecovered?.(),
    });
    this.#dueAtBytes = this.#nextDueBytes();
  }

  /**
   * Applies a change in memory at once and resolves when it is durable. Rejects, with nothing applied, if it is invalid. If it cannot be
   * written, rolls it back with all later ones, and rejects with the refusal `storage`, or with OutcomeUnknown if the disk did not confirm.
   */
  async commit(change: Omit<JournalCommit, 'number'>, apply: () => UndoAction): Promise<void> {
    this.#assertOpen();
    const line = encodeLine(this.#lastCommit + 1, change);
    const undo = apply();
    this.#lastCommit += 1;
    await this.#journal.append(line, () => {
      undo();
      this.#lastCommit -= 1;
    });
  }

  get failure(): string | undefined {
    return this.#lease.loss ?? this.#journal.failure?.message;
  }

  get journalBytes(): number {
    return this.#journal.size;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopPathCheck();
    await this.#journal.waitUntilWritten();
    await this.#checkpoint;
    await this.#lease.confirm().catch(() => undefined);
    const isSound = this.failure === undefined;
    const isWritable = isSound && this.unreadableSessions.size === 0;
    if (isWritable) {
      if (this.#journal.isEmpty && this.#stateFile.isInPlace) {
        this.#stateFile.mark('none');
      } else {
        await this.#startCheckpoint('none');
      }
    }
    await this.#journal.close(this.#journal.isEmpty && isWritable);
    this.#lease.release();
  }

  /** Writes the state file at the start, so that it exists from then on, and an error shows at once. */
  async #writeFirstState(newCommits: number): Promise<void> {
    if (this.unreadableSessions.size > 0) {
      return;
    }
    try {
      await this.#writeState(this.#journal.size, 'open');
      this.#dueAtBytes = this.#nextDueBytes();
    } catch (error) {
      await this.#journal.close(newCommits === 0);
      throw error;
    }
  }

  /** Writes files again that were removed or replaced while in use: the state from memory, the journal from the old, still open file. */
  async #rewriteMissingFiles(): Promise<void> {
    try {
      await this.#journal.rewriteIfMissing();
      const isFree = !this.#closing && !this.#checkpoint && !this.failure && this.#journal.isWritten;
      if (isFree && this.unreadableSessions.size === 0 && !this.#stateFile.isInPlace) {
        this.#warnOfChange(this.#options.file);
        await this.#startCheckpoint();
      }
    } catch {
      // For instance, the folder is missing, or the disk is full: the refusal of the next change reports it.
    }
  }

  #warnOfChange(path: string): void {
    this.#options.onWarning(`${path} was removed or changed from outside, and is written again`);
  }

  #assertOpen(): void {
    if (this.#closing) {
      throw new StoreError(`${this.#options.file} is closed and accepts no more changes`, this.#options.file);
    }
  }

  #nextDueBytes(): number {
    return this.#journal.size + Math.max(this.#options.checkpointBytes ?? CHECKPOINT_BYTES, 2 * this.#stateFile.size);
  }

  #considerCheckpoint(): void {
    if (this.#checkpoint || this.#closing || this.#journal.isEmpty || this.unreadableSessions.size > 0) {
      return;
    }
    if (this.#journal.size >= this.#dueAtBytes + BUSY_FACTOR * (this.#options.checkpointBytes ?? CHECKPOINT_BYTES)) {
      this.#startCheckpoint();
    } else if (!this.#isWatchingForQuiet && (this.#isSmall || this.#journal.size >= this.#dueAtBytes)) {
      this.#isWatchingForQuiet = true;
      const intervalMs = this.#options.checkpointIntervalMs ?? MIN_CHECKPOINT_INTERVAL_MS;
      this.#watchForQuiet(this.#lastCommit, this.#isSmall ? intervalMs : QUIET_MS);
    }
  }

  get #isSmall(): boolean {
    return this.#stateFile.size <= SMALL_STATE_BYTES && !this.#hasCheckpointFailed;
  }

  /** A checkpoint slows requests down, so it waits for a gap between commits, but not for ever: see BUSY_FACTOR. */
  #watchForQuiet(lastCommit: number, waitMs: number): void {
    afterMilliseconds(waitMs, () => {
      if (this.#closing || this.#checkpoint) {
        this.#isWatchingForQuiet = false;
      } else if (this.#lastCommit !== lastCommit || !this.#journal.isWritten) {
        this.#watchForQuiet(this.#lastCommit, QUIET_MS);
      } else {
        this.#isWatchingForQuiet = false;
        this.#startCheckpoint();
      }
    });
  }

  /** Must only be called while no commit waits to be written, because the journal and the tables must contain the same commits. */
  #startCheckpoint(journal: JournalMark = 'open'): Promise<void> {
    const write = this.#writeState(this.#journal.size, journal).then(() => {
      this.#hasCheckpointFailed = false;
    });
    const checkpoint = write.catch((error) => {
      this.#hasCheckpointFailed = true;
      this.#options.onWarning(
        `${this.#options.file} could not be written (${error}); ` +
          'nothing is lost: all changes are in the journal beside it',
      );
    });
    this.#checkpoint = checkpoint.then(() => {
      this.#checkpoint = undefined;
      this.#dueAtBytes = this.#nextDueBytes();
      // Commits during the checkpoint did not start another one.
      this.#considerCheckpoint();
    });
    return this.#checkpoint;
  }

  async #writeState(journalSize: number, journal: JournalMark): Promise<void> {
    const lastCommit = this.#lastCommit;
    this.#lowdb.data = { lastCommit, sessions: this.#tables.capture(), journal, isUnchanged: true };
    try {
      await this.#lowdb.write();
    } finally {
      this.#lowdb.data = EMPTY_STATE;
    }
    await this.#journal.restart(journalSize, lastCommit);
  }
}
