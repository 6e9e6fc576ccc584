import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** The secret that all nodes of a database share. The first node that starts creates it. */
export async function loadOrCreateSharedKey(database: Database): Promise<Buffer> {
  await database.query('insert into sandbox.installation (key) values ($1) on conflict do nothing', [
    randomBytes(32).toString('hex'),
  ]);
  const { rows } = await database.query<{ key: string }>('select key from sandbox.installation');
  return Buffer.from(rows[0]?.key ?? '', 'hex');
}
