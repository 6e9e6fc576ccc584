import { messageOf } from '../../base/errors.ts';
import { endOfTurn, steadyNow } from '../../base/timers.ts';
import { newPending, type Pending } from '../../server/store/pending.ts';
import { type Database, type Line, sqlStateOf } from './database.ts';
import type { NodeLease } from './node-lease.ts';
import { failed, notKept } from './not-here.ts';

/** Bytes of one flush at most, unless a single commit is larger. */
const MOST_BYTES = 8 << 20;
/** How slow a database may be, in bytes per millisecond: a restored session may bring hundreds of megabytes. */
const LEAST_SPEED = 5000;

/**
 * THE FENCE. A row goes in only while the node's lease runs, and only under a number that is free: whoever takes a session over
 * takes the next number first, so that what its owner of before still sends comes too late, whatever that one believes. Nor does a row
 * go in after one that the database lost, as one may that was a standby: the session is read again then. (By a subquery that is
 * looked up for each row: a join may be planned as a scan of the whole journal while that is new, and the plan stays.)
 */
const FLUSH = `insert into sandbox.journal (session, flush, part, node, state, lines)
  select session, flush, 0, $1, state, lines
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) as row (session, flush, state, lines)
  where exists (select from sandbox.node where id = $1 and expires > clock_timestamp())
    and (select true from sandbox.journal as before
      where before.session = row.session and before.flush = row.flush - 1 limit 1)
  on conflict do nothing
  returning session`;

/** What one commit adds to its session's journal. */
export interface Entry {
  /** The session's state as JSON; undefined where it stays as it is. */
  state: string | undefined;
  /** The changes as a line of JSON; empty where there are none. */
  line: string;
}

/** Commits of one session that go in one row. */
interface Row extends Pending {
  entries: Entry[];
  bytes: number;
}

/** A session's journal as its owner writes it. */
export interface Writable {
  readonly name: string;
  readonly number: number;
  /** Number of its last flush. */
  flush: number;
  /** Bytes of the rows. */
  bytes: number;
  /** Commits that wait for the next flush. */
  waiting: Row | undefined;
  /** The row that is on its way; only one at a time, or a number would say nothing of those before it. */
  flushing: Promise<void> | undefined;
  /** Called in the moment that a flush takes everything that was committed so far, with the number it gets. */
  onFlush: ((flush: number) => void) | undefined;
}

/** Keeps the commits of all of a node's sessions, those that come at about the same time in one statement. */
export class GroupCommit {
  readonly #line: Line;
  readonly #mostMilliseconds: number;
  readonly #lease: NodeLease;
  readonly #onLost: (session: Writable) => void;
  readonly #waiting = new Set<Writable>();
  #isRunning = false;
  /** The last refusal of the database, as long as nothing was kept since. */
  #refusal: { reason: string; at: number } | undefined;

  /** `onLost` is called with each session whose commits may not have been kept, before anybody else hears of it. */
  constructor(
    database: Database,
    lease: NodeLease,
    { mostMilliseconds, onLost }: { mostMilliseconds: number; onLost: (session: Writable) => void },
  ) {
    this.#line = database.line(mostMilliseconds);
    this.#mostMilliseconds = mostMilliseconds;
    this.#lease = lease;
    this.#onLost = onLost;
  }

  /**
   * Why the database keeps nothing at present, though it answers: a right that is missing, a full disk. As nothing may come here
   * while that is so, it counts for the time of a lease, and is tried again then.
   */
  get failure(): string | undefined {
    const isRecent = this.#refusal && steadyNow() - this.#refusal.at < this.#mostMilliseconds;
    return isRecent ? this.#refusal?.reason : undefined;
  }

  /** Resolves when the entry is durable. Rejects with `moved` where it is not, and with OutcomeUnknown where nobody knows. */
  append(session: Writable, entry: Entry): Promise<void> {
    session.waiting ??= { ...newPending(), entries: [], bytes: 0 };
    session.waiting.entries.push(entry);
    session.waiting.bytes += entry.line.length + (entry.state?.length ?? 0);
    this.#waiting.add(session);
    const { durable } = session.waiting;
    void this.#run();
    return durable;
  }

  /** Resolves when nothing of the session is on its way, whatever came of it. */
  async settled(session: Writable): Promise<void> {
    while (session.waiting || session.flushing) {
      await Promise.allSettled([session.waiting?.durable, session.flushing]);
    }
  }

  /** Takes no more of the session: what waits for the next flush is refused. It was never sent. */
  abandon(session: Writable, error?: unknown): void {
    const row = session.waiting;
    session.waiting = undefined;
    this.#waiting.delete(session);
    row?.settle(notKept(session.name, error));
  }

  close(): void {
    this.#line.close();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      // All commits of this turn go in one statement; later ones gather meanwhile.
      await endOfTurn();
      await this.#flush(this.#take());
    }
    this.#isRunning = false;
  }

  #take(): Map<Writable, Row> {
    const batch = new Map<Writable, Row>();
    let bytes = 0;
    for (const session of this.#waiting) {
      const row = session.waiting;
      if (row && (bytes === 0 || bytes + row.bytes <= MOST_BYTES)) {
        bytes += row.bytes;
        batch.set(session, row);
        session.waiting = undefined;
        session.flushing = row.durable;
        this.#waiting.delete(session);
        session.onFlush?.(session.flush + 1);
      }
    }
    return batch;
  }

  async #flush(batch: Map<Writable, Row>): Promise<void> {
    const sent = [...batch].map(([session, row]) => ({ session, row, flush: session.flush + 1 }));
    let kept: ReadonlySet<number> = new Set();
    let isSent = false;
    let failure: unknown;
    try {
      if (this.#lease.isFresh) {
        await this.#line.ready();
        isSent = true;
        kept = await this.#send(sent);
        this.#refusal = undefined;
      }
    } catch (error) {
      failure = error;
      this.#refusal = refusalIn(error);
    }
    for (const { session, row, flush } of sent) {
      session.flushing = undefined;
      if (kept.has(session.number)) {
        session.flush = flush;
        session.bytes += row.bytes;
        row.settle();
      } else {
        const refused =
          isSent && failure !== undefined ? failed(session.name, failure) : notKept(session.name, failure);
        row.settle(this.#lose(session) ?? refused);
        this.abandon(session, failure);
      }
    }
  }

  /** Whatever goes wrong with those who are told, other sessions' commits go on. Returns what it was. */
  #lose(session: Writable): unknown {
    try {
      this.#onLost(session);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** The numbers of the sessions whose rows were kept: each has one row in it. */
  async #send(sent: readonly { session: Writable; row: Row; flush: number }[]): Promise<ReadonlySet<number>> {
    const bytes = sent.reduce((sum, { row }) => sum + row.bytes, 0);
    const { rows } = await this.#line.query<{ session: string }>({
      name: 'flush',
      text: FLUSH,
      mostMilliseconds: this.#mostMilliseconds + bytes / LEAST_SPEED,
      values: [
        this.#lease.id,
        sent.map(({ session }) => session.number),
        sent.map(({ flush }) => flush),
        sent.map(({ row }) => row.entries.findLast(({ state }) => state !== undefined)?.state ?? null),
        sent.map(({ row }) => row.entries.flatMap(({ line }) => (line === '' ? [] : line)).join('\n')),
      ],
    });
    return new Set(rows.map(({ session }) => Number(session)));
  }
}

/** SQLSTATE classes in which the database itself is sound, and does not take what it is given: rights, standbys, full disks. */
const REFUSING = /^(?:25|28|3D|3F|42|53)/;

function refusalIn(error: unknown): { reason: string; at: number } | undefined {
  const message = messageOf(error);
  return REFUSING.test(sqlStateOf(error))
    ? { reason: `the database keeps nothing (${message})`, at: steadyNow() }
    : undefined;
}
