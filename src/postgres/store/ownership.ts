import type { ClientBase } from 'pg';
import { isRefusedAs, Refusal } from '../../base/refusal.ts';
import { type Database, longQuery } from './database.ts';
import type { NodeLease } from './node-lease.ts';
import type { JournalRow } from './session-rows.ts';
import type { Leaving } from './shared-store.ts';

/**
 * A lease that has run out ends here and for good: a renewal that began in time and is not committed yet is waited for, and one that
 * comes later finds nothing to renew. By its time alone, its node and another might both be certain to have the session.
 */
const OWNER = `with ended as (delete from sandbox.node using sandbox.session
    where session.name = $1 and node.id = session.owner and node.expires <= clock_timestamp() returning node.id)
  select owner, case when owner <> $2 and node.expires > clock_timestamp() then address end as address,
    owner is null or owner = $2 or node.id is null or ended.id is not null as "isFree"
  from sandbox.session left join sandbox.node on node.id = owner left join ended on ended.id = owner
  where name = $1`;
const OTHERS = 'select address from sandbox.node where id <> $1 and expires > clock_timestamp()';
/** What the node sent under an earlier claim, and the database does late, does nothing: each claim has an `xmin` of its own. */
const TAKE = `update sandbox.session set owner = $2, next_due = null
  where name = $1 and owner is not distinct from $3 returning number, xmin::text as claim`;
const MAKE = `insert into sandbox.session (name, owner)
  select $1, $2 where (select count(*) from sandbox.session) < $3
  on conflict (name) do nothing returning number, xmin::text as claim`;
/** A row where a session is not there and there is no room for it. */
const FULL = `select where not exists (select from sandbox.session where name = $1)
  and (select count(*) from sandbox.session) >= $2`;
/** The owner's first row, which has nothing in it, takes the number that whoever had the session before would use next. */
const MARK = `insert into sandbox.journal (session, flush, part, node, lines)
  select $1, coalesce(max(flush), 0) + 1, 0, $2, '' from sandbox.journal where session = $1
  on conflict do nothing returning flush`;
/** The last snapshot, and what came after it. */
const ROWS = `with snapshot as (select coalesce(max(flush), 0) as flush from sandbox.journal where session = $1 and part > 0)
  select journal.state, lines, part, octet_length(lines) as bytes from sandbox.journal, snapshot
  where session = $1 and (journal.flush > snapshot.flush or (journal.flush = snapshot.flush and part > 0))
  order by journal.flush, part`;

const UNATTENDED = `(select name from sandbox.session where owner is null and next_due <= clock_timestamp() limit $1)
  union all (select name from sandbox.session where owner is not null
    and not exists (select from sandbox.node where id = session.owner and expires > clock_timestamp()) limit $1)
  union all (select name from sandbox.session where owner = $2 and name = any($3))`;
const STATES = `select session.name, last.state from sandbox.session cross join lateral (
    select journal.state from sandbox.journal where journal.session = session.number and journal.state is not null
    order by flush desc, part desc limit 1) as last
  order by session.number`;
/** Sessions that are looked for at a time. */
const MOST_UNATTENDED = 100;
const RELEASE = `update sandbox.session set owner = null,
    next_due = clock_timestamp() + due_in * interval '1 ms', used = clock_timestamp() - unused_for * interval '1 ms'
  from unnest($2::bigint[], $3::float8[], $4::float8[], $5::text[]) as leaving (number, due_in, unused_for, claim)
  where session.number = leaving.number and owner = $1 and session.xmin = leaving.claim::xid`;
const FORGET = `with gone as (
    delete from sandbox.session where number = $1 and owner = $2 and xmin = $3::text::xid returning number),
    rows as (delete from sandbox.journal using gone where session = gone.number)
  select from gone`;
const EXPIRE = `with expired as (delete from sandbox.session
    where owner is null and used < clock_timestamp() - $1 * interval '1 ms' and name <> $2 returning number, name),
  rows as (delete from sandbox.journal using expired where session = expired.number)
  select name from expired`;

/** A session that is this node's now. */
export interface Claim {
  readonly number: number;
  /** The row's `xmin`: another one each time that the session is taken, by the same node too. */
  readonly claim: string;
}

/** A session that is this node's now, as it was left. */
export interface Taken extends Claim {
  rows: JournalRow[];
  /** The last number that is used. */
  flush: number;
  /** Bytes of the snapshot among the rows, and of the others. */
  snapshotBytes: number;
  bytes: number;
}

/** Who has a session. */
export interface Owner {
  /** The id of its node; null where none has it. */
  owner: string | null;
  /** Where another node that is alive has it. */
  address: string | null;
  /** Whether it can be taken; neither that nor at an address where its node is just coming back, or going. */
  isFree: boolean;
}

const NOBODY: Owner = { owner: null, address: null, isFree: true };

/** Who has which session, as the database says. */
export class Ownership {
  readonly #database: Database;
  readonly #lease: NodeLease;
  readonly #mostSessions: number;
  readonly #doubtful = new Set<string>();

  constructor(database: Database, lease: NodeLease, mostSessions: number) {
    this.#database = database;
    this.#lease = lease;
    this.#mostSessions = mostSessions;
  }

  async ownerOf(session: string): Promise<Owner> {
    const { rows } = await this.#database.query<Owner>(OWNER, [session, this.#lease.id]);
    return rows[0] ?? NOBODY;
  }

  async others(): Promise<string[]> {
    const { rows } = await this.#database.query<{ address: string }>(OTHERS, [this.#lease.id]);
    return rows.map(({ address }) => address);
  }

  /** All sessions that have kept anything, in order of creation, with their states as JSON. */
  async states(): Promise<{ name: string; state: string }[]> {
    const { rows } = await this.#database.query<{ name: string; state: string }>(longQuery(STATES));
    return rows;
  }

  /** Takes the session from an owner that is gone, or makes it where there is none. Undefined where another node was faster. Throws `too-many-sessions`. */
  async take(session: string, { owner }: Owner): Promise<Taken | undefined> {
    const node = this.#lease.id;
    const taken = await this.#database.transaction(async (client) => {
      const own = await this.#own(client, [session, node, owner]);
      return own && { ...own, flush: await mark(client, own.number, node) };
    });
    if (!taken) {
      await this.#expectRoom(session);
      return undefined;
    }
    return this.#read(taken);
  }

  /** Lets other nodes have the sessions. */
  async release(sessions: readonly (Claim & Leaving)[]): Promise<void> {
    await this.#database.query(RELEASE, [
      this.#lease.id,
      sessions.map(({ number }) => number),
      sessions.map(({ dueIn }) => dueIn ?? null),
      sessions.map(({ unusedFor }) => unusedFor),
      sessions.map(({ claim }) => claim),
    ]);
  }

  /** Forgets a session and all that was kept of it. Resolves with whether it was this node's to forget. */
  async forget({ number, claim }: Claim): Promise<boolean> {
    const { rowCount } = await this.#database.query(longQuery(FORGET, [number, this.#lease.id, claim]));
    return rowCount === 1;
  }

  /**
   * The session is not here, and yet the database may say so, since an answer of it was lost: no other node looks after it then. What
   * could not be read is looked at when it is called.
   */
  doubt(session: string, why?: unknown): void {
    if (!isRefusedAs(why, 'unreadable-session')) {
      this.#doubtful.add(session);
    }
  }

  /** Some of the sessions that nobody has in which something is due, and of those whose node is gone; of the doubtful ones all that are this node's. */
  async unattended(): Promise<string[]> {
    const doubtful = [...this.#doubtful];
    this.#doubtful.clear();
    try {
      const values = [MOST_UNATTENDED, this.#lease.id, doubtful];
      const { rows } = await this.#database.query<{ name: string }>(UNATTENDED, values);
      return rows.map(({ name }) => name);
    } catch (error) {
      for (const session of doubtful) {
        this.doubt(session);
      }
      throw error;
    }
  }

  /** Forgets the sessions that nobody has and that were not used for so many milliseconds, except the one that is named. Returns their names. */
  async expire(milliseconds: number, except: string): Promise<string[]> {
    const { rows } = await this.#database.query<{ name: string }>(longQuery(EXPIRE, [milliseconds, except]));
    return rows.map(({ name }) => name);
  }

  /** Apart from the transaction: as long as that is open, nobody else could take the session from a node that is gone. */
  async #read(taken: Claim & { flush: number }): Promise<Taken> {
    const { rows } = await this.#database.query<JournalRow & { bytes: number; part: number }>(
      longQuery(ROWS, [taken.number]),
    );
    const bytesOf = (isSnapshot: boolean) =>
      rows.reduce((sum, row) => sum + (row.part > 0 === isSnapshot ? row.bytes : 0), 0);
    return { ...taken, rows, bytes: bytesOf(false), snapshotBytes: bytesOf(true) };
  }

  async #own(
    client: ClientBase,
    [session, node, before]: [session: string, node: string, before: string | null],
  ): Promise<Claim | undefined> {
    const taken = await client.query<{ number: string; claim: string }>(TAKE, [session, node, before]);
    const made = taken.rowCount
      ? taken
      : await client.query<{ number: string; claim: string }>(MAKE, [session, node, this.#mostSessions]);
    const [row] = made.rows;
    return row && { number: Number(row.number), claim: row.claim };
  }

  /** A session that is not there, and there is room for it, was made and forgotten by another node meanwhile. */
  async #expectRoom(session: string): Promise<void> {
    const { rowCount } = await this.#database.query(FULL, [session, this.#mostSessions]);
    if (rowCount === 1) {
      throw new Refusal(
        'too-many-sessions',
        `there are ${this.#mostSessions} sessions, the maximum (--max-sessions); delete some first`,
      );
    }
  }
}

async function mark(client: ClientBase, number: number, node: string): Promise<number> {
  let flush = await markIn(client, number, node);
  // What the owner of before still sent has the number: it is kept, and the next one is ours.
  while (flush === undefined) {
    flush = await markIn(client, number, node);
  }
  return flush;
}

async function markIn(client: ClientBase, session: number, node: string): Promise<number | undefined> {
  const { rows } = await client.query<{ flush: string }>(MARK, [session, node]);
  return rows[0] && Number(rows[0].flush);
}
