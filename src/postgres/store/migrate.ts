import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { PACKAGE_ROOT } from '../../base/package.ts';
import { StoreError } from '../../server/store/store.ts';
import type { Database } from './database.ts';

/** The schema that contains all tables. */
const SCHEMA = 'sandbox';
const TABLE = 'migration';
const FOLDER = join(PACKAGE_ROOT, 'migrations');

/** Throws StoreError if the migration fails; also, without a change, if a newer version has migrated the database. */
export async function migrate(database: Database, url: string): Promise<void> {
  const knownNames = readdirSync(FOLDER).map((file) => file.replace(/\.sql$/, ''));
  const appliedNames = await appliedIn(database);
  const unknownNames = appliedNames.filter((name) => !knownNames.includes(name));
  if (unknownNames.length > 0) {
    throw new StoreError(
      `${url} was set up by a newer version of merchant-sandbox (it has ${unknownNames.join(', ')}); start that one, or use another database`,
      url,
    );
  }
  if (appliedNames.length === knownNames.length) {
    return;
  }
  try {
    await apply(database);
  } catch (error) {
    throw new StoreError(
      `${url} cannot be set up (${messageOf(error)}); its role must have CREATE on the database, or own the schema ${SCHEMA}`,
      url,
    );
  }
}

async function apply(database: Database): Promise<void> {
  const { runner } = await import('node-pg-migrate');
  const { rows } = await database.query<{ exists: boolean }>('select to_regnamespace($1) is not null as exists', [
    SCHEMA,
  ]);
  await database.withClient((dbClient) =>
    runner({
      dbClient,
      dir: FOLDER,
      direction: 'up',
      schema: SCHEMA,
      // `create schema if not exists` needs a right that the role may lack.
      createSchema: rows[0]?.exists !== true,
      migrationsTable: TABLE,
      // If two nodes start at once, one migrates and the other waits.
      advisoryLockMode: 'wait',
      log: () => undefined,
    }),
  );
}

async function appliedIn(database: Database): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string | null }>('select to_regclass($1)::text as name', [
    `${SCHEMA}.${TABLE}`,
  ]);
  if (tables[0]?.name == null) {
    return [];
  }
  const { rows } = await database.query<{ name: string }>(`select name from ${SCHEMA}.${TABLE} order by name`);
  return rows.map(({ name }) => name);
}
