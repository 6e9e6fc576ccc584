// Starts a PostgreSQL server on a machine without one, for tests and for `npm run check-cluster`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../free-port.mjs';
import { findBinaries, serverUser } from './binaries.mjs';

const KEEPER = fileURLToPath(new URL('keeper.mjs', import.meta.url));

/**
 * @typedef {object} PostgresServer
 * @property {string} logFile the log of the server
 * @property {(database: string) => string} url
 * @property {() => Promise<string>} newDatabase creates an empty database with a random name; resolves with its URL
 * @property {() => Promise<void>} crash ends it at once, without a checkpoint, and cuts all connections
 * @property {() => Promise<void>} restart starts it, running or not, on the same port with the same data
 * @property {() => Promise<void>} stop ends it, and removes its files
 */

/**
 * Starts a server that ends with this process at the latest, even after a kill.
 *
 * @param {{ fsync?: boolean, maxConnections?: number, programs?: string }} [options] without `fsync`, committed
 *   data survives a crash of the server, but not of the machine; `programs`: the folder of PostgreSQL, if not in node_modules
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgres({ fsync = true, maxConnections = 100, programs } = {}) {
  const user = serverUser();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-postgres-')));
  const keeper = startKeeper(folder, user);
  try {
    if (user.uid !== undefined && user.gid !== undefined) {
      chownSync(folder, user.uid, user.gid);
    }
    const binaries = findBinaries(folder, user, programs);
    const run = (name, ...args) => runToEnd(join(binaries, name), args, folder, user);
    const [data, logFile] = [join(folder, 'data'), join(folder, 'log')];
    const password = randomBytes(16).toString('hex');
    const port = await freePort();
    await initialize(run, { folder, data, user, password, port, fsync, maxConnections });
    const control = (verb, ...more) =>
      run('pg_ctl', verb, '--wait', '--timeout=120', '--silent', '--pgdata', data, ...more);
    keeper.handOver(join(binaries, 'pg_ctl'), data);
    await control('start', '-l', logFile).catch((error) => {
      throw new Error(`${error.message}\n${existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''}`);
    });
    const url = (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
    return {
      logFile,
      url,
      newDatabase: () => createDatabase(url),
      crash: () => control('stop', '-m', 'immediate'),
      restart: () => control('restart', '-m', 'fast', '-l', logFile),
      stop: keeper.end,
    };
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

async function createDatabase(url) {
  const name = `sandbox_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: url('postgres') });
  await client.connect();
  try {
    // Through the write-ahead log, as is the default, it takes six times as long.
    await client.query(`CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  } finally {
    await client.end();
  }
  return url(name);
}

/** Starts a process that stops the server and removes its folder when this process has ended. */
function startKeeper(folder, { uid = '', gid = '' }) {
  // In a separate process group, because Ctrl-C reaches the whole group of a terminal.
  const keeper = spawn(process.execPath, [KEEPER, folder, String(uid), String(gid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(keeper, 'close');
  let problem = '';
  keeper.stderr.on('data', (chunk) => {
    problem += chunk;
  });
  // An error of the pipe needs no report, because `end` reports the exit code of a keeper that has ended.
  keeper.stdin.on('error', () => undefined);
  keeper.unref();
  keeper.stderr.unref();
  return {
    handOver: (...words) => keeper.stdin.write(`${JSON.stringify(words)}\n`),
    async end() {
      keeper.ref();
      keeper.stderr.ref();
      keeper.stdin.end();
      const [code] = await ended;
      if (code !== 0) {
        throw new Error(`PostgreSQL was not stopped: ${problem}`);
      }
    },
  };
}

async function initialize(run, { folder, data, user, password, port, fsync, maxConnections }) {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(passwordFile, user.uid, user.gid);
  }
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    fsync: fsync ? 'on' : 'off',
  };
  const identity = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const format = ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  const set = Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`);
  await run('initdb', `--pgdata=${data}`, ...identity, ...format, ...set);
}

async function runToEnd(program, args, cwd, user) {
  const child = spawn(program, args, { ...user, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  // Not 'close': a server that pg_ctl started on Windows keeps its streams.
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error(`${program} ${args[0]} ended with ${code}: ${output}`);
  }
}
