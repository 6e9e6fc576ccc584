import fc from 'fast-check';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import type { SharedStore } from '../../../src/postgres/store/shared-store.ts';
import { openStore } from '../../../src/server/store/file/embedded-store.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { image, payment, put, state } from '../../server/store/samples.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { openAndClaim, openAtNode } from './open-at-node.ts';
import { anyCommit, dataOf } from './random-commits.ts';

let server: PostgresServer;
let url: string;
const stores: SharedStore[] = [];
const IDLE_FACTS = { dueInMs: undefined, unusedMs: 0 };

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
beforeEach(async () => {
  url = await server.newDatabase();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
afterAll(() => server.stop());

/** A node with a list of its lost sessions and of the results of commits, in order. */
async function openNode(
  address = url,
  options: Parameters<typeof openAtNode>[1] = {},
): Promise<{ store: SharedStore; log: string[] }> {
  const log: string[] = [];
  const store = await openAtNode(address, { ...options, onLost: (session) => log.push(`lost ${session}`) });
  stores.push(store);
  return { store, log };
}

/** Claims the sessions, and stores a payment in each. */
async function claimAndPay(store: SharedStore, sessions: readonly string[]): Promise<void> {
  for (const session of sessions) {
    await store.claim(session);
    await store.commit(paymentCommit(session, 'payment-1'));
  }
}

function paymentCommit(session: string, id: string): Commit {
  return { session, state: state(), changes: [put('payments', payment(id))] };
}

async function idsOf(store: SharedStore, session: string): Promise<string[]> {
  return (await store.list(session, 'payments', { limit: 99 })).items.map(({ id }) => id);
}

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Blocks all flushes by a lock on the journal. */
async function holdFlushes() {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin; lock table sandbox.journal in access exclusive mode');
  const waiting = `select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like 'insert into sandbox.journal%'`;
  return {
    /** Resolves with the process of the next blocked flush. */
    async next(): Promise<unknown> {
      for (;;) {
        const [flush] = await query(waiting);
        if (flush) {
          return flush['pid'];
        }
      }
    },
    resume: () => holder.end(),
  };
}

/** Commits, and adds the result to a list. */
function logCommit(log: string[], store: SharedStore, commit: Commit): Promise<unknown> {
  const { session, changes } = commit;
  const name = `${session} ${changes[0]?.id}`;
  return store.commit(commit).then(
    () => log.push(`${name} kept`),
    (error) => log.push(`${name} ${error.kind}`),
  );
}

describe('sessions in PostgreSQL', () => {
  it('are the same at every node that opens them, for any data and any order of compactions', async () => {
    const other = fc.constantFrom('compact' as const, 'wait' as const, 'open again' as const);
    const step = fc.oneof({ weight: 2, arbitrary: anyCommit('shop') }, { weight: 1, arbitrary: other });
    let parts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        await query('drop schema if exists sandbox cascade');
        const reference = await openStore({ file: ':memory:', syncToDisk: false, onWarning: () => {} });
        const open = () => openAndClaim(url, { smallJournalBytes: 1 });
        let store = await open();
        let durable: Promise<unknown> = Promise.resolve();
        for (const each of [...steps, 'open again'] as const) {
          if (each === 'open again') {
            await durable;
            await store.close();
            store = await open();
            expect(await dataOf(store, 'shop')).toEqual(await dataOf(reference, 'shop'));
          } else if (each === 'compact') {
            store.compact();
          } else if (each === 'wait') {
            await durable;
          } else {
            await reference.commit(each);
            durable = Promise.all([durable, store.commit(each)]);
          }
        }
        await store.close();
        const [written] = await query('select count(*)::int as parts from sandbox.journal where part > 0');
        parts += Number(written?.['parts']);
      }),
      { numRuns: cases(4), seed: 1 },
    );
    expect(parts).toBeGreaterThan(0);
  });

  it('are stored by statements of limited size, for any number of simultaneous commits', async () => {
    const { store } = await openNode();
    const sessions = ['a', 'b', 'c', 'd'];
    await Promise.all(sessions.map((session) => store.claim(session)));
    const large = (session: string) => ({
      session,
      state: state(),
      changes: [put('images', image('image-1', 'A'.repeat(3 << 20)))],
    });
    await Promise.all(sessions.map((session) => store.commit(large(session))));
    const statements = await query(`select sum(octet_length(lines))::int as bytes from sandbox.journal
      where lines <> '' group by xmin order by bytes`);
    expect(statements).toHaveLength(2);
    expect(statements.every(({ bytes }) => Number(bytes) <= 8 << 20)).toBe(true);
  });

  it('use one row each for their simultaneous commits', async () => {
    const { store } = await openNode();
    const sessions = Array.from({ length: 100 }, (_, index) => `shop-${index}`);
    await Promise.all(sessions.map((session) => store.claim(session)));
    const ids = ['payment-1', 'payment-2', 'payment-3'];
    await Promise.all(sessions.flatMap((session) => ids.map((id) => store.commit(paymentCommit(session, id)))));
    expect(await query("select count(*)::int as rows from sandbox.journal where lines <> ''")).toEqual([{ rows: 100 }]);
    await store.close();
    const { store: again } = await openNode();
    for (const session of sessions) {
      await again.claim(session);
      expect(await idsOf(again, session)).toEqual(ids);
    }
  });
});

it('sessions without an owner are deleted with all their data after the given time without use', async () => {
  const { store } = await openNode();
  await claimAndPay(store, ['default', 'unused', 'used', 'held']);
  const unusedFor = (unusedMs: number) => ({ dueInMs: undefined, unusedMs });
  await store.release(
    new Map([
      ['default', unusedFor(90_000)],
      ['unused', unusedFor(90_000)],
      ['used', unusedFor(0)],
    ]),
  );
  expect(await store.expire(60_000, 'default')).toEqual(['unused']);
  expect((await store.sessions()).map(({ name }) => name)).toEqual(['default', 'used', 'held']);
  const orphans = await query('select from sandbox.journal where session not in (select number from sandbox.session)');
  expect(orphans).toEqual([]);
  expect(await store.claim('unused')).toEqual({ isHere: true, state: undefined });
});

describe('commits', () => {
  it('whose connection breaks are refused after their sessions are reported as lost; other sessions are not affected', async () => {
    const { store, log } = await openNode();
    await claimAndPay(store, ['shop', 'kiosk', 'other']);
    const flushes = await holdFlushes();
    const sentCommits = [
      logCommit(log, store, paymentCommit('shop', 'payment-2')),
      logCommit(log, store, paymentCommit('kiosk', 'payment-2')),
    ];
    const process = await flushes.next();
    // Later commits are sent with the next flush, unless they depend on a lost one.
    const laterCommits = [
      logCommit(log, store, paymentCommit('shop', 'payment-3')),
      logCommit(log, store, paymentCommit('other', 'payment-2')),
    ];
    await query('select pg_terminate_backend($1)', [process]);
    await Promise.all(sentCommits);
    await flushes.resume();
    await Promise.all(laterCommits);
    expect(log).toEqual([
      ...['lost shop', 'lost kiosk', 'shop payment-2 outcome-unknown'],
      // This one was never sent.
      'shop payment-3 moved',
      ...['kiosk payment-2 outcome-unknown', 'other payment-2 kept'],
    ]);
    expect(store.ownedSessions()).toEqual(['other']);
    expect(() => store.assertOwned('shop')).toThrow(expect.objectContaining({ kind: 'moved' }));
    await store.claim('shop');
    expect(await idsOf(store, 'shop')).toEqual(['payment-1']);
    await store.commit(paymentCommit('shop', 'payment-4'));
    expect(await idsOf(store, 'shop')).toEqual(['payment-1', 'payment-4']);
  });

  it('that were stored, but whose answer was lost, have an unknown outcome, and can be read later', async () => {
    const proxy = new CuttingProxy(url);
    const { store, log } = await openNode(await proxy.listen());
    await claimAndPay(store, ['shop']);
    proxy.cutNextAnswer();
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    expect(log).toEqual(['lost shop', 'shop payment-2 outcome-unknown']);
    await store.claim('shop');
    expect(await idsOf(store, 'shop')).toEqual(['payment-1', 'payment-2']);
    await store.close();
    proxy.close();
  });

  it('whose answer was lost do not leave an abandoned session', async () => {
    const proxy = new CuttingProxy(url);
    const { store, log } = await openNode(await proxy.listen());
    await claimAndPay(store, ['shop', 'kiosk', 'other']);
    proxy.cutNextAnswer();
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    proxy.cutNextAnswer();
    await expect(store.release(new Map([['kiosk', IDLE_FACTS]]))).rejects.toThrow();
    // In the database, the kiosk is released: only the answer was lost.
    expect(await store.sessionsToClaim()).toEqual(['shop']);
    await store.claim('shop');
    expect(await store.sessionsToClaim()).toEqual([]);
    await store.close();
    proxy.close();
  });

  it('that fail while the database is unreachable do not leave an abandoned session once the database is back', async () => {
    const proxy = new CuttingProxy(url);
    const { store, log } = await openNode(await proxy.listen());
    await claimAndPay(store, ['shop']);
    proxy.cutNextAnswer();
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    proxy.cutNextAnswer();
    await expect(store.sessionsToClaim()).rejects.toThrow();
    expect(await store.sessionsToClaim()).toEqual(['shop']);
    await store.close();
    proxy.close();
  });

  it('of a previous owner are refused once another node has claimed the session', async () => {
    const { store, log } = await openNode();
    const { store: other } = await openNode();
    await claimAndPay(store, ['shop']);
    // As if the node had been suspended for longer than its lease, and had not noticed yet.
    await query('update sandbox.session set owner = null');
    expect(await other.claim('shop')).toMatchObject({ isHere: true });
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    expect(log).toEqual(['lost shop', 'shop payment-2 moved']);
    await other.commit(paymentCommit('shop', 'payment-3'));
    expect(await idsOf(other, 'shop')).toEqual(['payment-1', 'payment-3']);
    expect(await store.claim('shop')).toEqual({ isHere: false, address: expect.stringMatching(/^http:/) });
  });

  it('that the database rejects, or that were never sent, are refused with a known outcome', async () => {
    const { store, log } = await openNode();
    await claimAndPay(store, ['shop', 'kiosk']);
    await query('alter table sandbox.journal rename to journal_elsewhere');
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    await query('alter table sandbox.journal_elsewhere rename to journal');
    expect(log).toEqual(['lost shop', 'shop payment-2 moved']);
    // The database is not reachable any more.
    const proxy = new CuttingProxy(url);
    const { store: cutOff, log: cutOffLog } = await openNode(await proxy.listen(), { onWarning: () => undefined });
    await cutOff.claim('stall');
    proxy.close();
    await logCommit(cutOffLog, cutOff, paymentCommit('stall', 'payment-2'));
    await logCommit(cutOffLog, cutOff, paymentCommit('stall', 'payment-3'));
    expect(cutOffLog).toEqual(['lost stall', 'stall payment-2 moved', 'stall payment-3 moved']);
  });

  it('that the database stored succeed, although the lease has expired when its answer arrives', async () => {
    const { store, log } = await openNode();
    await claimAndPay(store, ['shop']);
    const flushes = await holdFlushes();
    const commit = logCommit(log, store, paymentCommit('shop', 'payment-2'));
    await flushes.next();
    // By the node's clock, the lease has expired; by that of the database, it has not.
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      expect(() => store.assertOwned('shop')).toThrow(expect.objectContaining({ kind: 'moved' }));
      await flushes.resume();
      await commit;
    } finally {
      Date.now = now;
    }
    expect(log).toEqual(['shop payment-2 kept']);
  });

  it('of the present owner succeed even if a previous owner releases the session', async () => {
    const [{ store: former }, { store: other }, { store: third }] = [
      await openNode(),
      await openNode(),
      await openNode(),
    ];
    await claimAndPay(former, ['shop']);
    // As if the node had been suspended for longer than its lease, and now releases sessions that it lost.
    await query('update sandbox.session set owner = null');
    await other.claim('shop');
    await former.release(new Map([['shop', IDLE_FACTS]]));
    expect(await third.claim('shop')).toEqual({ isHere: false, address: expect.stringMatching(/^http:/) });
    await other.commit(paymentCommit('shop', 'payment-2'));
    expect(await idsOf(other, 'shop')).toEqual(['payment-1', 'payment-2']);
  });

  it('are not read at a node whose lease expired while it claimed their session', async () => {
    const { store: first } = await openNode();
    await claimAndPay(first, ['shop']);
    await first.release(new Map([['shop', IDLE_FACTS]]));
    const { store } = await openNode();
    const flushes = await holdFlushes();
    const claim = store.claim('shop').catch((error: unknown) => error);
    await flushes.next();
    // From now on, others may take the session, although the database has assigned it to this node.
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      await flushes.resume();
      expect(await claim).toMatchObject({ kind: 'moved' });
    } finally {
      Date.now = now;
    }
    expect(store.ownedSessions()).toEqual([]);
    expect(await store.claim('shop')).toMatchObject({ isHere: true });
    expect(await idsOf(store, 'shop')).toEqual(['payment-1']);
  });

  it('of a node whose lease has expired by the database’s clock are refused, even if by the node’s clock it has not', async () => {
    const { store, log } = await openNode();
    await claimAndPay(store, ['shop']);
    await query("update sandbox.node set expires = clock_timestamp() - interval '1 second'");
    await logCommit(log, store, paymentCommit('shop', 'payment-2'));
    expect(log).toEqual(['lost shop', 'shop payment-2 moved']);
    const { store: other } = await openNode();
    await other.claim('shop');
    expect(await idsOf(other, 'shop')).toEqual(['payment-1']);
  });
});

it('a session stays at its node if a renewal of its expired lease is committed while another node claims the session', async () => {
  const { store } = await openNode();
  await claimAndPay(store, ['shop']);
  const renewal = new pg.Client({ connectionString: url });
  await renewal.connect();
  try {
    await query('update sandbox.node set expires = clock_timestamp()');
    await renewal.query('begin');
    await renewal.query("update sandbox.node set expires = clock_timestamp() + interval '1 hour'");
    const { store: other } = await openNode();
    let hasEnded = false;
    const claim = other.claim('shop').finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && (await query('select from pg_locks where not granted')).length === 0) {
      // The statement has not arrived at the database yet.
    }
    await renewal.query('commit');
    expect(await claim).toEqual({ isHere: false, address: expect.stringMatching(/^http:/) });
    expect(store.isOwned('shop')).toBe(true);
  } finally {
    await renewal.end();
  }
});

it('only the session with invalid rows is refused, and it is not changed', async () => {
  const first = await openNode();
  await claimAndPay(first.store, ['shop', 'innocent']);
  await first.store.close();
  stores.splice(0);
  await query(
    'update sandbox.journal set lines = \'{"changes":[{"collection":"purses"}]}\' where lines <> \'\' and session = (select number from sandbox.session where name = \'shop\')',
  );
  const rows = () =>
    query("select flush, part, state, lines from sandbox.journal where lines <> '' order by session, flush, part");
  const before = await rows();
  const { store } = await openNode();
  for (const _call of [1, 2]) {
    await expect(store.claim('shop')).rejects.toMatchObject({
      kind: 'unreadable-session',
      message: expect.stringMatching(/session shop cannot be read.*purses/),
    });
  }
  expect(await store.claim('innocent')).toMatchObject({ isHere: true });
  expect(await idsOf(store, 'innocent')).toEqual(['payment-1']);
  expect(await rows()).toEqual(before);
});

describe('a session that a node creates', () => {
  it('is refused only if the maximum number of sessions exists', async () => {
    const { store } = await openNode(url, { maxSessions: 1 });
    await claimAndPay(store, ['one']);
    await expect(store.claim('two')).rejects.toMatchObject({ kind: 'too-many-sessions' });
    expect(await store.claim('one')).toMatchObject({ isHere: true });
  });

  it('is created at the next attempt if another node created and deleted it in between', async () => {
    const { store } = await openNode();
    // The answers of the database in this case: nothing was inserted, and nothing exists.
    await query(`create table sandbox.once (); insert into sandbox.once default values;
      create function pass_over() returns trigger language plpgsql as $$ begin
        if exists (select from sandbox.once) then delete from sandbox.once; return null; end if;
        return new;
      end $$;
      create trigger pass_over before insert on sandbox.session for each row execute function pass_over()`);
    expect(await store.claim('shop')).toMatchObject({ isHere: true });
  });
});
