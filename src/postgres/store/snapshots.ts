import type { CapturedSession } from '../../server/store/memory/tables.ts';
import { type Database, longQuery } from './database.ts';
import type { SessionJournal } from './group-commit.ts';
import type { NodeLease } from './node-lease.ts';
import { snapshotRows } from './session-rows.ts';

/** Smaller journals are not compacted. */
const MIN_COMPACTED_BYTES = 4 << 20;
/** A journal is compacted when it is this many times as large as its last snapshot. */
const GROWTH_FACTOR = 2;

const LOCK_SESSION = 'select from sandbox.session where number = $1 and owner = $2 for update';
const INSERT_ROW = `insert into sandbox.journal (session, flush, part, node, state, lines) values ($1, $2, $3, $4, $5, $6)`;
/** Keeps empty rows, which mark changes of the owner, for as long as late rows of a previous owner may arrive. */
const DELETE_OLDER_ROWS = `delete from sandbox.journal where session = $1 and (flush < $2 or (flush = $2 and part = 0))
  and not (lines = '' and state is null and written > clock_timestamp() - interval '1 hour')`;

interface OwnedJournal extends SessionJournal {
  /** Bytes of its last snapshot. */
  snapshotBytes: number;
}

/** Writes the data of a session as a whole, in place of all earlier commits. */
export class Snapshots {
  readonly #database: Database;
  readonly #lease: NodeLease;
  readonly #minCompactedBytes: number;
  readonly #snapshotWrites = new Map<OwnedJournal, Promise<void>>();

  constructor(database: Database, lease: NodeLease, minCompactedBytes = MIN_COMPACTED_BYTES) {
    this.#database = database;
    this.#lease = lease;
    this.#minCompactedBytes = minCompactedBytes;
  }

  isDue(session: OwnedJournal): boolean {
    return session.bytes > Math.max(this.#minCompactedBytes, GROWTH_FACTOR * session.snapshotBytes);
  }

  /** Captures the data when the next row is taken, because it then equals the journal, and writes it once that row is stored. */
  plan(session: OwnedJournal, capture: () => CapturedSession | undefined, onWarning: (message: string) => void): void {
    if (session.onRowTaken || this.#snapshotWrites.has(session)) {
      return;
    }
    session.onRowTaken = (flush) => {
      session.onRowTaken = undefined;
      const snapshot = capture();
      const snapshotWrite = session.activeRow
        ?.then(() => snapshot && this.#write(session, snapshot, flush))
        .catch((error: Error) =>
          onWarning(`session ${session.name} could not be compacted (${error.message}); nothing is lost`),
        )
        .finally(() => this.#snapshotWrites.delete(session));
      if (snapshotWrite) {
        this.#snapshotWrites.set(session, snapshotWrite);
      }
    };
  }

  /** Writes the snapshot as of a stored row. Throws without a change if this node no longer owns the session. */
  async #write(session: OwnedJournal, snapshot: CapturedSession, flush: number): Promise<void> {
    const bytesBefore = session.bytes;
    let bytes = 0;
    await this.#database.transaction(async (client) => {
      let part = 0;
      for (const { state, lines } of snapshotRows(snapshot)) {
        part += 1;
        bytes += Buffer.byteLength(lines);
        await client.query(longQuery(INSERT_ROW, [session.sessionNumber, flush, part, this.#lease.id, state, lines]));
      }
      // Locked only now, because a node that is suspended while writing the rows would block the session for the others.
      const { rowCount } = await client.query(LOCK_SESSION, [session.sessionNumber, this.#lease.id]);
      if (rowCount === 0) {
        throw new Error('it was deleted, or is at another node now');
      }
      await client.query(longQuery(DELETE_OLDER_ROWS, [session.sessionNumber, flush]));
    });
    session.snapshotBytes = bytes;
    session.bytes = Math.max(0, session.bytes - bytesBefore);
  }

  async waitUntilWritten(): Promise<void> {
    await Promise.all(this.#snapshotWrites.values());
  }
}
