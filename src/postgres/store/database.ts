import type { Client, ClientBase, ClientConfig, Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { codeOf, messageOf } from '../../base/errors.ts';
import { parseUrl } from '../../base/text/url.ts';
import { withTimeout } from '../../base/timers.ts';
import { StoreError } from '../../server/store/store.ts';

/** A query with its own time limit. Default: the limit of its client. */
export type LimitedQuery = QueryConfig & { maxMs?: number };

type Library = Pick<typeof import('pg'), 'Client' | 'Pool'>;

const CONNECT_TIMEOUT_MS = 5000;
/** Time limit of a query that reads or writes large amounts, such as all records of a session. */
const LONG_QUERY_MS = 60_000;
/** Minimum for the time limit of other queries of the pool, even if the lease is shorter. */
const SHORT_QUERY_MS = 2000;
/** Limits how many sessions are claimed, released or searched at the same time; each needs a connection for a moment. */
const MAX_CONNECTIONS = 4;

/** The database that `--data` names. */
export class Database {
  readonly #library: Library;
  readonly #config: ClientConfig;
  readonly #pool: Pool;

  private constructor(library: Library, url: string, leaseMs: number) {
    this.#library = library;
    this.#config = {
      connectionString: url,
      application_name: 'merchant-sandbox',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    };
    const maxMs = Math.max(SHORT_QUERY_MS, leaseMs);
    // A node that is suspended during a transaction must not lock a session for longer than its lease.
    const limits = { lock_timeout: leaseMs, idle_in_transaction_session_timeout: leaseMs };
    this.#pool = new library.Pool({ ...this.#config, ...limits, max: MAX_CONNECTIONS, allowExitOnIdle: true });
    // The next query replaces a broken connection. A failed connection attempt rejects its own promise.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => limitQueryTime(client, maxMs).on('error', ignore));
  }

  /** Throws StoreError if the database cannot be used. */
  static async open(url: string, leaseMs: number): Promise<Database> {
    if (parseUrl(url) === undefined) {
      throw unusableDatabaseError(
        url,
        new Error('it is not an address; in a password, write %23 for #, %40 for @ and %20 for a blank'),
      );
    }
    const { default: library } = await import('pg');
    const database = new Database(library, url, leaseMs);
    try {
      await database.query('select 1');
    } catch (error) {
      await database.close();
      throw unusableDatabaseError(url, error);
    }
    return database;
  }

  /** A connection outside the pool, whose queries fail after the given time. */
  newDedicatedConnection(maxMs: number): DedicatedConnection {
    return new DedicatedConnection(() => limitQueryTime(new this.#library.Client(this.#config), maxMs));
  }

  query<Row extends QueryResultRow>(query: string | LimitedQuery, values?: unknown[]): Promise<QueryResult<Row>> {
    return this.withClient((client) => client.query<Row>(query, values));
  }

  /** Runs work in one transaction. If it throws, the transaction is rolled back by closing its connection. */
  transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** Runs work on one connection, which is closed if the work throws, so that a broken connection is never reused. */
  async withClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let hasSucceeded = false;
    try {
      const result = await work(client);
      hasSucceeded = true;
      return result;
    } finally {
      client.release(!hasSucceeded);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Fails queries of a client that take too long. The library's own limit would also fail those whose answer has arrived but was not
 * read, because the process was suspended; then a successful commit would have an unknown outcome.
 */
function limitQueryTime<C extends ClientBase>(client: C, maxMs: number): C {
  const runQuery = client.query.bind(client);
  client.query = ((query: string | LimitedQuery, values?: unknown[]) => {
    const limit = typeof query === 'string' ? undefined : query.maxMs;
    return withTimeout(limit ?? maxMs, runQuery(query, values), 'no answer in time');
  }) as C['query'];
  return client;
}

/** A connection outside the pool, opened at first use, and opened again after it broke. */
export class DedicatedConnection {
  readonly #newClient: () => Client;
  #connected: Promise<Client> | undefined;

  constructor(newClient: () => Client) {
    this.#newClient = newClient;
  }

  async open(): Promise<void> {
    await this.#use(async () => undefined);
  }

  /** Rejects if the database does not answer in time; then it is unknown whether the query was executed. */
  query<Row extends QueryResultRow>(query: LimitedQuery): Promise<QueryResult<Row>> {
    return this.#use((client) => client.query<Row>(query));
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const connected = this.#connected ?? this.#connectAndWatch();
    try {
      return await work(await connected);
    } catch (error) {
      // The connection may still be busy with this query, or broken.
      this.#discard(connected);
      throw error;
    }
  }

  #connectAndWatch(): Promise<Client> {
    const connected = this.#connect();
    this.#connected = connected;
    // A connection that ends while idle is discarded at once, because a query that is sent on it would have an unknown outcome.
    connected.then((client) => client.on('end', () => this.#discard(connected)), ignore);
    return connected;
  }

  #discard(connected: Promise<Client>): void {
    if (this.#connected === connected) {
      this.close();
    }
  }

  close(): void {
    this.#connected?.then((client) => client.end()).catch(ignore);
    this.#connected = undefined;
  }

  async #connect(): Promise<Client> {
    const client = this.#newClient();
    client.on('error', ignore);
    await client.connect();
    // The connection must not keep the process alive. `unref` is missing in the library's types.
    (client as Client & { unref(): void }).unref();
    return client;
  }
}

/** SQLSTATEs that prove that a statement had no effect, such as invalid input or missing rights. Others do not prove it. */
const WITHOUT_EFFECT = /^(?:2[23568]|3[DF]|42|53|55|57014)/;

/** Whether the database reported that the statement had no effect. */
export function hasNoEffect(error: unknown): boolean {
  return WITHOUT_EFFECT.test(sqlStateOf(error));
}

/** Empty if the error is not from the database. */
export function sqlStateOf(error: unknown): string {
  const code = codeOf(error);
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : '';
}

export function longQuery(text: string, values: unknown[] = []): LimitedQuery {
  return { text, values, maxMs: LONG_QUERY_MS };
}

export function isDatabaseUrl(data: string): boolean {
  return /^postgres(ql)?:\/\//i.test(data);
}

/** Adds details that the library's message lacks. */
export function unusableDatabaseError(url: string, error: unknown): StoreError {
  const message = messageOf(error);
  const hint = message.includes('client password must be a string')
    ? 'it asks for a password, and none was given'
    : message;
  return new StoreError(`${withoutPassword(url)} cannot be used (${hint})`, withoutPassword(url));
}

export function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^/@:]*):[^/@]*@/, '$1:***@');
}

function ignore(): void {
  // The next query on the connection reports the error.
}
