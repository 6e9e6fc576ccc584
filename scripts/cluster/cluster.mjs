// PostgreSQL with a new database, and nodes on it.
import pg from 'pg';
import { SandboxNode } from './node.mjs';

/** The nodes' lease. */
export const LEASE_MS = 1000;

/** Counts the owners of each session except the first: each owner begins with an empty row in the journal. */
const TAKEOVERS = `select count(*) - count(distinct session) as takeovers from sandbox.journal
  where part = 0 and lines = '' and state is null`;

const ABANDONED = `select from sandbox.session where name = $1
  and not exists (select from sandbox.node where id = owner and expires > clock_timestamp())`;

/** Milliseconds after the end of the lease, when the node still waits for the renewal. */
const LATE_MS = 0.15 * LEASE_MS;
/** A trigger that delays renewals until after the end of the lease, but extends it as if they had been in time. */
const delayTrigger = (node) => `
  create function keep_late() returns trigger language plpgsql as $$ begin
    perform pg_sleep(extract(epoch from old.expires - clock_timestamp()) + ${LATE_MS / 1000});
    new.expires = old.expires + interval '${LEASE_MS} ms';
    return new;
  end $$;
  create trigger late before update on sandbox.node for each row when (old.address = '${node.url}') execute function keep_late()`;

const COMMITTED = 'select from sandbox.journal where position($1 in lines) > 0';

export class Cluster {
  nodes = [];
  #options;

  constructor(postgres, url, options) {
    this.postgres = postgres;
    this.url = url;
    this.#options = options;
  }

  /** `onError` is called with lines of nodes on standard error, `onEnd` if a node ends by itself. */
  static async start(postgres, { nodes, program, onError = () => undefined, onEnd = () => undefined }) {
    const cluster = new Cluster(postgres, await postgres.newDatabase(), { program, lease: LEASE_MS, onError, onEnd });
    try {
      for (let count = 0; count < nodes; count += 1) {
        await cluster.addNode();
      }
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async addNode() {
    const name = String.fromCharCode('A'.charCodeAt(0) + this.nodes.length);
    const node = await SandboxNode.start(name, this.url, this.#options);
    this.nodes.push(node);
    return node;
  }

  async takeovers() {
    const [{ takeovers }] = await this.#query((client) => client.query(TAKEOVERS));
    return Number(takeovers);
  }

  /** Resolves when the lease of a session's owner has expired by the clock of PostgreSQL. */
  waitUntilAbandoned(session) {
    return this.#until(ABANDONED, session);
  }

  /** Resolves when a payment is committed in PostgreSQL. */
  waitUntilCommitted(reference) {
    return this.#until(COMMITTED, reference);
  }

  /** Makes PostgreSQL commit a node's renewals only after its lease has expired. Resolves with a function that ends this. */
  async delayRenewals(node) {
    await this.#query((client) => client.query(delayTrigger(node)));
    return () => this.#query((client) => client.query('drop function keep_late cascade'));
  }

  async #until(question, about) {
    await this.#query(async (client) => {
      for (;;) {
        const result = await client.query(question, [about]);
        if (result.rowCount > 0) {
          return result;
        }
      }
    });
  }

  async #query(ask) {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await ask(client)).rows;
    } finally {
      await client.end();
    }
  }

  async stop() {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}
