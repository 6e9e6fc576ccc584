import { messageOf } from '../../base/errors.ts';
import { endOfTurn, steadyNow } from '../../base/timers.ts';
import { newPendingWrite, type PendingWrite } from '../../server/store/pending-write.ts';
import { type Database, type DedicatedConnection, sqlStateOf } from './database.ts';
import type { NodeLease } from './node-lease.ts';
import { changeRefusal, commitRefusal } from './refusals.ts';

/** Maximum size of a statement, unless a single row, which contains all waiting commits of a session, is larger. */
const MAX_STATEMENT_BYTES = 8 << 20;
/** Assumed minimum speed of a database, in bytes per millisecond, because a restored session may have hundreds of megabytes. */
const MIN_BYTES_PER_MS = 5000;

/**
 * THE FENCE. A row is inserted only while the node's lease is valid, and only if its number (`flush`) is free. The new owner of a
 * session first uses up the next number, so that late rows of the previous owner are rejected. A row is also rejected if the row
 * before it is missing, as after a failover to a standby. (A subquery for each row, because a join may be planned as a scan of the whole
 * journal while that is small, and the plan is cached.)
 */
const INSERT_FLUSH = `insert into sandbox.journal (session, flush, part, node, state, lines)
  select session, flush, 0, $1, state, lines
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) as row (session, flush, state, lines)
  where exists (select from sandbox.node where id = $1 and expires > clock_timestamp())
    and (select true from sandbox.journal as before
      where before.session = row.session and before.flush = row.flush - 1 limit 1)
  on conflict do nothing
  returning session`;

/** A commit, as it is added to its session's journal. */
export interface JournalEntry {
  /** The session's state as JSON; undefined if it did not change. */
  state: string | undefined;
  /** The changes as a line of JSON; empty if only the state changed. */
  line: string;
}

/** Commits of one session that are stored in one row. */
interface Row extends PendingWrite {
  entries: JournalEntry[];
  bytes: number;
}

/** A session's journal as its owner writes it. */
export interface SessionJournal {
  readonly name: string;
  readonly sessionNumber: number;
  /** The number of its last stored row. */
  lastFlush: number;
  /** Bytes of the rows after the last snapshot; approximate, because text beyond ASCII is counted by its characters. */
  bytes: number;
  /** Commits that wait for the next statement. */
  nextRow: Row | undefined;
  /** The completion of the row that is being sent: one at a time, because a stored number must prove that all lower ones are stored. */
  activeRow: Promise<void> | undefined;
  /** Called with the number of a row, at the moment when it is taken for sending and contains all commits so far. */
  onRowTaken: ((flush: number) => void) | undefined;
}

/** Stores the commits of all sessions of a node; commits at about the same time share a statement. */
export class GroupCommit {
  readonly #connection: DedicatedConnection;
  readonly #maxMs: number;
  readonly #lease: NodeLease;
  readonly #onLost: (session: SessionJournal) => void;
  readonly #waitingSessions = new Set<SessionJournal>();
  #isRunning = false;
  /** Why and when the database rejected the last statement; undefined if it did not. */
  #rejection: { reason: string; at: number } | undefined;

  /** `onLost` is called with each session whose commits may be lost, before their promises reject. */
  constructor(
    database: Database,
    lease: NodeLease,
    { maxMs, onLost }: { maxMs: number; onLost: (session: SessionJournal) => void },
  ) {
    this.#connection = database.newDedicatedConnection(maxMs);
    this.#maxMs = maxMs;
    this.#lease = lease;
    this.#onLost = onLost;
  }

  /**
   * Why the database currently rejects commits although it answers: a missing right, a full disk. It expires after the time of a lease,
   * because a node that is not ready may get no calls, and only a new commit can show that the database has recovered.
   */
  get failure(): string | undefined {
    const isRecent = this.#rejection && steadyNow() - this.#rejection.at < this.#maxMs;
    return isRecent ? this.#rejection?.reason : undefined;
  }

  /** Resolves when the entry is durable. Rejects with `moved` if it was not stored, and with OutcomeUnknown if that is unknown. */
  append(session: SessionJournal, entry: JournalEntry): Promise<void> {
    session.nextRow ??= { ...newPendingWrite(), entries: [], bytes: 0 };
    session.nextRow.entries.push(entry);
    session.nextRow.bytes += entry.line.length + (entry.state?.length ?? 0);
    this.#waitingSessions.add(session);
    const { completion } = session.nextRow;
    void this.#run();
    return completion;
  }

  /** Resolves when no commit of the session is being stored any more, even if some failed. */
  async waitUntilWritten(session: SessionJournal): Promise<void> {
    while (session.nextRow || session.activeRow) {
      await Promise.allSettled([session.nextRow?.completion, session.activeRow]);
    }
  }

  /** Refuses the session's commits that wait for the next statement; they were never sent. */
  abandon(session: SessionJournal, error?: unknown): void {
    const row = session.nextRow;
    session.nextRow = undefined;
    this.#waitingSessions.delete(session);
    row?.finish(changeRefusal(session.name, error));
  }

  close(): void {
    this.#connection.close();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    while (this.#waitingSessions.size > 0) {
      // All commits until the end of this turn share a statement, as far as they fit; the others wait for the next one.
      await endOfTurn();
      await this.#storeBatch(this.#takeBatch());
    }
    this.#isRunning = false;
  }

  #takeBatch(): Map<SessionJournal, Row> {
    const batch = new Map<SessionJournal, Row>();
    let bytes = 0;
    for (const session of this.#waitingSessions) {
      const row = session.nextRow;
      if (row && (bytes === 0 || bytes + row.bytes <= MAX_STATEMENT_BYTES)) {
        bytes += row.bytes;
        batch.set(session, row);
        session.nextRow = undefined;
        session.activeRow = row.completion;
        this.#waitingSessions.delete(session);
        session.onRowTaken?.(session.lastFlush + 1);
      }
    }
    return batch;
  }

  async #storeBatch(batch: Map<SessionJournal, Row>): Promise<void> {
    const rowBatch = [...batch].map(([session, row]) => ({ session, row, flush: session.lastFlush + 1 }));
    let storedSessionNumbers: ReadonlySet<number> = new Set();
    let isSent = false;
    let failure: unknown;
    try {
      // Without a fresh lease, nothing is sent, and the sessions are lost, because other nodes may own them.
      if (this.#lease.isFresh) {
        await this.#connection.open();
        isSent = true;
        storedSessionNumbers = await this.#send(rowBatch);
        this.#rejection = undefined;
      }
    } catch (error) {
      failure = error;
      this.#rejection = rejectionIn(error);
    }
    for (const { session, row, flush } of rowBatch) {
      session.activeRow = undefined;
      if (storedSessionNumbers.has(session.sessionNumber)) {
        session.lastFlush = flush;
        session.bytes += row.bytes;
        row.finish();
      } else {
        const refusal =
          isSent && failure !== undefined ? commitRefusal(session.name, failure) : changeRefusal(session.name, failure);
        row.finish(this.#loseSession(session) ?? refusal);
        this.abandon(session, failure);
      }
    }
  }

  /** Returns the error that a callback throws, so that commits of other sessions are not affected by it. */
  #loseSession(session: SessionJournal): unknown {
    try {
      this.#onLost(session);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Sends one row for each session; resolves with the numbers of the sessions whose rows were stored. */
  async #send(rowBatch: readonly { session: SessionJournal; row: Row; flush: number }[]): Promise<ReadonlySet<number>> {
    const bytes = rowBatch.reduce((sum, { row }) => sum + row.bytes, 0);
    const { rows } = await this.#connection.query<{ session: string }>({
      name: 'flush',
      text: INSERT_FLUSH,
      maxMs: this.#maxMs + bytes / MIN_BYTES_PER_MS,
      values: [
        this.#lease.id,
        rowBatch.map(({ session }) => session.sessionNumber),
        rowBatch.map(({ flush }) => flush),
        rowBatch.map(({ row }) => row.entries.findLast(({ state }) => state !== undefined)?.state ?? null),
        rowBatch.map(({ row }) => row.entries.flatMap(({ line }) => (line === '' ? [] : line)).join('\n')),
      ],
    });
    return new Set(rows.map(({ session }) => Number(session)));
  }
}

/** SQLSTATE classes of a working database that rejects writes: missing rights, standby, full disk. */
const REJECTED_WRITES = /^(?:25|28|3D|3F|42|53)/;

function rejectionIn(error: unknown): { reason: string; at: number } | undefined {
  const message = messageOf(error);
  return REJECTED_WRITES.test(sqlStateOf(error))
    ? { reason: `the database rejects changes (${message})`, at: steadyNow() }
    : undefined;
}
