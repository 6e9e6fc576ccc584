import { openPostgresStore } from '../../../src/postgres/store/postgres-store.ts';
import type { SharedStore } from '../../../src/postgres/store/shared-store.ts';

/** Counts nodes, so that each gets a different address. */
let openCount = 0;

/** Opens a new node on the database. Its lease is longer than any test. */
export async function openAtNode(
  url: string,
  options: Partial<Parameters<typeof openPostgresStore>[0]> = {},
): Promise<SharedStore> {
  const store = await openPostgresStore({
    url,
    leaseMs: 600_000,
    maxSessions: 10_000,
    version: '0.0.0',
    fixtures: 'the same',
    onWarning: unexpected,
    onRecovered: () => undefined,
    onLost: unexpected,
    ...options,
  });
  openCount += 1;
  await store.join(`http://127.0.0.1:${openCount}`);
  return store;
}

/** Claims sessions as the cluster does: a stored one before it is read, a new one before its first commit. */
export async function openAndClaim(...args: Parameters<typeof openAtNode>): Promise<SharedStore> {
  const store = await openAtNode(...args);
  for (const { name } of await store.sessions()) {
    await store.claim(name);
  }
  const commit = store.commit.bind(store);
  store.commit = (each) =>
    store.isOwned(each.session) ? commit(each) : store.claim(each.session).then(() => commit(each));
  return store;
}

function unexpected(what: string): never {
  throw new Error(`unexpected: ${what}`);
}
