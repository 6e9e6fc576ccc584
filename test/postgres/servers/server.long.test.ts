import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { installedFolder } from '../../../scripts/postgres/binaries.mjs';
import { startPostgres } from '../../../scripts/postgres/server.mjs';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

/** Starts a server, prints its URL, and keeps running. */
const START_AND_WAIT = `
  import { startPostgres } from './scripts/postgres/server.mjs';
  const server = await startPostgres({ fsync: false });
  console.log(server.url('postgres'));
  process.stdin.resume();
`;

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('a server', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('creates empty databases that share nothing', async () => {
    const [one, other] = [await server.newDatabase(), await server.newDatabase()];
    await query(one, 'CREATE TABLE payments (id text)');
    expect(await query(other, "SELECT to_regclass('payments') AS found")).toEqual([{ found: null }]);
  });

  it('keeps committed data after a crash and after a restart', async () => {
    const database = await server.newDatabase();
    await query(database, 'CREATE TABLE payments (id text)');
    await query(database, "INSERT INTO payments VALUES ('before the crash')");
    await server.crash();
    await expect(query(database, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.restart();
    await query(database, "INSERT INTO payments VALUES ('before the restart')");
    await server.restart();
    expect(await query(database, 'SELECT id FROM payments')).toEqual([
      { id: 'before the crash' },
      { id: 'before the restart' },
    ]);
  });

  it('requires its password', async () => {
    const url = new URL(await server.newDatabase());
    url.password = 'another';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('writes commits to disk by default', async () => {
    expect(await query(server.url('postgres'), 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  });
});

it('a server runs even if its user cannot read its programs, and the links between its libraries are missing', async () => {
  const programs = join(temporaryFolder(), 'native');
  cpSync(installedFolder(), programs, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  chmodSync(dirname(programs), 0o700);
  const server = await startPostgres({ programs, fsync: false });
  expect(await query(server.url('postgres'), 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
  await server.stop();
  expect(existsSync(dirname(server.logFile))).toBe(false);
});

it('a server ends with the process that started it, even if that process is killed, and leaves no files', async () => {
  const folder = temporaryFolder();
  // The server runs as a user who must be able to reach its folder, which is in this one.
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', START_AND_WAIT], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const changes = watch(folder);
  const emptied = (async () => {
    for await (const _ of changes) {
      if (readdirSync(folder).length === 0) {
        return;
      }
    }
  })();
  child.kill('SIGKILL');
  await text(child.stdout);
  await emptied;
  await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
});
