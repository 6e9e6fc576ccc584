// Statements that the database executes late, or during which the node dies.
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import type { SharedStore } from '../../../src/postgres/store/shared-store.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { payment, put, state } from '../../server/store/samples.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { openAtNode } from './open-at-node.ts';

let server: PostgresServer;
let url: string;
let proxy: CuttingProxy;
let client: pg.Client;
const stores: SharedStore[] = [];
const IDLE_FACTS = { dueInMs: undefined, unusedMs: 0 };

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
beforeEach(async () => {
  url = await server.newDatabase();
  proxy = new CuttingProxy(url);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await client.end();
  proxy.close();
});
afterAll(() => server.stop());

async function openNode(address: string, options: Parameters<typeof openAtNode>[1] = {}): Promise<SharedStore> {
  const store = await openAtNode(address, { onLost: () => undefined, onWarning: () => undefined, ...options });
  stores.push(store);
  return store;
}

function paymentCommit(session: string, id: string): Commit {
  return { session, state: state(), changes: [put('payments', payment(id))] };
}

async function claimAndPay(store: SharedStore): Promise<void> {
  await store.claim('shop');
  await store.commit(paymentCommit('shop', 'payment-1'));
}

async function idsOf(store: SharedStore): Promise<string[]> {
  return (await store.list('shop', 'payments', { limit: 99 })).items.map(({ id }) => id);
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  return (await client.query(text)).rows;
}

/** Whether another node could take the session now, without waiting for a lock. */
async function canBeLocked(): Promise<boolean> {
  return query("select from sandbox.session where name = 'shop' for update nowait").then(
    (rows) => rows.length === 1,
    () => false,
  );
}

/** Blocks the insertion of a snapshot's parts; resolves with a function that unblocks it. */
async function holdSnapshots(): Promise<() => Promise<unknown>> {
  await query(`create function wait_for_it() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(42);
      return new;
    end $$`);
  await query(`create trigger wait_for_it before insert on sandbox.journal for each row
    when (new.part > 0) execute function wait_for_it()`);
  await query('select pg_advisory_lock(42)');
  return () => query('select pg_advisory_unlock(42)');
}

async function waitUntil(question: string): Promise<void> {
  while ((await query(question)).length === 0) {
    // The statement has not arrived at the database yet.
  }
}

it('a late deletion of a session has no effect once its node has claimed it again', async () => {
  const store = await openNode(await proxy.listen());
  await claimAndPay(store);
  const heldData = proxy.holdFrom('delete from sandbox.session');
  const drop = store.drop('shop');
  const deletion = await heldData;
  deletion.cut();
  await expect(drop).rejects.toMatchObject({ kind: 'outcome-unknown' });
  expect(await store.claim('shop')).toMatchObject({ isHere: true });
  await store.commit(paymentCommit('shop', 'payment-2'));
  await deletion.resume();
  await store.commit(paymentCommit('shop', 'payment-3'));
  await store.release(new Map([['shop', IDLE_FACTS]]));
  const other = await openNode(url);
  await other.claim('shop');
  expect(await idsOf(other)).toEqual(['payment-1', 'payment-2', 'payment-3']);
});

it('a late release of a session has no effect once its node has claimed it again', async () => {
  const store = await openNode(await proxy.listen());
  await claimAndPay(store);
  const heldData = proxy.holdFrom('update sandbox.session set owner = null');
  const result = store.release(new Map([['shop', IDLE_FACTS]]));
  const release = await heldData;
  release.cut();
  await expect(result).rejects.toThrow();
  expect(await store.claim('shop')).toMatchObject({ isHere: true });
  await release.resume();
  const other = await openNode(url);
  expect(await other.claim('shop')).toMatchObject({ isHere: false });
});

it('a session is not claimed under a node id that is not registered yet', async () => {
  const first = await openNode(url);
  await claimAndPay(first);
  await first.release(new Map([['shop', IDLE_FACTS]]));
  const store = await openNode(await proxy.listen(), { leaseMs: 2000 });
  const heldOwnerQuery = proxy.holdFrom('with ended as');
  const claim = store.claim('shop');
  const ownerQuery = await heldOwnerQuery;
  const heldJoin = proxy.holdFrom('insert into sandbox.node');
  await query(`update sandbox.node set expires = clock_timestamp() - interval '1 second'`);
  const join = await heldJoin;
  await ownerQuery.resume();
  await expect(claim).rejects.toMatchObject({ kind: 'moved' });
  expect(await query('select owner from sandbox.session')).toEqual([{ owner: null }]);
  await join.resume();
});

it('a session that one node reads is not blocked for other nodes', async () => {
  const first = await openNode(url);
  await claimAndPay(first);
  await first.release(new Map([['shop', IDLE_FACTS]]));
  const store = await openNode(await proxy.listen());
  const heldRead = proxy.holdFrom('with snapshot as');
  const claim = store.claim('shop');
  const read = await heldRead;
  expect(await canBeLocked()).toBe(true);
  await read.resume();
  expect(await claim).toMatchObject({ isHere: true });
});

describe('a session that is compacted', () => {
  it('is not blocked for other nodes', async () => {
    const store = await openNode(url, { smallJournalBytes: 1 });
    await claimAndPay(store);
    const resume = await holdSnapshots();
    store.compact();
    await store.commit(paymentCommit('shop', 'payment-2'));
    await waitUntil("select from pg_locks where locktype = 'advisory' and not granted");
    expect(await canBeLocked()).toBe(true);
    await resume();
  });

  it('leaves no rows if it is deleted at the same time', async () => {
    const store = await openNode(url, { smallJournalBytes: 1 });
    await claimAndPay(store);
    const resume = await holdSnapshots();
    store.compact();
    await store.commit(paymentCommit('shop', 'payment-2'));
    await waitUntil("select from pg_locks where locktype = 'advisory' and not granted");
    await store.drop('shop');
    await resume();
    await stores.pop()?.close();
    expect(await query('select from sandbox.journal')).toEqual([]);
  });
});

it('an unreadable session is not found by the search for sessions to claim', async () => {
  const first = await openNode(url);
  await claimAndPay(first);
  await first.release(new Map([['shop', IDLE_FACTS]]));
  await query(`update sandbox.journal set lines = '{"changes":[{"collection":"purses"}]}' where lines <> ''`);
  const store = await openNode(url);
  await expect(store.claim('shop')).rejects.toMatchObject({ kind: 'unreadable-session' });
  expect(await store.sessionsToClaim()).toEqual([]);
});
