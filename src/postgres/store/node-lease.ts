import { nanoid } from 'nanoid';
import { afterMilliseconds, machineNow, steadyNow } from '../../base/timers.ts';
import type { Database, Line } from './database.ts';

/** The lease is renewed so many times in its length. */
const RENEWALS = 4;
/** The share of the lease that a node trusts: clocks run at different speeds, and an answer takes its time to leave. */
const TRUSTED = 0.8;

/** Nodes that have been gone for so long are nobody's concern. */
const CLEAN = `delete from sandbox.node where expires < clock_timestamp() - interval '1 hour'`;
const JOIN = `insert into sandbox.node (id, address, version, fixtures, expires, lease)
  values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms', $5 * interval '1 ms')`;
const RENEW = `update sandbox.node set expires = clock_timestamp() + $2 * interval '1 ms'
  where id = $1 and expires > clock_timestamp()
  returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    exists (select from sandbox.node as other where other.id <> $1 and other.expires > clock_timestamp() + other.lease) as "isAhead"`;
/**
 * The clock was set back under these leases. They begin again from now: a node that is alive renews its own in time, and one that has
 * died is gone after its lease, not after as long as the clock was set back. Locked rows are being renewed.
 */
const SHORTEN = `update sandbox.node set expires = clock_timestamp() + lease where id in
  (select id from sandbox.node where id <> $1 and expires > clock_timestamp() + lease for update skip locked)`;
/** What is due in sessions that sleep would come too late by as much: they are woken, and sleep again until the right time. */
const WAKE = `update sandbox.session set next_due = clock_timestamp()
  where owner is null and next_due > clock_timestamp()`;
/** A clock that goes back by less is slewed, and nothing comes noticeably late. */
const SET_BACK_MS = 1000;

const OTHERS = `select address, version, fixtures from sandbox.node
  where id <> $1 and expires > clock_timestamp() and (version <> $2 or fixtures <> $3 or address = $4)`;

/** What the other nodes know of a node. */
export interface NodeFacts {
  /** Where the other nodes reach it. */
  address: string;
  version: string;
  /** What its fixtures and settings are told from others by. */
  fixtures: string;
}

export interface NodeLeaseOptions {
  milliseconds: number;
  /** Called when the lease has run out: others may have any session by now. */
  onLost(): void;
  /** Called when it was renewed after a time in which it was not certain. */
  onLate(): void;
  onWarning(message: string): void;
}

/**
 * A node's claim to be alive, which is kept in the database and renewed. The node trusts it for a time that begins before each renewal
 * was sent; whether it has run out for the others, only the database's clock decides.
 */
export class NodeLease {
  readonly #line: Line;
  readonly #options: NodeLeaseOptions;
  #facts: NodeFacts | undefined;
  #id = nanoid();
  #renewedAt: Moment | undefined;
  /** What the database's clock showed at the last renewal. */
  #lastNow = Number.NEGATIVE_INFINITY;
  #stopRenewing = () => {};
  #isOver = false;

  constructor(database: Database, options: NodeLeaseOptions) {
    this.#line = database.line(options.milliseconds);
    this.#options = options;
  }

  /** Another one after each time that the lease ran out. */
  get id(): string {
    return this.#id;
  }

  /** Whether it is certain that no other node has taken anything that this one has. */
  get isFresh(): boolean {
    if (this.#isOver) {
      return false;
    }
    const passed = this.#renewedAt && passedSince(this.#renewedAt);
    return passed !== undefined && passed < TRUSTED * this.#options.milliseconds;
  }

  /** Makes the node known. */
  async join(facts: NodeFacts): Promise<void> {
    this.#facts = facts;
    await this.#line.query({ text: CLEAN });
    await this.#join(facts);
    this.#renewLater();
    await this.#warnOfOthers(facts);
  }

  /** The node is gone: what it had can be taken at once. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#stopRenewing();
    this.#renewedAt = undefined;
    await this.#line.query({ text: 'delete from sandbox.node where id = $1', values: [this.#id] });
    this.#line.close();
  }

  async #join({ address, version, fixtures }: NodeFacts): Promise<void> {
    const sent = moment();
    const values = [this.#id, address, version, fixtures, this.#options.milliseconds];
    await this.#line.query({ text: JOIN, values });
    this.#renewedAt = sent;
  }

  /** Sessions go from node to node, and are to find the same everywhere; while nodes are replaced one by one they cannot. */
  async #warnOfOthers({ address, version, fixtures }: NodeFacts): Promise<void> {
    const { rows } = await this.#line.query<NodeFacts>({
      text: OTHERS,
      values: [this.#id, version, fixtures, address],
    });
    for (const other of rows) {
      const what = [
        ...(other.version === version ? [] : [`version ${other.version}`]),
        ...(other.fixtures === fixtures ? [] : ['other fixtures, or another setting that nodes are to have in common']),
      ];
      if (what.length > 0) {
        this.#options.onWarning(
          `the node at ${other.address} has ${what.join(', and ')}: sessions that move change what they do`,
        );
      }
      if (other.address === address) {
        this.#options.onWarning(
          `another node is at ${address} as well, or was until some seconds ago: each needs an address of its own (--node-url)`,
        );
      }
    }
  }

  #renewLater(): void {
    this.#stopRenewing = afterMilliseconds(this.#options.milliseconds / RENEWALS, () => {
      this.#renew()
        .catch((error: Error) => {
          if (!this.isFresh && !this.#isOver) {
            this.#lose(`the database does not answer (${error.message})`);
          }
        })
        .finally(() => {
          if (!this.#isOver) {
            this.#renewLater();
          }
        });
    });
  }

  async #renew(): Promise<void> {
    if (this.#renewedAt === undefined) {
      await this.#joinAgain();
      return;
    }
    const sent = moment();
    const { rows } = await this.#line.query<Renewed>({ text: RENEW, values: [this.#id, this.#options.milliseconds] });
    if (this.#isOver) {
      return;
    }
    const [renewed] = rows;
    if (renewed) {
      const isLate = !this.isFresh;
      this.#renewedAt = sent;
      if (isLate) {
        this.#options.onLate();
      }
      await this.#followClock(renewed);
    } else {
      this.#lose('it was not renewed in time');
      await this.#joinAgain();
    }
  }

  /** Mends the times in the database that were written before its clock was set back. */
  async #followClock({ now, isAhead }: Renewed): Promise<void> {
    if (isAhead) {
      await this.#line.query({ text: SHORTEN, values: [this.#id] });
    }
    if (now < this.#lastNow - SET_BACK_MS) {
      await this.#line.query({ text: WAKE });
    }
    this.#lastNow = now;
  }

  /** Under another id: what was begun under the old one is nobody's. */
  async #joinAgain(): Promise<void> {
    if (this.#facts && !this.#isOver) {
      this.#id = nanoid();
      await this.#join(this.#facts);
    }
  }

  #lose(reason: string): void {
    if (this.#renewedAt !== undefined) {
      this.#renewedAt = undefined;
      this.#options.onWarning(`the lease of this node has run out: ${reason}; its sessions are other nodes' to take`);
      this.#options.onLost();
    }
  }
}

interface Renewed {
  /** What the database's clock shows, in milliseconds. */
  now: number;
  /** Whether another node's lease ends later than it can. */
  isAhead: boolean;
}

interface Moment {
  steady: number;
  machine: number;
}

function moment(): Moment {
  return { steady: steadyNow(), machine: machineNow() };
}

/** By the clock that says more: one stands still while the machine sleeps, the other may be set. */
function passedSince({ steady, machine }: Moment): number {
  return Math.max(steadyNow() - steady, machineNow() - machine);
}
