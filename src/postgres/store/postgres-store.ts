import type { Refusal } from '../../base/refusal.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { withCommitCheck } from '../../server/store/commit-check.ts';
import { Reads } from '../../server/store/memory/reads.ts';
import { Tables } from '../../server/store/memory/tables.ts';
import { type Commit, type SessionLocation, StoreError } from '../../server/store/store.ts';
import { cannotBeUsed, Database, shownUrl } from './database.ts';
import { GroupCommit, type Writable } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { NodeLease } from './node-lease.ts';
import { type Claim, Ownership } from './ownership.ts';
import { failedCommit, movedRefusal, refuseUnreachable, rejectedCommit, unreadableSession } from './refusals.ts';
import { type JournalRow, lineOf, loadSession } from './session-rows.ts';
import { sharedKey } from './shared-key.ts';
import type { IdleFacts, PostgresOptions, SharedStore } from './shared-store.ts';
import { Snapshots } from './snapshots.ts';

/** Attempts to claim a session, because several nodes may take it from each other before one of them succeeds. */
const MAX_ATTEMPTS = 5;

/** A session that this node owns. */
interface HeldSession extends Writable, Claim {
  /** Whether any data of it was ever stored; otherwise it is deleted when it is released. */
  isKept: boolean;
  /** Bytes of its last snapshot. */
  snapshotBytes: number;
}

/**
 * Opens the shared store: this node's sessions are in memory, and a journal of their commits is in PostgreSQL.
 * Throws StoreError if the database cannot be used.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<SharedStore> {
  const database = await Database.open(options.url, options.leaseMilliseconds);
  try {
    await migrate(database, shownUrl(options.url));
    return await withCommitCheck(new PostgresStore(database, await sharedKey(database), options));
  } catch (error) {
    await database.close();
    throw error instanceof StoreError ? error : cannotBeUsed(options.url, error);
  }
}

class PostgresStore extends Reads implements SharedStore {
  readonly key: Buffer;
  readonly #database: Database;
  readonly #options: PostgresOptions;
  readonly #lease: NodeLease;
  readonly #ownership: Ownership;
  readonly #commits: GroupCommit;
  readonly #snapshots: Snapshots;
  readonly #held = new Map<string, HeldSession>();
  /** Sessions that are being claimed or released; other operations on them wait until that has ended. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(database: Database, key: Buffer, options: PostgresOptions) {
    super(new Tables());
    this.key = key;
    this.#database = database;
    this.#options = options;
    this.#lease = new NodeLease(database, {
      milliseconds: options.leaseMilliseconds,
      onWarning: options.onWarning,
      onLost: () => this.#loseAll(),
      onLate: options.onRecovered,
    });
    this.#ownership = new Ownership(database, this.#lease, options.mostSessions);
    this.#commits = new GroupCommit(database, this.#lease, {
      mostMilliseconds: options.leaseMilliseconds,
      onLost: (session) => this.#lose(session),
    });
    this.#snapshots = new Snapshots(database, this.#lease, options.smallJournalBytes);
  }

  join(address: string): Promise<void> {
    const { version, fixtures } = this.#options;
    return this.#lease.join({ address, version, fixtures });
  }

  held(): string[] {
    return [...this.#held.keys()];
  }

  isHeld(session: string): boolean {
    return this.#lease.isFresh && this.#held.has(session) && !this.#underWay.has(session);
  }

  assertOwned(session: string): void {
    if (!this.#lease.isFresh || !this.#held.has(session)) {
      throw this.#refusalFor(session);
    }
  }

  async claim(session: string): Promise<SessionLocation> {
    for (;;) {
      const active = this.#underWay.get(session);
      if (!active) {
        return this.#runExclusively(session, () => this.#claim(session)).catch(refuseUnreachable);
      }
      await Promise.allSettled([active]);
    }
  }

  async addressOf(session: string): Promise<string | undefined> {
    const { address } = await this.#ownership.ownerOf(session).catch(refuseUnreachable);
    return address ?? undefined;
  }

  others(): Promise<string[]> {
    return this.#ownership.others().catch(refuseUnreachable);
  }

  async commit(commit: Commit): Promise<void> {
    const held = this.#held.get(commit.session);
    if (!held) {
      throw this.#refusalFor(commit.session);
    }
    const entry = { state: commit.state && JSON.stringify(commit.state), line: lineOf(commit) };
    this.tables.apply(commit);
    held.isKept = true;
    await this.#commits.append(held, entry);
  }

  async sessions(): Promise<{ name: string; state: SessionState }[]> {
    const states = await this.#ownership.states().catch(refuseUnreachable);
    return states.map(({ name, state }) => ({ name, state: JSON.parse(state) }));
  }

  drop(session: string): Promise<void> {
    const held = this.#held.get(session);
    if (!held) {
      return Promise.resolve();
    }
    this.#held.delete(session);
    this.tables.drop(session);
    return this.#runExclusively(session, async () => {
      await this.#commits.whenWritten(held);
      const isOurs = await this.#ownership.forget(held).catch((error) => Promise.reject(failedCommit(session, error)));
      if (!isOurs) {
        throw this.#refusalFor(session);
      }
    });
  }

  async release(sessions: ReadonlyMap<string, IdleFacts>): Promise<void> {
    const leaving = [...sessions].flatMap(([session, facts]) => {
      const held = this.#held.get(session);
      return held ? [{ held, ...facts }] : [];
    });
    const released = this.#release(leaving);
    await Promise.all(leaving.map(({ held }) => this.#runExclusively(held.name, () => released)));
  }

  unattended(): Promise<string[]> {
    return this.#lease.isFresh ? this.#ownership.unattended() : Promise.resolve([]);
  }

  expire(milliseconds: number, except: string): Promise<string[]> {
    return this.#ownership.expire(milliseconds, except);
  }

  compact(): void {
    for (const held of this.#held.values()) {
      if (this.#snapshots.isDue(held)) {
        this.#snapshots.plan(held, () => this.tables.captureSession(held.name), this.#options.onWarning);
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

  /** Sessions that are still owned are taken by other nodes once the lease has expired. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => this.#commits.whenWritten(held)));
    await Promise.allSettled(this.#underWay.values());
    await this.#snapshots.whenWritten();
    await this.#lease
      .leave()
      .catch((error: Error) => this.#options.onWarning(`the node could not leave (${error.message})`));
    this.#commits.close();
    await this.#database.close();
  }

  async #claim(session: string): Promise<SessionLocation> {
    if (this.#held.has(session) && this.#lease.isFresh) {
      return { isHere: true, state: this.tables.stateOf(session) };
    }
    for (let attempts = 0; attempts < MAX_ATTEMPTS && this.#lease.isFresh; attempts += 1) {
      const owner = await this.#ownership.ownerOf(session);
      if (owner.address !== null) {
        return { isHere: false, address: owner.address };
      }
      // Without a fresh lease, this node is about to join under a new id that is not in the database yet.
      const canTake = owner.isFree && this.#lease.isFresh;
      const node = this.#lease.id;
      const taken = canTake ? await this.#ownership.take(session, owner) : undefined;
      if (taken && node === this.#lease.id) {
        const { rows, ...facts } = taken;
        const state = await this.#load(session, rows);
        // The lease may have expired while loading. It keeps its id until the node joins again, but others may have taken the session.
        if (node === this.#lease.id && this.#lease.isFresh) {
          const noCommits = { waiting: undefined, flushing: undefined, onFlush: undefined };
          this.#held.set(session, { name: session, ...facts, ...noCommits, isKept: state !== undefined });
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
      throw unreadableSession(session, error);
    }
  }

  async #release(leaving: readonly ({ held: HeldSession } & IdleFacts)[]): Promise<void> {
    await Promise.all(leaving.map(({ held }) => this.#commits.whenWritten(held)));
    const released = leaving.filter(({ held }) => this.#held.get(held.name) === held);
    for (const { held } of released) {
      this.#held.delete(held.name);
      this.tables.drop(held.name);
    }
    const kept = released.filter(({ held }) => held.isKept);
    await this.#ownership.release(kept.map(({ held: { number, claim }, ...facts }) => ({ number, claim, ...facts })));
    for (const { held } of released.filter((each) => !each.held.isKept)) {
      await this.#ownership.forget(held);
    }
  }

  #refusalFor(session: string): Refusal {
    const { failure } = this;
    return failure === undefined ? movedRefusal(session) : rejectedCommit(failure);
  }

  #loseAll(): void {
    for (const held of [...this.#held.values()]) {
      this.#lose(held);
      this.#commits.abandon(held);
    }
  }

  /** Drops a session that another node may have taken. */
  #lose(held: Writable): void {
    if (this.#held.get(held.name) === held) {
      this.#held.delete(held.name);
      this.tables.drop(held.name);
      this.#ownership.doubt(held.name);
      this.#options.onLost(held.name);
    }
  }

  #runExclusively<T>(session: string, work: () => Promise<T>): Promise<T> {
    const run = work()
      .catch((error: unknown) => {
        this.#ownership.doubt(session, error);
        throw error;
      })
      .finally(() => {
        if (this.#underWay.get(session) === run) {
          this.#underWay.delete(session);
        }
      });
    this.#underWay.set(session, run);
    return run;
  }
}
