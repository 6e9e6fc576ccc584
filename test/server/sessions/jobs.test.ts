import { runSteps } from '../../../src/base/steps.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { StaleGeneration } from '../../../src/server/sessions/generation.ts';
import { localJob } from '../../../src/server/sessions/job.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { delivery, payment } from '../store/samples.ts';
import {
  deferred,
  deliveriesJob,
  isIdle,
  isSettled,
  paymentsJob,
  sessionOn,
  sessionWith,
  waitForTurns,
} from './session-under-test.ts';

function putPayment(session: Session, id: string, dueAt: number | null): Promise<void> {
  return session.transact(async (transaction) => transaction.put('payments', payment(id, { dueAt })));
}

function putDelivery(session: Session, id: string, dueAt: number, url = 'http://127.0.0.1:9/hook'): Promise<void> {
  return session.transact(async (transaction) => transaction.put('deliveries', delivery(id, dueAt, { url })));
}

describe('a routine job', () => {
  it('runs when the clock moves, but does not keep a session from being idle', async () => {
    const runInstants: number[] = [];
    const routine = localJob({
      kind: 'test-routine',
      collection: 'payments',
      isRoutine: true,
      run: async (transaction) => void runInstants.push(transaction.now),
      fail: () => undefined,
    });
    const { session } = await sessionWith(routine);
    const start = session.clock.now();
    await putPayment(session, 'payment-1', start + 5000);
    await session.clockMover.runUntilIdle();
    expect([session.clock.now(), isIdle(session), runInstants]).toEqual([start, true, []]);
    await session.clockMover.advance('PT10S');
    expect(runInstants).toEqual([start + 5000]);
  });
});

describe('a local job', () => {
  it('is listed while it runs', async () => {
    const gate = deferred<undefined>();
    const { session } = await sessionWith(paymentsJob(() => gate.promise));
    await putPayment(session, 'payment-1', 0);
    await waitForTurns();
    expect(runSteps(session.scheduler.inspect())).toEqual([
      {
        kind: 'test-payment',
        collection: 'payments',
        recordId: 'payment-1',
        dueAt: 0,
        state: 'running',
        waitsFor: null,
      },
    ]);
    expect(isIdle(session)).toBe(false);
    gate.resolve(undefined);
    await waitForTurns();
    expect([runSteps(session.scheduler.inspect()), isIdle(session)]).toEqual([[], true]);
  });

  it('is skipped if its record was decided while the job waited', async () => {
    const runs: string[] = [];
    const { session } = await sessionWith(
      paymentsJob((id) => {
        runs.push(id);
        return undefined;
      }),
    );
    await putPayment(session, 'payment-1', 0);
    await session.transact(async (transaction) => {
      await endOfTurn();
      await endOfTurn();
      transaction.put('payments', payment('payment-1', { dueAt: null }));
    });
    await waitForTurns();
    expect(runs).toEqual([]);
  });

  it('that is overdue runs with the instant at which it was due', async () => {
    const at: number[] = [];
    const { session } = await sessionOn(
      { mode: 'frozen', now: 5 },
      localJob({
        kind: 'test-payment',
        collection: 'payments',
        async run(transaction, record) {
          at.push(transaction.now);
          transaction.put('payments', { ...record, dueAt: null });
        },
        fail: () => undefined,
      }),
    );
    await putPayment(session, 'payment-1', 2);
    await waitForTurns();
    expect([at, session.clock.now()]).toEqual([[2], 5]);
  });

  it('whose failure cannot be stored is logged with both errors, and does not stop the clock', async () => {
    const { session, errors } = await sessionWith(
      localJob({
        kind: 'test-payment',
        collection: 'payments',
        async run() {
          throw new Error('no fee row');
        },
        fail() {
          throw new Error('no state for it');
        },
      }),
    );
    await putPayment(session, 'payment-1', 1);
    await session.clockMover.advance('PT1S');
    expect(errors).toEqual([new Error('no fee row'), new Error('no state for it')]);
  });
});

describe('the next due job', () => {
  it('is updated when the records change', async () => {
    const { session } = await sessionWith(paymentsJob(() => undefined));
    await putPayment(session, 'payment-1', 10);
    await putPayment(session, 'payment-1', 20);
    expect(session.scheduler.nextDueAt).toBe(20);
    await putPayment(session, 'payment-1', null);
    expect(session.scheduler.nextDueAt).toBeUndefined();
    await putPayment(session, 'payment-1', 30);
    await session.transact(async (transaction) => transaction.remove('payments', 'payment-1'));
    expect([session.scheduler.nextDueAt, runSteps(session.scheduler.inspect())]).toEqual([undefined, []]);
  });

  it('is the first by the job table if several are due at one instant, even after thousands of changes', async () => {
    const order: string[] = [];
    const { session } = await sessionWith(
      paymentsJob((id) => {
        order.push(id);
        return undefined;
      }),
      deliveriesJob(async ({ id }) => {
        order.push(id);
        return '';
      }),
    );
    await putDelivery(session, 'delivery-1', 10);
    await putPayment(session, 'payment-2', 10);
    for (let time = 0; time < 3000; time += 1) {
      await putPayment(session, 'payment-3', 5000 - time);
    }
    await putPayment(session, 'payment-1', 10);
    await session.clockMover.advance('PT10S');
    expect(order).toEqual(['payment-1', 'payment-2', 'delivery-1', 'payment-3']);
  });
});

describe('jobs on the network', () => {
  it('run ten at a time per address, the next when one has ended, and do not delay other addresses', async () => {
    const answers = new Map<string, () => void>();
    const { session } = await sessionWith(
      deliveriesJob(
        ({ id }) =>
          new Promise((resolve) => {
            answers.set(id, () => resolve(id));
          }),
      ),
    );
    for (let number = 1; number <= 12; number += 1) {
      await putDelivery(session, `delivery-${number}`, 0);
    }
    await putDelivery(session, 'delivery-13', 0, 'http://127.0.0.1:9/other');
    await waitForTurns();
    const first = Array.from({ length: 10 }, (_, index) => `delivery-${index + 1}`);
    expect([...answers.keys()]).toEqual([...first, 'delivery-13']);
    answers.get('delivery-4')?.();
    await waitForTurns();
    expect([...answers.keys()].at(-1)).toBe('delivery-11');
    answers.get('delivery-1')?.();
    await waitForTurns();
    expect([...answers.keys()].at(-1)).toBe('delivery-12');
    for (const answer of answers.values()) {
      answer();
    }
    await waitForTurns();
    expect(isIdle(session)).toBe(true);
    // The slots are free again, so ten more jobs run.
    answers.clear();
    for (let number = 1; number <= 11; number += 1) {
      await putDelivery(session, `delivery-${number}`, 0);
    }
    await waitForTurns();
    expect(answers.size).toBe(10);
  });

  it('are not sent if their record is no longer due when it is their turn', async () => {
    const answers: (() => void)[] = [];
    const sentIds: string[] = [];
    const { session } = await sessionWith(
      deliveriesJob(({ id }) => {
        sentIds.push(id);
        return new Promise((resolve) => answers.push(() => resolve(id)));
      }),
    );
    for (let number = 1; number <= 12; number += 1) {
      await putDelivery(session, `delivery-${number}`, 0);
    }
    await waitForTurns();
    await session.transact(async (transaction) => transaction.remove('deliveries', 'delivery-11'));
    await putDelivery(session, 'delivery-12', 50);
    for (const answer of answers) {
      answer();
    }
    await waitForTurns();
    expect(sentIds).toHaveLength(10);
    expect(runSteps(session.scheduler.inspect())).toMatchObject([
      { recordId: 'delivery-12', dueAt: 50, state: 'queued' },
    ]);
  });

  it('do not change a record that was postponed or removed before they ended or failed', async () => {
    const answers = new Map<string, { resolve(body: string): void; reject(error: Error): void }>();
    const { session, errors } = await sessionWith(
      deliveriesJob(({ id }) => {
        const answer = deferred<string>();
        answers.set(id, answer);
        return answer.promise;
      }),
    );
    for (const id of ['delivery-1', 'delivery-2', 'delivery-3']) {
      await putDelivery(session, id, 0);
    }
    await waitForTurns();
    await putDelivery(session, 'delivery-1', 70);
    await session.transact(async (transaction) => {
      transaction.remove('deliveries', 'delivery-2');
      transaction.remove('deliveries', 'delivery-3');
    });
    answers.get('delivery-1')?.reject(new Error('failed'));
    answers.get('delivery-2')?.reject(new Error('failed'));
    answers.get('delivery-3')?.resolve('delivered');
    await waitForTurns();
    expect(await session.reader.all('deliveries')).toEqual([delivery('delivery-1', 70)]);
    expect(session.events.since(0)).toEqual([]);
    expect(errors).toEqual([new Error('failed'), new Error('failed')]);
    expect(runSteps(session.scheduler.inspect())).toMatchObject([
      { recordId: 'delivery-1', dueAt: 70, state: 'queued' },
    ]);
  });

  it.each(['stop', 'reset', 'deletion'] as const)('that fail because of a %s are not reported', async (how) => {
    const { session, errors } = await sessionWith(
      deliveriesJob(
        (_delivery, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ),
    );
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    const ends = {
      stop: () => session.stop(),
      reset: () => session.reset(),
      deletion: async () => session.end('deleted'),
    };
    await ends[how]();
    await waitForTurns();
    expect(errors).toEqual([]);
    if (how === 'stop') {
      expect(await session.reader.all('deliveries')).toEqual([delivery('delivery-1', 0)]);
    }
  });

  it('can be awaited at the same time; each wait ends when the result of its job is recorded', async () => {
    const answers = new Map<string, () => void>();
    const { session } = await sessionWith(
      deliveriesJob(({ id }) => new Promise((resolve) => answers.set(id, () => resolve(id)))),
    );
    await putDelivery(session, 'delivery-1', 0);
    await putDelivery(session, 'delivery-2', 0);
    const first = session.scheduler.waitUntilDone(
      { collection: 'deliveries', recordId: 'delivery-1' },
      session.generation,
    );
    const second = session.scheduler.waitUntilDone(
      { collection: 'deliveries', recordId: 'delivery-2' },
      session.generation,
    );
    await waitForTurns();
    answers.get('delivery-2')?.();
    await second;
    expect(session.reader.get('deliveries', 'delivery-2')).toMatchObject({ body: 'delivery-2' });
    expect(await isSettled(first)).toBe(false);
    answers.get('delivery-1')?.();
    await first;
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'delivery-1' });
  });

  it.each([
    ['a reset', (session: Session) => session.reset()],
    ['a deletion', async (session: Session) => session.end('deleted')],
  ])('cannot be awaited after %s', async (_title, end) => {
    const { session } = await sessionWith(deliveriesJob(() => new Promise(() => undefined)));
    const { generation } = session;
    await putDelivery(session, 'delivery-1', 0);
    const waiting = session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: 'delivery-1' }, generation);
    const refused = expect(waiting).rejects.toBeInstanceOf(StaleGeneration);
    await end(session);
    await refused;
    await expect(
      session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: 'delivery-1' }, generation),
    ).rejects.toThrow(StaleGeneration);
  });

  it('are not awaited once they have ended', async () => {
    const { session } = await sessionWith(deliveriesJob(async () => 'sent'));
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    await session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: 'delivery-1' }, session.generation);
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'sent' });
  });
});
