import { nanoid } from 'nanoid';
import { afterMilliseconds, machineNow, steadyNow } from '../../base/timers.ts';
import type { Database, DedicatedConnection } from './database.ts';

/** How often the lease is renewed within its length. */
const RENEWALS_PER_LEASE = 4;
/** The share of the lease that a node trusts, because clocks run at different speeds and answers take time. */
const TRUSTED_SHARE = 0.8;

const DELETE_OLD_NODES = `delete from sandbox.node where expires < clock_timestamp() - interval '1 hour'`;
const INSERT_NODE = `insert into sandbox.node (id, address, version, fixtures, expires, lease)
  values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms', $5 * interval '1 ms')`;
const RENEW_LEASE = `update sandbox.node set expires = clock_timestamp() + $2 * interval '1 ms'
  where id = $1 and expires > clock_timestamp()
  returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    exists (select from sandbox.node as other where other.id <> $1 and other.expires > clock_timestamp() + other.lease) as "isOtherAhead"`;
/**
 * Shortens leases of other nodes that end too late because the database's clock was set back. Otherwise the sessions of a dead node would
 * stay blocked for that much longer; a live one renews the shortened lease in time. Skips locked rows, because they are being renewed.
 */
const SHORTEN_LEASES = `update sandbox.node set expires = clock_timestamp() + lease where id in
  (select id from sandbox.node where id <> $1 and expires > clock_timestamp() + lease for update skip locked)`;
/** Makes nodes claim idle sessions and release them with new due times, because a time from before the clock was set back is too late. */
const MAKE_ALL_DUE = `update sandbox.session set next_due = clock_timestamp()
  where owner is null and next_due > clock_timestamp()`;
/** A smaller step back delays nothing noticeably. */
const MIN_SET_BACK_MS = 1000;

const CONFLICTING_NODES = `select address, version, fixtures from sandbox.node
  where id <> $1 and expires > clock_timestamp() and (version <> $2 or fixtures <> $3 or address = $4)`;

/** The facts about a node that it publishes to the other nodes. */
export interface NodeFacts {
  /** The address at which the other nodes reach it. */
  address: string;
  version: string;
  /** A digest of its fixtures and settings, to detect differences between nodes. */
  fixtures: string;
}

export interface NodeLeaseOptions {
  leaseMs: number;
  /** Called when the lease has expired, or may have, so that other nodes may have taken any session. */
  onLost(): void;
  /** Called when it was renewed so late that it may have expired before. */
  onLateRenewal(): void;
  onWarning(message: string): void;
}

/**
 * The proof that a node is alive, stored in the database and renewed. The node trusts it for a time that starts before each renewal is
 * sent; for the other nodes, the database's clock decides whether it has expired.
 */
export class NodeLease {
  readonly #connection: DedicatedConnection;
  readonly #options: NodeLeaseOptions;
  #facts: NodeFacts | undefined;
  #id = nanoid();
  #renewedAt: ClockTimes | undefined;
  /** The time of the database's clock at the last renewal. */
  #lastDatabaseTime = Number.NEGATIVE_INFINITY;
  #stopRenewing = () => {};
  #hasLeft = false;

  constructor(database: Database, options: NodeLeaseOptions) {
    this.#connection = database.newDedicatedConnection(options.leaseMs);
    this.#options = options;
  }

  /** Changes only when the node joins again: neither the loss of the lease nor a late renewal changes it. */
  get id(): string {
    return this.#id;
  }

  /** Whether it is certain that no other node has taken a session of this one. */
  get isFresh(): boolean {
    if (this.#hasLeft) {
      return false;
    }
    const elapsedMs = this.#renewedAt && elapsedSince(this.#renewedAt);
    return elapsedMs !== undefined && elapsedMs < TRUSTED_SHARE * this.#options.leaseMs;
  }

  async join(facts: NodeFacts): Promise<void> {
    this.#facts = facts;
    await this.#connection.query({ text: DELETE_OLD_NODES });
    await this.#join(facts);
    this.#scheduleRenewal();
    await this.#warnOfDifferences(facts);
  }

  /** Removes the node, so that others can take its sessions at once. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#stopRenewing();
    this.#renewedAt = undefined;
    await this.#connection.query({ text: 'delete from sandbox.node where id = $1', values: [this.#id] });
    this.#connection.close();
  }

  async #join({ address, version, fixtures }: NodeFacts): Promise<void> {
    const sentAt = readClocks();
    const values = [this.#id, address, version, fixtures, this.#options.leaseMs];
    await this.#connection.query({ text: INSERT_NODE, values });
    this.#renewedAt = sentAt;
  }

  /** Sessions move between nodes, which should all behave the same; a difference is only expected during a rolling update. */
  async #warnOfDifferences({ address, version, fixtures }: NodeFacts): Promise<void> {
    const values = [this.#id, version, fixtures, address];
    const { rows } = await this.#connection.query<NodeFacts>({ text: CONFLICTING_NODES, values });
    for (const other of rows) {
      const differences = [
        ...(other.version === version ? [] : [`version ${other.version}`]),
        ...(other.fixtures === fixtures ? [] : ['other fixtures, or other values of settings that must be equal']),
      ];
      if (differences.length > 0) {
        this.#options.onWarning(
          `the node at ${other.address} has ${differences.join(', and ')}: a session that moves behaves differently`,
        );
      }
      if (other.address === address) {
        this.#options.onWarning(
          `another node is at ${address} as well, or was until some seconds ago: each needs its own address (--node-url)`,
        );
      }
    }
  }

  #scheduleRenewal(): void {
    this.#stopRenewing = afterMilliseconds(this.#options.leaseMs / RENEWALS_PER_LEASE, () => {
      this.#renew()
        .catch((error: Error) => {
          if (!this.isFresh && !this.#hasLeft) {
            this.#loseLease(`the database does not answer (${error.message})`);
          }
        })
        .finally(() => {
          if (!this.#hasLeft) {
            this.#scheduleRenewal();
          }
        });
    });
  }

  async #renew(): Promise<void> {
    if (this.#renewedAt === undefined) {
      await this.#joinAgain();
      return;
    }
    const sentAt = readClocks();
    const values = [this.#id, this.#options.leaseMs];
    const { rows } = await this.#connection.query<Renewal>({ text: RENEW_LEASE, values });
    if (this.#hasLeft) {
      return;
    }
    const [renewal] = rows;
    if (renewal) {
      const isLate = !this.isFresh;
      this.#renewedAt = sentAt;
      if (isLate) {
        this.#options.onLateRenewal();
      }
      await this.#repairTimes(renewal);
    } else {
      this.#loseLease('it was not renewed in time');
      await this.#joinAgain();
    }
  }

  /** Repairs the times in the database that were written before its clock was set back. */
  async #repairTimes({ now, isOtherAhead }: Renewal): Promise<void> {
    if (isOtherAhead) {
      await this.#connection.query({ text: SHORTEN_LEASES, values: [this.#id] });
    }
    if (now < this.#lastDatabaseTime - MIN_SET_BACK_MS) {
      await this.#connection.query({ text: MAKE_ALL_DUE });
    }
    this.#lastDatabaseTime = now;
  }

  /** Registers under a new id, so that late statements under the old one have no effect. */
  async #joinAgain(): Promise<void> {
    if (this.#facts && !this.#hasLeft) {
      this.#id = nanoid();
      await this.#join(this.#facts);
    }
  }

  #loseLease(reason: string): void {
    if (this.#renewedAt !== undefined) {
      this.#renewedAt = undefined;
      this.#options.onWarning(`the lease of this node has run out: ${reason}; other nodes may take its sessions`);
      this.#options.onLost();
    }
  }
}

interface Renewal {
  /** The time of the database's clock, in milliseconds. */
  now: number;
  /** Whether another node's lease ends later than its length allows, because the clock was set back. */
  isOtherAhead: boolean;
}

interface ClockTimes {
  steady: number;
  machine: number;
}

function readClocks(): ClockTimes {
  return { steady: steadyNow(), machine: machineNow() };
}

/** Uses the clock that shows the longer time, because one stops while the machine sleeps, and the other may be set. */
function elapsedSince({ steady, machine }: ClockTimes): number {
  return Math.max(steadyNow() - steady, machineNow() - machine);
}
