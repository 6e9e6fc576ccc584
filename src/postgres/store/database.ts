import type { Client, ClientBase, ClientConfig, Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { codeOf, messageOf } from '../../base/errors.ts';
import { parseUrl } from '../../base/text/url.ts';
import { inTime } from '../../base/timers.ts';
import { StoreError } from '../../server/store/store.ts';

/** A query, and how long it may take, where that is not as long as others of its client. */
export type LimitedQuery = QueryConfig & { mostMilliseconds?: number };

type Library = Pick<typeof import('pg'), 'Client' | 'Pool'>;

/** How long it may take to connect, in milliseconds. */
const CONNECT_MS = 5000;
/** How long a query that reads or writes much may take, in milliseconds. */
const LONG_QUERY_MS = 60_000;
/** How long another may take at least, however short the lease is. */
const SHORT_QUERY_MS = 2000;
/** Sessions that are opened, put to sleep or looked for at the same time; each takes a connection for a moment. */
const MOST_CONNECTIONS = 4;

/** A database, as the address of `--data` names it. */
export class Database {
  readonly #library: Library;
  readonly #config: ClientConfig;
  readonly #pool: Pool;

  private constructor(library: Library, url: string, leaseMilliseconds: number) {
    this.#library = library;
    this.#config = {
      connectionString: url,
      application_name: 'merchant-sandbox',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    };
    const mostMilliseconds = Math.max(SHORT_QUERY_MS, leaseMilliseconds);
    // A node that stands still in the midst of a transaction must not keep a session from the others for longer than its lease.
    const limits = { lock_timeout: leaseMilliseconds, idle_in_transaction_session_timeout: leaseMilliseconds };
    this.#pool = new library.Pool({ ...this.#config, ...limits, max: MOST_CONNECTIONS, allowExitOnIdle: true });
    // A connection that breaks is replaced by the next query. One that is still being made tells of it apart from the pool.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => limited(client, mostMilliseconds).on('error', ignore));
  }

  /** Throws StoreError where the database cannot be used. */
  static async open(url: string, leaseMilliseconds: number): Promise<Database> {
    if (parseUrl(url) === undefined) {
      throw cannotBeUsed(
        url,
        new Error('it is no address; in a password, %23 stands for #, %40 for @ and %20 for a blank'),
      );
    }
    const { default: library } = await import('pg');
    const database = new Database(library, url, leaseMilliseconds);
    try {
      await database.query('select 1');
    } catch (error) {
      await database.close();
      throw cannotBeUsed(url, error);
    }
    return database;
  }

  /** A connection for one who needs it alone, and whose queries fail where they take longer than that. */
  line(mostMilliseconds: number): Line {
    return new Line(() => limited(new this.#library.Client(this.#config), mostMilliseconds));
  }

  query<Row extends QueryResultRow>(query: string | LimitedQuery, values?: unknown[]): Promise<QueryResult<Row>> {
    return this.withClient((client) => client.query<Row>(query, values));
  }

  /** Runs work in one transaction, which is rolled back where the work throws: its connection ends then. */
  transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** Runs work on one connection, which is thrown away where the work throws: the next to use it is not to find out what is wrong. */
  async withClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isSound = false;
    try {
      const result = await work(client);
      isSound = true;
      return result;
    } finally {
      client.release(!isSound);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Lets the queries of a client fail that take too long. The library's own limit would also fail those whose answer has come and could
 * not be read, since the process stood still: what was kept would be of unknown outcome.
 */
function limited<Of extends ClientBase>(client: Of, mostMilliseconds: number): Of {
  const ask = client.query.bind(client);
  client.query = ((query: string | LimitedQuery, values?: unknown[]) => {
    const own = typeof query === 'string' ? undefined : query.mostMilliseconds;
    return inTime(own ?? mostMilliseconds, ask(query, values), 'no answer in time');
  }) as Of['query'];
  return client;
}

/** A connection of one's own, made when it is first needed, and anew after it broke. */
export class Line {
  readonly #newClient: () => Client;
  #connected: Promise<Client> | undefined;

  constructor(newClient: () => Client) {
    this.#newClient = newClient;
  }

  /** Resolves when there is a connection. */
  async ready(): Promise<void> {
    await this.#use(async () => undefined);
  }

  /** Rejects where the database does not answer in time: whether it has done it is not known then. */
  query<Row extends QueryResultRow>(query: LimitedQuery): Promise<QueryResult<Row>> {
    return this.#use((client) => client.query<Row>(query));
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const connected = this.#connected ?? this.#connectAnew();
    try {
      return await work(await connected);
    } catch (error) {
      // It may still be busy with this query, or gone.
      this.#leave(connected);
      throw error;
    }
  }

  #connectAnew(): Promise<Client> {
    const connected = this.#connect();
    this.#connected = connected;
    // Of one that ends while it is idle, the next query is not to find that out: nobody would know whether it was done.
    connected.then((client) => client.on('end', () => this.#leave(connected)), ignore);
    return connected;
  }

  #leave(connected: Promise<Client>): void {
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
    // What keeps the process alive is that it listens. The library's types do not know of it.
    (client as Client & { unref(): void }).unref();
    return client;
  }
}

/** SQLSTATEs with which a statement has done nothing. One that was broken off, as by a shutdown, may be done all the same. */
const NOT_DONE = /^(?:2[23568]|3[DF]|42|53|55|57014)/;

/** Whether the database has said that it has not done what it was asked for. */
export function isRefused(error: unknown): boolean {
  return NOT_DONE.test(sqlStateOf(error));
}

/** The SQLSTATE of an error; empty where it is none of the database's. */
export function sqlStateOf(error: unknown): string {
  const code = codeOf(error);
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : '';
}

/** A query that reads or writes much, as the records of a session are. */
export function longQuery(text: string, values: unknown[] = []): LimitedQuery {
  return { text, values, mostMilliseconds: LONG_QUERY_MS };
}

/** Whether `--data` names a database. */
export function isDatabaseUrl(data: string): boolean {
  return /^postgres(ql)?:\/\//i.test(data);
}

/** The error for a database of no use; says what the library leaves to guess. */
export function cannotBeUsed(url: string, error: unknown): StoreError {
  const message = messageOf(error);
  const hint = message.includes('client password must be a string')
    ? 'it asks for a password, and none was given'
    : message;
  return new StoreError(`${shownUrl(url)} cannot be used (${hint})`, shownUrl(url));
}

/** Without its password. */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^/@:]*):[^/@]*@/, '$1:***@');
}

function ignore(): void {
  // Whoever uses the connection hears of it.
}
