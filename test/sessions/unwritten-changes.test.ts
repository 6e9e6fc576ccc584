import { Refusal } from '../../src/base/refusal.ts';
import { endOfTurn } from '../../src/base/timers.ts';
import { Session } from '../../src/sessions/session.ts';
import type { Commit } from '../../src/store/store.ts';
import { payment, state } from '../store/samples.ts';
import { deferred, partsWith, paymentsJob } from './session-under-test.ts';

/** A session on a disk that can be full, with payments that need nothing but their time. */
async function sessionOnDisk() {
  const { errors, ...parts } = await partsWith(paymentsJob(() => undefined));
  const disk = { isFull: false, isAsked: deferred() };
  const store = new Proxy(parts.store, {
    get(target, name) {
      if (name === 'commit' && disk.isFull) {
        disk.isAsked.resolve();
        return async (commit: Commit) => {
          await endOfTurn();
          // As little as a session's own facts has room for longest.
          if (commit.changes.length > 0) {
            throw new Refusal('storage', 'the disk is full');
          }
          return target.commit(commit);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const clock = { mode: 'frozen', now: 0 } as const;
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), {
    ...parts,
    store,
  });
  const keep = (id: string, dueAt: number) =>
    session.transact(async (transaction) => transaction.put('payments', payment(id, { dueAt })));
  return { session, disk, errors, keep };
}

const STORAGE = expect.objectContaining({ kind: 'storage' });

it('are what a move of the clock is refused for, which then stands where it stood', async () => {
  const { session, disk, errors, keep } = await sessionOnDisk();
  await keep('payment-1', 1000);
  disk.isFull = true;
  await expect(session.advance('PT1S')).rejects.toEqual(STORAGE);
  expect(session.clock.now()).toBe(0);
  await expect(session.runUntilIdle()).resolves.toEqual([]);
  expect(await session.get('payments', 'payment-1')).toMatchObject({ dueAt: 1000 });
  expect(errors).toEqual([]);

  disk.isFull = false;
  await session.resume();
  await session.advance('PT1S');
  expect(session.clock.now()).toBe(1000);
  expect(await session.get('payments', 'payment-1')).toMatchObject({ dueAt: null });
});

it('are what a transaction is refused for that would not have been refused without them', async () => {
  const { session, disk, keep } = await sessionOnDisk();
  disk.isFull = true;
  const written = keep('payment-1', 1000);
  const refused = session.transact(async (transaction) => {
    if (await transaction.get('payments', 'payment-1')) {
      throw new Refusal('conflict', 'payment-1 is there already');
    }
  });
  await expect(written).rejects.toEqual(STORAGE);
  await expect(refused).rejects.toEqual(STORAGE);
});

it('are not what a reader is refused for: it looks again', async () => {
  const { session, disk, keep } = await sessionOnDisk();
  disk.isFull = true;
  const refused = expect(keep('payment-1', 0)).rejects.toEqual(STORAGE);
  let looks = 0;
  const seen = await session.read(async () => {
    looks += 1;
    await disk.isAsked.promise;
    return looks;
  });
  await refused;
  expect(seen).toBe(2);
});
