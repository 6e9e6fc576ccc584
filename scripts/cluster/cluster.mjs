// PostgreSQL with a new database, and nodes on it.
import pg from 'pg';
import { SandboxNode } from './node.mjs';

/** Every session after its first owner: an owner's first row in the journal has nothing in it. */
const TAKEOVERS = `select count(*) - count(distinct session) as takeovers from sandbox.journal
  where part = 0 and lines = '' and state is null`;

export class Cluster {
  nodes = [];
  #options;

  constructor(postgres, url, options) {
    this.postgres = postgres;
    this.url = url;
    this.#options = options;
  }

  /** `onProblem` is told what nodes write as errors, and of those that end by themselves. */
  static async start(postgres, { nodes, program, lease = 'PT1S', onProblem }) {
    const cluster = new Cluster(postgres, await postgres.newDatabase(), { program, lease, onProblem });
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
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    const { rows } = await client.query(TAKEOVERS);
    await client.end();
    return Number(rows[0].takeovers);
  }

  async stop() {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}
