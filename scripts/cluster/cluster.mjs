// PostgreSQL with a new database, and nodes on it.
import pg from 'pg';
import { SandboxNode } from './node.mjs';

/** The nodes' lease. */
export const LEASE_MS = 1000;

/** Every session after its first owner: an owner's first row in the journal has nothing in it. */
const TAKEOVERS = `select count(*) - count(distinct session) as takeovers from sandbox.journal
  where part = 0 and lines = '' and state is null`;

const ABANDONED = `select from sandbox.session where name = $1
  and not exists (select from sandbox.node where id = owner and expires > clock_timestamp())`;

/** Milliseconds after the lease has run out: before the node takes the renewal for failed. */
const LATE_MS = 0.15 * LEASE_MS;
/** As if it had come at the last moment. */
const keepLate = (node) => `
  create function keep_late() returns trigger language plpgsql as $$ begin
    perform pg_sleep(extract(epoch from old.expires - clock_timestamp()) + ${LATE_MS / 1000});
    new.expires = old.expires + interval '${LEASE_MS} ms';
    return new;
  end $$;
  create trigger late before update on sandbox.node for each row when (old.address = '${node.url}') execute function keep_late()`;

const KEPT = 'select from sandbox.journal where position($1 in lines) > 0';

export class Cluster {
  nodes = [];
  #options;

  constructor(postgres, url, options) {
    this.postgres = postgres;
    this.url = url;
    this.#options = options;
  }

  /** `onError` is called with the lines that nodes write as errors, `onEnd` where one ends by itself. */
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

  /** Resolves when the lease of a session's owner has run out, as PostgreSQL sees it. */
  abandoned(session) {
    return this.#until(ABANDONED, session);
  }

  /** Resolves when PostgreSQL has a payment. */
  keeps(reference) {
    return this.#until(KEPT, reference);
  }

  /** Lets PostgreSQL keep a node's renewals only when its lease has run out. Resolves with what ends that. */
  async keepRenewalsLate(node) {
    await this.#query((client) => client.query(keepLate(node)));
    return () => this.#query((client) => client.query('drop function keep_late cascade'));
  }

  async #until(question, about) {
    await this.#query(async (client) => {
      for (;;) {
        const found = await client.query(question, [about]);
        if (found.rowCount > 0) {
          return found;
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
