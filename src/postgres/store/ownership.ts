import type { ClientBase } from 'pg';
import { isRefusedAs, Refusal } from '../../base/refusal.ts';
import { type Database, longQuery } from './database.ts';
import type { NodeLease } from './node-lease.ts';
import type { JournalRow } from './session-rows.ts';
import type { IdleFacts } from './shared-store.ts';

/**
 * Finds the owner of a session. Deletes that node's lease if it has expired, and waits for a renewal that is not committed yet: if only the
 * time were compared, the renewal could still succeed, and that node and another might both be certain to own the session.
 */
const FIND_OWNER = `with ended as (delete from sandbox.node using sandbox.session
    where session.name = $1 and node.id = session.owner and node.expires <= clock_timestamp() returning node.id)
  select owner, case when owner <> $2 and node.expires > clock_timestamp() then address end as address,
    owner is null or owner = $2 or node.id is null or ended.id is not null as "isFree"
  from sandbox.session left join sandbox.node on node.id = owner left join ended on ended.id = owner
  where name = $1`;
const OTHER_ADDRESSES = 'select address from sandbox.node where id <> $1 and expires > clock_timestamp()';
/** Each claim gets a new `xmin`, so that a late release or deletion by this node under an earlier claim has no effect. */
const TAKE_SESSION = `update sandbox.session set owner = $2, next_due = null
  where name = $1 and owner is not distinct from $3 returning number, xmin::text as xmin`;
const CREATE_SESSION = `insert into sandbox.session (name, owner)
  select $1, $2 where (select count(*) from sandbox.session) < $3
  on conflict (name) do nothing returning number, xmin::text as xmin`;
/** Returns a row if a session does not exist and there is no room for it. */
const LACKS_ROOM = `select where not exists (select from sandbox.session where name = $1)
  and (select count(*) from sandbox.session) >= $2`;
/** The new owner's first row is empty, and takes the number that the previous owner would use next. */
const INSERT_MARK = `insert into sandbox.journal (session, flush, part, node, lines)
  select $1, coalesce(max(flush), 0) + 1, 0, $2, '' from sandbox.journal where session = $1
  on conflict do nothing returning flush`;
/** The last snapshot and all later rows. */
const SESSION_ROWS = `with snapshot as (select coalesce(max(flush), 0) as flush from sandbox.journal where session = $1 and part > 0)
  select journal.state, lines, part, octet_length(lines) as bytes from sandbox.journal, snapshot
  where session = $1 and (journal.flush > snapshot.flush or (journal.flush = snapshot.flush and part > 0))
  order by journal.flush, part`;

const SESSIONS_TO_CLAIM = `(select name from sandbox.session where owner is null and next_due <= clock_timestamp() limit $1)
  union all (select name from sandbox.session where owner is not null
    and not exists (select from sandbox.node where id = session.owner and expires > clock_timestamp()) limit $1)
  union all (select name from sandbox.session where owner = $2 and name = any($3))`;
const SESSION_STATES = `select session.name, last.state from sandbox.session cross join lateral (
    select journal.state from sandbox.journal where journal.session = session.number and journal.state is not null
    order by flush desc, part desc limit 1) as last
  order by session.number`;
/** Maximum of due sessions, and of sessions whose node is gone, that one search returns. */
const MAX_TO_CLAIM = 100;
const RELEASE_SESSIONS = `update sandbox.session set owner = null,
    next_due = clock_timestamp() + due_in * interval '1 ms', used = clock_timestamp() - unused_for * interval '1 ms'
  from unnest($2::bigint[], $3::float8[], $4::float8[], $5::text[]) as released (number, due_in, unused_for, xmin)
  where session.number = released.number and owner = $1 and session.xmin = released.xmin::xid`;
const DELETE_SESSION = `with deleted as (
    delete from sandbox.session where number = $1 and owner = $2 and xmin = $3::text::xid returning number),
    rows as (delete from sandbox.journal using deleted where session = deleted.number)
  select from deleted`;
const EXPIRE_SESSIONS = `with expired as (delete from sandbox.session
    where owner is null and used < clock_timestamp() - $1 * interval '1 ms' and name <> $2 returning number, name),
  rows as (delete from sandbox.journal using expired where session = expired.number)
  select name from expired`;

/** The key of a session, and the proof that this node has claimed it. */
export interface Claim {
  readonly sessionNumber: number;
  /** The row's `xmin`, which changes each time that the session is taken, even by the same node. */
  readonly xmin: string;
}

/** A session that this node has just taken, with its stored data. */
export interface ClaimedSession extends Claim {
  rows: JournalRow[];
  /** The highest number of a row (`flush`) that is in use. */
  lastFlush: number;
  /** Bytes of the rows that are a snapshot. */
  snapshotBytes: number;
  bytes: number;
}

/** The owner of a session, as this node sees it. */
export interface Owner {
  /** The id of the node; null if the session has no owner. */
  owner: string | null;
  /** The address of the owner, if it is another live node. */
  address: string | null;
  /** Whether the session can be taken. False, without an address, if the owner's lease expires or is renewed during the query. */
  isFree: boolean;
}

const NO_OWNER: Owner = { owner: null, address: null, isFree: true };

/** Reads and changes the owners of sessions in the database. */
export class Ownership {
  readonly #database: Database;
  readonly #lease: NodeLease;
  readonly #maxSessions: number;
  readonly #uncertainSessions = new Set<string>();

  constructor(database: Database, lease: NodeLease, maxSessions: number) {
    this.#database = database;
    this.#lease = lease;
    this.#maxSessions = maxSessions;
  }

  /** Also deletes the owner's lease if that has expired. */
  async ownerOf(session: string): Promise<Owner> {
    const { rows } = await this.#database.query<Owner>(FIND_OWNER, [session, this.#lease.id]);
    return rows[0] ?? NO_OWNER;
  }

  async otherAddresses(): Promise<string[]> {
    const { rows } = await this.#database.query<{ address: string }>(OTHER_ADDRESSES, [this.#lease.id]);
    return rows.map(({ address }) => address);
  }

  /** All sessions with stored data, in order of creation, with their states as JSON. */
  async states(): Promise<{ name: string; state: string }[]> {
    const { rows } = await this.#database.query<{ name: string; state: string }>(longQuery(SESSION_STATES));
    return rows;
  }

  /** Claims a session that is free, or creates it. Undefined if another node was faster. Throws `too-many-sessions`. */
  async claim(session: string, { owner }: Owner): Promise<ClaimedSession | undefined> {
    const node = this.#lease.id;
    const claimedSession = await this.#database.transaction(async (client) => {
      const claim = await this.#setOwner(client, [session, node, owner]);
      return claim && { ...claim, lastFlush: await insertMark(client, claim.sessionNumber, node) };
    });
    if (!claimedSession) {
      await this.#assertRoom(session);
      return undefined;
    }
    return this.#read(claimedSession);
  }

  async release(sessions: readonly (Claim & IdleFacts)[]): Promise<void> {
    await this.#database.query(RELEASE_SESSIONS, [
      this.#lease.id,
      sessions.map(({ sessionNumber }) => sessionNumber),
      sessions.map(({ dueInMs }) => dueInMs ?? null),
      sessions.map(({ unusedMs }) => unusedMs),
      sessions.map(({ xmin }) => xmin),
    ]);
  }

  /** Deletes a session and its data. Resolves with false, without a change, if this node does not own it. */
  async delete({ sessionNumber, xmin }: Claim): Promise<boolean> {
    const { rowCount } = await this.#database.query(longQuery(DELETE_SESSION, [sessionNumber, this.#lease.id, xmin]));
    return rowCount === 1;
  }

  /**
   * Makes this node claim the session again: it may be the owner in the database although the session is not in memory, and no other node
   * would take it. Ignores an unreadable session, which is read again when it is called.
   */
  markUncertain(session: string, reason?: unknown): void {
    if (!isRefusedAs(reason, 'unreadable-session')) {
      this.#uncertainSessions.add(session);
    }
  }

  async sessionsToClaim(): Promise<string[]> {
    const sessions = [...this.#uncertainSessions];
    this.#uncertainSessions.clear();
    try {
      const values = [MAX_TO_CLAIM, this.#lease.id, sessions];
      const { rows } = await this.#database.query<{ name: string }>(SESSIONS_TO_CLAIM, values);
      return rows.map(({ name }) => name);
    } catch (error) {
      for (const session of sessions) {
        this.markUncertain(session);
      }
      throw error;
    }
  }

  async expire(unusedMs: number, exceptSession: string): Promise<string[]> {
    const { rows } = await this.#database.query<{ name: string }>(
      longQuery(EXPIRE_SESSIONS, [unusedMs, exceptSession]),
    );
    return rows.map(({ name }) => name);
  }

  /** Runs after the transaction, because while that is open, no node could take the session if this one died. */
  async #read(claimedSession: Claim & { lastFlush: number }): Promise<ClaimedSession> {
    const { rows } = await this.#database.query<JournalRow & { bytes: number; part: number }>(
      longQuery(SESSION_ROWS, [claimedSession.sessionNumber]),
    );
    const bytesOf = (isSnapshot: boolean) =>
      rows.reduce((sum, row) => sum + (row.part > 0 === isSnapshot ? row.bytes : 0), 0);
    return { ...claimedSession, rows, bytes: bytesOf(false), snapshotBytes: bytesOf(true) };
  }

  async #setOwner(
    client: ClientBase,
    [session, node, previousOwner]: [session: string, node: string, previousOwner: string | null],
  ): Promise<Claim | undefined> {
    const result = await client.query<{ number: string; xmin: string }>(TAKE_SESSION, [session, node, previousOwner]);
    const claimResult = result.rowCount
      ? result
      : await client.query<{ number: string; xmin: string }>(CREATE_SESSION, [session, node, this.#maxSessions]);
    const [row] = claimResult.rows;
    return row && { sessionNumber: Number(row.number), xmin: row.xmin };
  }

  /** Does not throw if another node has created the session since, or another session was deleted. */
  async #assertRoom(session: string): Promise<void> {
    const { rowCount } = await this.#database.query(LACKS_ROOM, [session, this.#maxSessions]);
    if (rowCount === 1) {
      throw new Refusal(
        'too-many-sessions',
        `there are ${this.#maxSessions} sessions, the maximum (--max-sessions); delete some first`,
      );
    }
  }
}

async function insertMark(client: ClientBase, sessionNumber: number, node: string): Promise<number> {
  let flush = await tryToInsertMark(client, sessionNumber, node);
  // A late row of the previous owner has the number: that row is valid, and ours gets the next number.
  while (flush === undefined) {
    flush = await tryToInsertMark(client, sessionNumber, node);
  }
  return flush;
}

async function tryToInsertMark(client: ClientBase, session: number, node: string): Promise<number | undefined> {
  const { rows } = await client.query<{ flush: string }>(INSERT_MARK, [session, node]);
  return rows[0] && Number(rows[0].flush);
}
