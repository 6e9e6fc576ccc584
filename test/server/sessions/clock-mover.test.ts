import { endOfTurn } from '../../../src/base/timers.ts';
import { delivery, payment } from '../store/samples.ts';
import {
  deferred,
  deliveriesJob,
  paymentsJob,
  sessionOn,
  sessionOnSlowDisk,
  sessionWith,
} from './session-under-test.ts';

describe('a move of the clock', () => {
  it('returns its own events, and not those that a slow disk stored in the meantime', async () => {
    const { session, commitRequest, diskWrite } = await sessionOnSlowDisk();
    const change = session.transact(async (transaction) => {
      transaction.put('payments', payment('payment-1'));
      transaction.emit('payment.created', 'payments', 'payment-1');
    });
    await commitRequest.promise;
    const move = session.clockMover.advance('PT1S');
    diskWrite.resolve();
    await change;
    expect((await move).happened).toEqual([]);
  });

  it('does not delay due jobs on a real clock while it waits for a receiver', async () => {
    const isDone = deferred();
    const answer = deferred<string>();
    const { session } = await sessionOn(
      { mode: 'real', offset: 0 },
      paymentsJob(() => {
        isDone.resolve();
        return undefined;
      }),
      deliveriesJob(() => answer.promise),
    );
    const now = session.clock.now();
    await session.transact(async (transaction) => {
      transaction.put('deliveries', delivery('delivery-1', now));
      transaction.put('payments', payment('payment-1', { dueAt: now + 200 }));
    });
    const move = session.clockMover.advance('PT1H');
    await isDone.promise;
    answer.resolve('answered');
    await move;
  });

  it('begins after the active transaction, and does not return its events', async () => {
    const { session } = await sessionWith();
    const hasBegun = deferred();
    const mayEnd = deferred();
    const change = session.transact(async (transaction) => {
      hasBegun.resolve();
      await mayEnd.promise;
      transaction.put('payments', payment('payment-1'));
      transaction.emit('payment.created', 'payments', 'payment-1');
    });
    await hasBegun.promise;
    const move = session.clockMover.advance('PT1S');
    await endOfTurn();
    mayEnd.resolve();
    await change;
    expect((await move).happened).toEqual([]);
  });

  it('ends at the current time when its caller disconnects while a disk is still writing earlier commits', async () => {
    const { session, commitRequest, diskWrite } = await sessionOnSlowDisk();
    const before = session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
    await commitRequest.promise;
    const caller = new AbortController();
    const move = session.clockMover.advance('PT1S', caller.signal);
    await endOfTurn();
    caller.abort();
    diskWrite.resolve();
    await Promise.all([before, move]);
    expect(session.clock.now()).toBe(0);
  });
});
