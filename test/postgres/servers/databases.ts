import pg from 'pg';
import type { PostgresServer } from '../../../scripts/postgres/server.mjs';

const EMPTY =
  'delete from sandbox.installation; delete from sandbox.node; delete from sandbox.session; delete from sandbox.journal';

/**
 * Databases in which tests open stores, each under a key. Creating a database takes 100 ms, so one that is not open is emptied and used
 * for the next new key.
 */
export class Databases {
  readonly #server: PostgresServer;
  readonly #databases = new Map<unknown, { url: string; open: number }>();
  readonly #reassigned = new Set<unknown>();

  constructor(server: PostgresServer) {
    this.#server = server;
  }

  /** The database of the key. Throws if it was closed, and has been used for another key since. */
  async open(key: unknown): Promise<string> {
    if (this.#reassigned.has(key)) {
      throw new Error(`the database of ${key} was closed, and has been used for another key since`);
    }
    const database = this.#databases.get(key) ?? (await this.#newOrUnused());
    this.#databases.set(key, database);
    database.open += 1;
    return database.url;
  }

  release(key: unknown): void {
    const database = this.#databases.get(key);
    if (database) {
      database.open -= 1;
    }
  }

  async #newOrUnused(): Promise<{ url: string; open: number }> {
    const [key, unused] = [...this.#databases].find(([, { open }]) => open === 0) ?? [];
    if (!unused) {
      return { url: await this.#server.newDatabase(), open: 0 };
    }
    this.#databases.delete(key);
    this.#reassigned.add(key);
    await empty(unused.url);
    return unused;
  }
}

async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_namespace where nspname = 'sandbox'");
    // It has no tables if fixtures were refused before a store was opened in it.
    await client.query(rowCount === 0 ? '' : EMPTY);
  } finally {
    await client.end();
  }
}
