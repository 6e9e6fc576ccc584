import { Refusal } from '../../../src/base/refusal.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { NO_CALLS } from '../../../src/server/sessions/history-entry.ts';
import { Sessions } from '../../../src/server/sessions/sessions.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { payment, state } from '../store/samples.ts';
import { deferred, isSettled, partsWith, paymentsJob } from './session-under-test.ts';

const DEFAULTS = { seed: 'a seed', scenario: 'payer-decides', now: 0, maxSessions: 2 };

async function someSessions() {
  const parts = await partsWith(paymentsJob(() => undefined));
  return { sessions: new Sessions(parts, DEFAULTS), parts };
}

/** Makes the store refuse commits with records, as on a full disk that has room for smaller ones. */
function fillDisk(store: Store): void {
  const commit = store.commit.bind(store);
  store.commit = async (change) => {
    if (change.changes.length > 0) {
      throw new Refusal('storage', 'the disk is full');
    }
    return commit(change);
  };
}

describe('a session that starts with a given state', () => {
  const snapshot = { state: { ...state(), seed: 'another seed' }, payments: [payment('payment-1')] };

  it('has its settings and its records', async () => {
    const { sessions } = await someSessions();
    const session = await sessions.createWithState('fork', snapshot, NO_CALLS);
    expect([session.reader.seed, session.reader.get('payments', 'payment-1')]).toEqual([
      'another seed',
      snapshot.payments[0],
    ]);
  });

  it('does not exist if a full disk refuses the records', async () => {
    const { sessions, parts } = await someSessions();
    fillDisk(parts.store);
    await expect(sessions.createWithState('fork', snapshot, NO_CALLS)).rejects.toMatchObject({ kind: 'storage' });
    expect([sessions.find('fork'), await sessions.all()]).toEqual([undefined, []]);
  });
});

it('a session is discarded only if none of its data was stored', async () => {
  const { sessions } = await someSessions();
  const [stored, empty] = [await sessions.create('stored', {}), sessions.open('empty')];
  sessions.discardEmpty(stored);
  sessions.discardEmpty(empty);
  expect([sessions.find('stored'), sessions.find('empty')]).toEqual([stored, undefined]);
});

describe('sessions', () => {
  it('are the same for the same name, created on first use with the default seed, scenario and clock', async () => {
    const { sessions } = await someSessions();
    expect(sessions.find('shop')).toBeUndefined();
    const session = sessions.open('shop');
    expect(sessions.open('shop')).toBe(session);
    expect(sessions.find('shop')).toBe(session);
    expect(session.state).toEqual({
      seed: 'a seed',
      ids: 'repeat',
      scenario: 'payer-decides',
      clock: { mode: 'frozen', now: 0 },
      generation: 0,
      rngPosition: 0,
      counters: {},
      start: { scenario: 'payer-decides', clock: { mode: 'frozen', now: 0 } },
    });
  });

  it("follow the machine's clock by default", async () => {
    const { parts } = await someSessions();
    const sessions = new Sessions(parts, { ...DEFAULTS, now: undefined });
    expect(sessions.open('shop').state.clock).toEqual({ mode: 'real', offset: 0 });
  });

  it('can have their own settings, which survive a reset and are stored', async () => {
    const { sessions, parts } = await someSessions();
    const facts = { seed: 'another', scenario: 'auto-approve', now: 5 };
    const session = await sessions.create('shop', facts);
    await session.clockMover.advance('PT1S');
    await session.reset();
    expect(session.state).toMatchObject({
      seed: 'another',
      scenario: 'auto-approve',
      clock: { mode: 'frozen', now: 5 },
    });
    expect(await parts.store.sessions()).toEqual([{ name: 'shop', state: session.state }]);
  });

  it('cannot be created twice under the same name', async () => {
    const { sessions } = await someSessions();
    sessions.open('shop');
    await expect(sessions.create('shop', {})).rejects.toMatchObject({ kind: 'conflict' });
  });

  it.each(['', '-shop', '.shop', 'a b', 'a/b', 'a\n', 'a'.repeat(65)])(
    'cannot be created under a name like %j',
    async (name) => {
      const { sessions } = await someSessions();
      expect(() => sessions.open(name)).toThrow(expect.objectContaining({ kind: 'invalid-field' }));
      expect(sessions.list()).toEqual([]);
    },
  );

  it.each(['__proto__', '_sandbox', '-', '..'])(
    'cannot be opened under the name %s, and the error states the rule for names',
    async (name) => {
      const { sessions } = await someSessions();
      expect(() => sessions.open(name)).toThrow(
        `"${name}" is not a session name: a letter or digit, then letters, digits, dots, dashes and underscores, 64 characters at most`,
      );
    },
  );

  it.each(['a', 'A.b_c-9', '9'.repeat(64)])('can be called %s', async (name) => {
    const { sessions } = await someSessions();
    expect(sessions.open(name).name).toBe(name);
  });

  it.each([
    ['default', 'http://127.0.0.1:4100'],
    ['shop', 'http://127.0.0.1:4100/s/shop'],
  ])('have addresses that lead to them: %s', async (name, base) => {
    const { sessions } = await someSessions();
    const { addresses } = sessions.open(name);
    expect([addresses.base, addresses.to('/pay/qr/1'), addresses.link('a/b'), addresses.image('a/b')]).toEqual([
      base,
      `${base}/pay/qr/1`,
      `${base}/pay/link/a%2Fb`,
      `${base}/pay/images/a%2Fb`,
    ]);
  });

  it('are limited in number; after a deletion another one can be created', async () => {
    const { sessions } = await someSessions();
    sessions.open('one');
    sessions.open('two');
    expect(() => sessions.open('three')).toThrow(expect.objectContaining({ kind: 'too-many-sessions' }));
    expect(sessions.open('two')).toBeDefined();
    await sessions.delete('one');
    sessions.open('three');
    expect(sessions.list().map(({ name }) => name)).toEqual(['three', 'two']);
  });

  it('that are deleted are removed from the store, and the next session with that name is new', async () => {
    const { sessions, parts } = await someSessions();
    const session = await sessions.create('shop', {});
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
    await sessions.delete('shop');
    expect(await parts.store.sessions()).toEqual([]);
    expect(await sessions.open('shop').reader.all('payments')).toEqual([]);
    expect(() => session.reader.get('payments', 'payment-1')).toThrow('session shop was deleted');
  });

  it('whose deletion fails exist again, and a session opened under their name during the deletion has ended', async () => {
    const { sessions, parts } = await someSessions();
    const session = sessions.open('shop');
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
    const { promise, reject } = deferred();
    parts.store.drop = () => promise;
    parts.store.hasData = () => false;
    const deletion = sessions.delete('shop');
    const reopened = sessions.open('shop');
    reject(new Refusal('storage', 'full'));
    await expect(deletion).rejects.toMatchObject({ kind: 'storage' });
    await expect(reopened.transact(async () => undefined)).rejects.toMatchObject({ kind: 'session-ended' });
    await expect(session.transact(async () => undefined)).rejects.toMatchObject({ kind: 'session-ended' });
    expect(await sessions.open('shop').reader.all('payments')).toHaveLength(1);
  });

  it('are not created again over stored data while they move to another node', async () => {
    const { sessions } = await someSessions();
    const session = sessions.open('shop');
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
    sessions.evict('shop');
    expect(() => sessions.open('shop')).toThrow(expect.objectContaining({ kind: 'moved' }));
  });

  it('that do not exist cannot be deleted', async () => {
    const { sessions } = await someSessions();
    await expect(sessions.delete('shop')).rejects.toMatchObject({ kind: 'unknown-record' });
  });

  it('that were stored exist again after a start, with their due jobs', async () => {
    const { sessions, parts } = await someSessions();
    const { store } = parts;
    const storedState = state({ clock: { mode: 'frozen', now: 0 } });
    const changes = [payment('payment-1', { dueAt: 5 }), payment('payment-2')].map(
      (record) => ({ collection: 'payments', id: record.id, record }) as const,
    );
    await store.commit({ session: 'shop', wipe: false, state: storedState, changes });
    await sessions.load();
    const [session] = sessions.list();
    expect([session?.name, session?.state, session && runSteps(session.scheduler.inspect())]).toEqual([
      'shop',
      storedState,
      [],
    ]);
    await sessions.resume();
    expect(session && runSteps(session.scheduler.inspect())).toMatchObject([
      { recordId: 'payment-1', dueAt: 5, state: 'queued' },
    ]);
  });
});

describe('a stop of all sessions', () => {
  it('ends the event streams, starts no more jobs, and prevents new sessions', async () => {
    const { sessions } = await someSessions();
    const session = sessions.open('shop');
    let hasEnded = false;
    session.events.listen(
      () => undefined,
      () => {
        hasEnded = true;
      },
    );
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1', { dueAt: 0 })));
    await sessions.stop();
    expect(hasEnded).toBe(true);
    expect(session.reader.get('payments', 'payment-1')).toMatchObject({ dueAt: 0 });
    expect(() => sessions.open('late')).toThrow(expect.objectContaining({ kind: 'stopping' }));
    expect(sessions.open('shop')).toBe(session);
  });

  it('lets active calls finish, and waits for transactions', async () => {
    const { sessions, parts } = await someSessions();
    const session = sessions.open('shop');
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transaction = session.transact(async () => gate);
    const stop = sessions.stop();
    expect(await isSettled(stop)).toBe(false);
    release();
    await Promise.all([transaction, stop]);
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
    expect(parts.store.get('shop', 'payments', 'payment-1')).toBeDefined();
  });
});

it('sessions are deleted once they are unused for the given time, except the default one and those with listeners', async () => {
  const { parts } = await someSessions();
  const sessions = new Sessions(parts, { ...DEFAULTS, maxSessions: 9 });
  const clock = import.meta.jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const name of ['default', 'called', 'followed', 'unused']) {
    await sessions.open(name).commitState();
  }
  clock.mockReturnValue(60_000);
  sessions.open('called').markUsed();
  const stopFollowing = sessions.open('followed').events.listen(() => undefined);
  clock.mockReturnValue(90_000);
  await sessions.expire(30_000);
  expect((await parts.store.sessions()).map(({ name }) => name)).toEqual(['default', 'called', 'followed']);
  expect(sessions.find('unused')).toBeUndefined();
  stopFollowing();
  clock.mockReturnValue(90_001);
  await sessions.expire(30_000);
  expect((await parts.store.sessions()).map(({ name }) => name)).toEqual(['default']);
  clock.mockRestore();
});

it('an unused session that is used again while another one is deleted is kept', async () => {
  const { parts } = await someSessions();
  const sessions = new Sessions(parts, { ...DEFAULTS, maxSessions: 9 });
  const clock = import.meta.jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const name of ['first', 'second']) {
    await sessions.open(name).commitState();
  }
  clock.mockReturnValue(90_000);
  const expiry = sessions.expire(30_000);
  sessions.open('second').markUsed();
  await expiry;
  expect([sessions.find('first'), sessions.find('second')?.name]).toEqual([undefined, 'second']);
  clock.mockRestore();
});
