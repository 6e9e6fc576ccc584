import pg from 'pg';
import type { PostgresServer } from '../../../scripts/postgres/server.mjs';

const EMPTY =
  'delete from sandbox.installation; delete from sandbox.node; delete from sandbox.session; delete from sandbox.journal';

/**
 * Databases in which tests open stores, each under a key. Making one takes a tenth of a second: one that nobody has open is emptied
 * for the next key that comes.
 */
export class Databases {
  readonly #server: PostgresServer;
  readonly #known = new Map<unknown, { url: string; open: number }>();
  readonly #given = new Set<unknown>();

  constructor(server: PostgresServer) {
    this.#server = server;
  }

  /** The database of the key, which is the same as long as no other key comes while nobody has it open. */
  async open(key: unknown): Promise<string> {
    if (this.#given.has(key)) {
      throw new Error(`the database of ${key} was closed, and has gone to another key since`);
    }
    const database = this.#known.get(key) ?? (await this.#another());
    this.#known.set(key, database);
    database.open += 1;
    return database.url;
  }

  closed(key: unknown): void {
    const database = this.#known.get(key);
    if (database) {
      database.open -= 1;
    }
  }

  async #another(): Promise<{ url: string; open: number }> {
    const [key, unused] = [...this.#known].find(([, { open }]) => open === 0) ?? [];
    if (!unused) {
      return { url: await this.#server.newDatabase(), open: 0 };
    }
    this.#known.delete(key);
    this.#given.add(key);
    await empty(unused.url);
    return unused;
  }
}

async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_namespace where nspname = 'sandbox'");
    // Nobody has opened a store in it where its fixtures were refused before.
    await client.query(rowCount === 0 ? '' : EMPTY);
  } finally {
    await client.end();
  }
}
