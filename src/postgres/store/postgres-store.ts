import type { Refusal } from '../../base/refusal.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { withCommitCheck } from '../../server/store/commit-check.ts';
import { MemoryReads } from '../../server/store/memory/reads.ts';
import { Tables } from '../../server/store/memory/tables.ts';
import { type Commit, type SessionLocation, StoreError } from '../../server/store/store.ts';
import { Database, unusableDatabaseError, withoutPassword } from './database.ts';
import { GroupCommit, type SessionJournal } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { NodeLease } from './node-lease.ts';
import { type Claim, Ownership } from './ownership.ts';
import { commitRefusal, movedRefusal, refuseUnreachable, retryRefusal, unreadableRefusal } from './refusals.ts';
import { encodeCommit, type JournalRow, loadSession } from './session-rows.ts';
import { loadOrCreateSharedKey } from './shared-key.ts';
import type { IdleFacts, PostgresOptions, SharedStore } from './shared-store.ts';
import { Snapshots } from './snapshots.ts';

/** Attempts to claim a session, because several nodes may take it from each other before one of them succeeds. */
const MAX_CLAIM_ATTEMPTS = 5;

/** A session that this node owns. */
interface OwnedSession extends SessionJournal, Claim {
  /** Whether it has stored data or a commit; otherwise it is deleted when it is released. */
  isStored: boolean;
  snapshotBytes: number;
}

/**
 * Opens the shared store: this node's sessions are in memory, and a journal of their commits is in PostgreSQL.
 * Throws StoreError if the database cannot be used.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<SharedStore> {
  const database = await Database.open(options.url, options.leaseMs);
  try {
    await migrate(database, withoutPassword(options.url));
    return await withCommitCheck(new PostgresStore(database, await loadOrCreateSharedKey(database), options));
  } catch (error) {
    await database.close();
    throw error instanceof StoreError ? error : unusableDatabaseError(options.url, error);
  }
}

class PostgresStore extends MemoryReads implements SharedStore {
  readonly key: Buffer;
  readonly #database: Database;
  readonly #options: PostgresOptions;
  readonly #lease: NodeLease;
  readonly #ownership: Ownership;
  readonly #commits: GroupCommit;
  readonly #snapshots: Snapshots;
  readonly #owned = new Map<string, OwnedSession>();
  /** Sessions that are being claimed, released or dropped. `claim` waits until that has ended; until then, `isOwned` is false. */
  readonly #transfers = new Map<string, Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(database: Database, key: Buffer, options: PostgresOptions) {
    super(new Tables());
    this.key = key;
    this.#database = database;
    this.#options = options;
    this.#lease = new NodeLease(database, {
      leaseMs: options.leaseMs,
      onWarning: options.onWarning,
      onLost: () => this.#loseAll(),
      onLateRenewal: options.onRecovered,
    });
    this.#ownership = new Ownership(database, this.#lease, options.maxSessions);
    this.#commits = new GroupCommit(database, this.#lease, {
      maxMs: options.leaseMs,
      onLost: (session) => this.#lose(session),
    });
    this.#snapshots = new Snapshots(database, this.#lease, options.smallJournalBytes);
  }

  join(address: string): Promise<void> {
    const { version, fixtures } = this.#options;
    return this.#lease.join({ address, version, fixtures });
  }

  ownedSessions(): string[] {
    return [...this.#owned.keys()];
  }

  isOwned(session: string): boolean {
    return this.#lease.isFresh && this.#owned.has(session) && !this.#transfers.has(session);
  }

  assertOwned(session: string): void {
    if (!this.#lease.isFresh || !this.#owned.has(session)) {
      throw this.#refusalFor(session);
    }
  }

  async claim(session: string): Promise<SessionLocation> {
    for (;;) {
      const active = this.#transfers.get(session);
      if (!active) {
        return this.#trackTransfer(session, () => this.#claim(session)).catch(refuseUnreachable);
      }
      await Promise.allSettled([active]);
    }
  }

  async addressOf(session: string): Promise<string | undefined> {
    const { address } = await this.#ownership.ownerOf(session).catch(refuseUnreachable);
    return address ?? undefined;
  }

  otherAddresses(): Promise<string[]> {
    return this.#ownership.otherAddresses().catch(refuseUnreachable);
  }

  async commit(commit: Commit): Promise<void> {
    const session = this.#owned.get(commit.session);
    if (!session) {
      throw this.#refusalFor(commit.session);
    }
    const entry = { state: commit.state && JSON.stringify(commit.state), line: encodeCommit(commit) };
    this.tables.apply(commit);
    session.isStored = true;
    await this.#commits.append(session, entry);
  }

  async sessions(): Promise<{ name: string; state: SessionState }[]> {
    const states = await this.#ownership.states().catch(refuseUnreachable);
    return states.map(({ name, state }) => ({ name, state: JSON.parse(state) }));
  }

  drop(name: string): Promise<void> {
    const session = this.#owned.get(name);
    if (!session) {
      return Promise.resolve();
    }
    this.#owned.delete(name);
    this.tables.drop(name);
    return this.#trackTransfer(name, async () => {
      await this.#commits.waitUntilWritten(session);
      const isDeleted = await this.#ownership
        .delete(session)
        .catch((error) => Promise.reject(commitRefusal(name, error)));
      if (!isDeleted) {
        throw this.#refusalFor(name);
      }
    });
  }

  async release(sessions: ReadonlyMap<string, IdleFacts>): Promise<void> {
    const idleSessions = [...sessions].flatMap(([name, facts]) => {
      const session = this.#owned.get(name);
      return session ? [{ session, ...facts }] : [];
    });
    const release = this.#release(idleSessions);
    await Promise.all(idleSessions.map(({ session }) => this.#trackTransfer(session.name, () => release)));
  }

  sessionsToClaim(): Promise<string[]> {
    return this.#lease.isFresh ? this.#ownership.sessionsToClaim() : Promise.resolve([]);
  }

  expire(unusedMs: number, exceptSession: string): Promise<string[]> {
    return this.#ownership.expire(unusedMs, exceptSession);
  }

  compact(): void {
    for (const session of this.#owned.values()) {
      if (this.#snapshots.isDue(session)) {
        this.#snapshots.plan(session, () => this.tables.captureSession(session.name), this.#options.onWarning);
      }
    }
  }

  get failure(): string | undefined {
    return this.#lease.isFresh
      ? this.#commits.failure
      : 'this node has no lease: it has just been started, or the database does not answer in time';
  }

  get journalBytes(): number | undefined {
    return undefined;
  }

  /** Other nodes can then take sessions that are still owned: at once, or once the lease has expired if the database did not answer. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#owned.values()].map((session) => this.#commits.waitUntilWritten(session)));
    await Promise.allSettled(this.#transfers.values());
    await this.#snapshots.waitUntilWritten();
    await this.#lease
      .leave()
      .catch((error: Error) => this.#options.onWarning(`the node could not leave (${error.message})`));
    this.#commits.close();
    await this.#database.close();
  }

  async #claim(session: string): Promise<SessionLocation> {
    if (this.#owned.has(session) && this.#lease.isFresh) {
      return { isHere: true, state: this.tables.stateOf(session) };
    }
    for (let attempts = 0; attempts < MAX_CLAIM_ATTEMPTS && this.#lease.isFresh; attempts += 1) {
      const owner = await this.#ownership.ownerOf(session);
      if (owner.address !== null) {
        return { isHere: false, address: owner.address };
      }
      // Without a fresh lease, this node may be about to join under a new id that is not in the database yet.
      const canTake = owner.isFree && this.#lease.isFresh;
      const node = this.#lease.id;
      const claim = canTake ? await this.#ownership.claim(session, owner) : undefined;
      if (claim && node === this.#lease.id) {
        const { rows, ...facts } = claim;
        const state = await this.#load(session, rows);
        // The lease may have expired while loading. It keeps its id until the node joins again, but others may have taken the session.
        if (node === this.#lease.id && this.#lease.isFresh) {
          const noCommits = { nextRow: undefined, activeRow: undefined, onRowTaken: undefined };
          this.#owned.set(session, { name: session, ...facts, ...noCommits, isStored: state !== undefined });
          return { isHere: true, state };
        }
        this.tables.drop(session);
      }
    }
    throw this.#refusalFor(session);
  }

  async #load(session: string, rows: readonly JournalRow[]): Promise<SessionState | undefined> {
    try {
      return await loadSession(this.tables, session, rows);
    } catch (error) {
      this.tables.drop(session);
      throw unreadableRefusal(session, error);
    }
  }

  async #release(idleSessions: readonly ({ session: OwnedSession } & IdleFacts)[]): Promise<void> {
    await Promise.all(idleSessions.map(({ session }) => this.#commits.waitUntilWritten(session)));
    const releasedSessions = idleSessions.filter(({ session }) => this.#owned.get(session.name) === session);
    for (const { session } of releasedSessions) {
      this.#owned.delete(session.name);
      this.tables.drop(session.name);
    }
    const storedSessions = releasedSessions.filter(({ session }) => session.isStored);
    await this.#ownership.release(
      storedSessions.map(({ session: { sessionNumber, xmin }, ...facts }) => ({ sessionNumber, xmin, ...facts })),
    );
    for (const { session } of releasedSessions.filter((each) => !each.session.isStored)) {
      await this.#ownership.delete(session);
    }
  }

  #refusalFor(session: string): Refusal {
    const { failure } = this;
    return failure === undefined ? movedRefusal(session) : retryRefusal(failure);
  }

  #loseAll(): void {
    for (const session of [...this.#owned.values()]) {
      this.#lose(session);
      this.#commits.abandon(session);
    }
  }

  /** Drops a session that another node may have taken. */
  #lose(session: SessionJournal): void {
    if (this.#owned.get(session.name) === session) {
      this.#owned.delete(session.name);
      this.tables.drop(session.name);
      this.#ownership.markUncertain(session.name);
      this.#options.onLost(session.name);
    }
  }

  #trackTransfer<T>(session: string, work: () => Promise<T>): Promise<T> {
    const run = work()
      .catch((error: unknown) => {
        this.#ownership.markUncertain(session, error);
        throw error;
      })
      .finally(() => {
        if (this.#transfers.get(session) === run) {
          this.#transfers.delete(session);
        }
      });
    this.#transfers.set(session, run);
    return run;
  }
}
