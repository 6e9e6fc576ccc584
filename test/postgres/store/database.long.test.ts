import { spawnSync } from 'node:child_process';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import { Database } from '../../../src/postgres/store/database.ts';

const LIMIT_MS = 20;

let server: PostgresServer;
let url: string;
let database: Database;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  url = await server.newDatabase();
  database = await Database.open(url, 60_000);
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

/** Blocks this process, as on a busy machine, until the server has answered a query, and for longer than the limit. */
function blockProcess(backend: number, query: string): void {
  const script = `
    const pg = require('pg');
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} });
    const startMs = Date.now();
    const poll = async () => {
      const { rows } = await client.query('select state, query from pg_stat_activity where pid = ${backend}');
      const isAnswered = rows[0].state === 'idle' && rows[0].query === ${JSON.stringify(query)};
      return isAnswered && Date.now() - startMs > ${LIMIT_MS} ? client.end() : poll();
    };
    client.connect().then(poll);
  `;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
}

describe('a query', () => {
  it('that the database does not answer in time fails, and the next one has another connection', async () => {
    const connection = database.newDedicatedConnection(LIMIT_MS);
    await connection.open();
    await expect(connection.query({ text: 'select pg_sleep(600)' })).rejects.toThrow('no answer in time');
    const { rows } = await connection.query({ text: 'select 1 as one', maxMs: 60_000 });
    expect(rows).toEqual([{ one: 1 }]);
    connection.close();
  });

  it('that was answered while the process was suspended counts as answered in time', async () => {
    const connection = database.newDedicatedConnection(LIMIT_MS);
    const { rows: processes } = await connection.query<{ pid: number }>({
      text: 'select pg_backend_pid() as pid',
      maxMs: 60_000,
    });
    const answer = connection.query({ text: 'select 1 as one' });
    // By then, the query has been sent.
    await Promise.resolve().then(() => undefined);
    blockProcess(processes[0]?.pid ?? 0, 'select 1 as one');
    expect((await answer).rows).toEqual([{ one: 1 }]);
    connection.close();
  });
});
