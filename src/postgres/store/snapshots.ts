import type { CapturedSession } from '../../server/store/memory/tables.ts';
import { type Database, longQuery } from './database.ts';
import type { Writable } from './group-commit.ts';
import type { NodeLease } from './node-lease.ts';
import { snapshotRows } from './session-rows.ts';

/** A journal of so many bytes, some thousand payments, is always left as it is. */
const SMALL = 4 << 20;
/** From how many times the bytes of its last snapshot on a journal is written anew. */
const FACTOR = 2;

const LOCK = 'select from sandbox.session where number = $1 and owner = $2 for update';
const ADD = `insert into sandbox.journal (session, flush, part, node, state, lines) values ($1, $2, $3, $4, $5, $6)`;
/** Empty rows say who had the session since; they stay as long as anybody of before might still be heard of. */
const CLEAR = `delete from sandbox.journal where session = $1 and (flush < $2 or (flush = $2 and part = 0))
  and not (lines = '' and state is null and written > clock_timestamp() - interval '1 hour')`;

/** What a snapshot needs to know of its session. */
interface Snapshotted extends Writable {
  snapshotBytes: number;
}

/** Writes what a session keeps as a whole, in place of all the commits that made it so. */
export class Snapshots {
  readonly #database: Database;
  readonly #lease: NodeLease;
  readonly #small: number;
  readonly #underWay = new Map<Snapshotted, Promise<void>>();

  constructor(database: Database, lease: NodeLease, small = SMALL) {
    this.#database = database;
    this.#lease = lease;
    this.#small = small;
  }

  isDue(session: Snapshotted): boolean {
    return session.bytes > Math.max(this.#small, FACTOR * session.snapshotBytes);
  }

  /** Writes one as soon as what is in memory is what a flush has kept. Commits go on meanwhile. */
  plan(session: Snapshotted, capture: () => CapturedSession | undefined, onWarning: (message: string) => void): void {
    if (session.onFlush || this.#underWay.has(session)) {
      return;
    }
    session.onFlush = (flush) => {
      session.onFlush = undefined;
      const captured = capture();
      const written = session.flushing
        ?.then(() => captured && this.write(session, captured, flush))
        .catch((error: Error) =>
          onWarning(`session ${session.name} could not be written anew (${error.message}); nothing is lost`),
        )
        .finally(() => this.#underWay.delete(session));
      if (written) {
        this.#underWay.set(session, written);
      }
    };
  }

  /** Writes one as of a flush that is kept. Throws, having written nothing, where the session is not this node's any more. */
  async write(session: Snapshotted, captured: CapturedSession, flush: number): Promise<void> {
    const before = session.bytes;
    let bytes = 0;
    await this.#database.transaction(async (client) => {
      let part = 0;
      for (const { state, lines } of snapshotRows(captured)) {
        part += 1;
        bytes += Buffer.byteLength(lines);
        await client.query(longQuery(ADD, [session.number, flush, part, this.#lease.id, state, lines]));
      }
      // Not before: a node that is gone in the midst of the rows would keep the session from the others.
      const { rowCount } = await client.query(LOCK, [session.number, this.#lease.id]);
      if (rowCount === 0) {
        throw new Error('it was deleted meanwhile, or is at another node');
      }
      await client.query(longQuery(CLEAR, [session.number, flush]));
    });
    session.snapshotBytes = bytes;
    session.bytes = Math.max(0, session.bytes - before);
  }

  /** Resolves when none is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }
}
