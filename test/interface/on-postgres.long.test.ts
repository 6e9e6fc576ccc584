import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type PostgresServer, startPostgres } from '../../scripts/postgres/server.mjs';
import { Databases } from '../postgres/servers/databases.ts';
import { keepInPostgres } from './sandboxes.ts';

/** Runs all tests of the interface on PostgreSQL, in one file, because loading the program takes longer than running the tests. */
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  keepInPostgres(new Databases(server));
});

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
for (const name of files.filter((file) => file !== basename(import.meta.filename))) {
  await import(`./${name}`);
}

afterAll(() => server.stop());
