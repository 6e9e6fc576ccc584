import fc from 'fast-check';
import { runSteps } from '../../../src/base/steps.ts';
import { endOfTurn, machineNow } from '../../../src/base/timers.ts';
import { waitForLatency } from '../../../src/server/merchant-api/fault.ts';
import { localJob } from '../../../src/server/sessions/job.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { delivery, payment } from '../store/samples.ts';
import {
  deferred,
  deliveriesJob,
  isIdle,
  isSettled,
  paymentsJob,
  sessionWith,
  waitForTurns,
} from './session-under-test.ts';

const LATENCY = { at: 'before', kind: 'latency', latency: 'PT5S' } as const;

function putPayments(session: Session, ...dues: [id: string, dueAt: number][]): Promise<void> {
  return session.transact(async (transaction) => {
    for (const [id, dueAt] of dues) {
      transaction.put('payments', payment(id, { dueAt }));
    }
  });
}

function putDelivery(session: Session, id: string, dueAt: number): Promise<void> {
  return session.transact(async (transaction) => transaction.put('deliveries', delivery(id, dueAt)));
}

describe('local jobs', () => {
  it('run in order of time and record, with the clock at each time, and only when they are due', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 50 })), {
          selector: ([number]) => number,
        }),
        fc.integer({ min: 0, max: 60 }),
        async (jobsWithNumbers, until) => {
          const runs: [number, number][] = [];
          const { session } = await sessionWith(
            paymentsJob((id, dueAt) => {
              expect(session.clock.now()).toBe(dueAt);
              runs.push([dueAt, Number(id.slice('payment-'.length))]);
              return undefined;
            }),
          );
          await putPayments(
            session,
            ...jobsWithNumbers.map(([number, dueAt]): [string, number] => [`payment-${number}`, dueAt]),
          );
          await session.clockMover.advance(`PT${(until / 1000).toFixed(3)}S`);
          expect(session.clock.now()).toBe(until);
          const expected = jobsWithNumbers
            .map(([number, dueAt]): [number, number] => [dueAt, number])
            .filter(([dueAt]) => dueAt <= until)
            .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          expect(runs).toEqual(expected);
        },
      ),
      { numRuns: cases(50) },
    );
  });

  it('run again in the same move if they are due again before its end', async () => {
    const runs: number[] = [];
    const { session } = await sessionWith(
      paymentsJob((_id, dueAt) => {
        runs.push(dueAt);
        return dueAt + 10;
      }),
    );
    await putPayments(session, ['payment-1', 10]);
    await session.clockMover.advance('PT0.030S');
    expect(runs).toEqual([10, 20, 30]);
    expect(session.scheduler.nextDueAt).toBe(40);
  });

  it('run in the same order with an index that was rebuilt from the records', async () => {
    const order: string[] = [];
    const job = paymentsJob((id) => {
      order.push(id);
      return undefined;
    });
    const { session } = await sessionWith(job);
    await putPayments(session, ['payment-10', 5], ['payment-9', 5], ['payment-2', 7]);
    await putPayments(session, ['payment-2', 5]);
    const queued = runSteps(session.scheduler.inspect());
    session.scheduler.endGeneration();
    expect(runSteps(session.scheduler.inspect())).toEqual([]);
    await session.resume();
    expect(runSteps(session.scheduler.inspect())).toEqual(queued);
    await session.clockMover.advance('PT1S');
    expect(order).toEqual(['payment-2', 'payment-9', 'payment-10']);
  });

  it('that fail are reported in their record, in an event and in the log, and do not stop other jobs', async () => {
    const runs: string[] = [];
    const { session, errors } = await sessionWith(
      paymentsJob((id) => {
        runs.push(id);
        if (id === 'payment-1') {
          throw new Error('no fee row');
        }
        return undefined;
      }),
    );
    await putPayments(session, ['payment-1', 1], ['payment-2', 2]);
    const { happened } = await session.clockMover.advance('PT1S');
    expect(runs).toEqual(['payment-1', 'payment-2']);
    expect(session.reader.get('payments', 'payment-1')).toMatchObject({
      dueAt: null,
      failure: { at: 1, reason: 'no fee row' },
    });
    expect(happened).toMatchObject([
      { type: 'job.failed', subjectId: 'payment-1', data: { kind: 'test-payment', reason: 'no fee row' } },
    ]);
    expect(errors).toHaveLength(1);
    expect(isIdle(session)).toBe(true);
  });

  it('are skipped if their record was decided or postponed before they ran', async () => {
    const runs: number[] = [];
    const { session } = await sessionWith(
      paymentsJob((_id, dueAt) => {
        runs.push(dueAt);
        return undefined;
      }),
    );
    await putPayments(session, ['payment-1', 10], ['payment-2', 10]);
    await putPayments(session, ['payment-1', 20]);
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-2', { dueAt: null })));
    await session.clockMover.advance('PT0.015S');
    expect(runs).toEqual([]);
    await session.clockMover.advance('PT0.005S');
    expect(runs).toEqual([20]);
  });
});

it('jobs that together take long let other work run in between', async () => {
  const { session } = await sessionWith(
    paymentsJob(() => {
      const until = machineNow() + 12;
      while (machineNow() < until) {
        // Waits as long as many jobs take together.
      }
      return undefined;
    }),
  );
  await putPayments(session, ...Array.from({ length: 8 }, (_, index): [string, number] => [`payment-${index + 1}`, 1]));
  let hasEnded = false;
  let turn = 0;
  const work = async () => {
    while (!hasEnded) {
      turn += 1;
      await endOfTurn();
    }
  };
  const working = work();
  await session.clockMover.advance('PT1S');
  hasEnded = true;
  await working;
  expect(turn).toBeGreaterThanOrEqual(5);
});

describe('running until nothing is due', () => {
  it('goes from one due instant to the next, and stops at the last', async () => {
    const { session } = await sessionWith(
      paymentsJob((_id, dueAt) => (dueAt < 3000 ? dueAt * 10 : undefined)),
      deliveriesJob(async (_delivery, { sleep }) => {
        await sleep(5000);
        return 'sent';
      }),
    );
    await putPayments(session, ['payment-1', 50]);
    await putDelivery(session, 'delivery-1', 20);
    const { happened } = await session.clockMover.runUntilIdle();
    expect(happened.map(({ type, at }) => [type, at])).toEqual([['delivery.succeeded', 5020]]);
    expect([session.clock.now(), isIdle(session)]).toEqual([5020, true]);
  });

  it('stops after a maximum number of events, because some jobs are always due again', async () => {
    const { session } = await sessionWith(
      localJob({
        kind: 'test-payment',
        collection: 'payments',
        async run(transaction, record) {
          transaction.put('payments', { ...record, dueAt: (record.dueAt ?? 0) + 10 });
          transaction.emit('payment.paid', 'payments', record.id);
        },
        fail: () => undefined,
      }),
    );
    await putPayments(session, ['payment-1', 10]);
    expect((await session.clockMover.runUntilIdle(undefined, 3)).happened).toHaveLength(3);
    expect(session.clock.now()).toBe(30);
  });

  it('waits for active network jobs', async () => {
    const answer = deferred<string>();
    const { session } = await sessionWith(deliveriesJob(() => answer.promise));
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    expect(isIdle(session)).toBe(false);
    const running = session.clockMover.runUntilIdle();
    expect(await isSettled(running)).toBe(false);
    answer.resolve('delivered');
    // The job was due before the move, so its event is not part of the move.
    expect((await running).happened).toEqual([]);
    expect(session.events.since(0).map(({ type }) => type)).toEqual(['delivery.succeeded']);
  });
});

describe('moving the clock', () => {
  it('resumes waiters for the same instant in order, after the jobs of that instant', async () => {
    const order: string[] = [];
    const { session } = await sessionWith(
      paymentsJob((id) => {
        order.push(id);
        return undefined;
      }),
    );
    const waits = ['first', 'second', 'third'].map(async (name) => {
      await session.scheduler.waitUntil(session.clock.now() + 10, session.generation);
      order.push(`${name} at ${session.clock.now()}`);
    });
    await putPayments(session, ['payment-1', 10]);
    await session.clockMover.advance('PT0.009S');
    expect(order).toEqual([]);
    await session.clockMover.advance('PT1S');
    await Promise.all(waits);
    expect(order).toEqual(['payment-1', 'first at 10', 'second at 10', 'third at 10']);
  });

  it('waits for active transactions, because they may store jobs that are due earlier', async () => {
    const gate = deferred();
    const runs: [string, number][] = [];
    const { session } = await sessionWith(
      paymentsJob((id) => {
        runs.push([id, session.clock.now()]);
        return undefined;
      }),
    );
    await putPayments(session, ['payment-1', 50]);
    const lateTransaction = session.transact(async (transaction) => {
      await gate.promise;
      transaction.put('payments', payment('payment-2', { dueAt: 10 }));
    });
    const move = session.clockMover.advance('PT1S');
    await waitForTurns();
    gate.resolve();
    await Promise.all([lateTransaction, move]);
    expect(runs).toEqual([
      ['payment-2', 10],
      ['payment-1', 50],
    ]);
  });

  it('lets resumed waiters finish their work before it moves further', async () => {
    const { session } = await sessionWith(paymentsJob(() => undefined));
    await putPayments(session, ['payment-1', 20]);
    let at = 0;
    const work = session.scheduler.waitUntil(session.clock.now() + 10, session.generation).then(() =>
      session.transact(async (transaction) => {
        at = transaction.now;
      }),
    );
    await session.clockMover.advance('PT1S');
    await work;
    expect(at).toBe(10);
  });

  it('waits for pending network jobs, because they may store jobs that are due earlier', async () => {
    const answer = deferred<string>();
    const runInstants: number[] = [];
    const { session } = await sessionWith(
      paymentsJob(() => {
        runInstants.push(session.clock.now());
        return undefined;
      }),
      deliveriesJob(() => answer.promise),
    );
    await putPayments(session, ['payment-1', 50]);
    await putDelivery(session, 'delivery-1', 10);
    let hasArrived = false;
    const move = session.clockMover.advance('PT1S').then(() => {
      hasArrived = true;
    });
    await waitForTurns();
    expect([hasArrived, session.clock.now(), runInstants]).toEqual([false, 10, []]);
    expect(runSteps(session.scheduler.inspect())).toMatchObject([
      { kind: 'test-delivery', recordId: 'delivery-1', state: 'running', waitsFor: 'network' },
      { kind: 'test-payment', recordId: 'payment-1', state: 'queued', waitsFor: null },
    ]);
    answer.resolve('answered');
    await move;
    expect([session.clock.now(), runInstants]).toEqual([1000, [50]]);
  });

  it('does not wait for a job that itself waits for the clock', async () => {
    const { session } = await sessionWith(
      deliveriesJob(async (_delivery, { sleep }) => {
        await sleep(5000);
        return `sent on at ${session.clock.now()}`;
      }),
    );
    await putDelivery(session, 'delivery-1', 0);
    await session.clockMover.advance('PT2S');
    expect(runSteps(session.scheduler.inspect())).toMatchObject([{ state: 'running', waitsFor: 'time' }]);
    await session.clockMover.advance('PT3S');
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'sent on at 5000' });
  });

  it('does not wait for jobs that are queued behind those that wait for the clock', async () => {
    const sentAt = new Map<string, number>();
    const { session } = await sessionWith(
      deliveriesJob(async ({ id }, { sleep }) => {
        await sleep(5000);
        sentAt.set(id, session.clock.now());
        return '';
      }),
    );
    for (let number = 1; number <= 25; number += 1) {
      await putDelivery(session, `delivery-${number}`, 0);
    }
    await session.clockMover.advance('PT12S');
    expect(session.clock.now()).toBe(12_000);
    expect([...sentAt.values()]).toEqual([...Array(10).fill(5000), ...Array(10).fill(10_000)]);
    expect(runSteps(session.scheduler.inspect()).map(({ waitsFor }) => waitsFor)).toEqual(Array(5).fill('time'));
  });

  it('records the result of a job although an earlier job still waits for the clock', async () => {
    const gate = deferred();
    const { session } = await sessionWith(
      deliveriesJob(async ({ id }, { sleep }) => {
        if (id === 'delivery-1') {
          await gate.promise;
          await sleep(5000);
        }
        return id;
      }),
    );
    await putDelivery(session, 'delivery-1', 1);
    await putDelivery(session, 'delivery-2', 1);
    const move = session.clockMover.advance('PT2S');
    await waitForTurns();
    gate.resolve();
    await move;
    expect(session.events.since(0).map(({ subjectId }) => subjectId)).toEqual(['delivery-2']);
    await session.clockMover.advance('PT4S');
    expect(session.events.since(0).map(({ subjectId }) => subjectId)).toEqual(['delivery-2', 'delivery-1']);
  });

  it('records the results of jobs that were due at the same instant in the order of their start, not of their answers', async () => {
    const answers = new Map([1, 2, 3].map((number) => [`delivery-${number}`, deferred<string>()]));
    const { session } = await sessionWith(deliveriesJob(({ id }) => answers.get(id)?.promise ?? Promise.resolve('')));
    for (const id of answers.keys()) {
      await putDelivery(session, id, 1);
    }
    const move = session.clockMover.advance('PT1S');
    await waitForTurns();
    for (const [id, { resolve }] of [...answers].reverse()) {
      resolve(id);
      await waitForTurns();
    }
    expect((await move).happened.map(({ subjectId }) => subjectId)).toEqual(['delivery-1', 'delivery-2', 'delivery-3']);
  });

  it('runs several moves one after the other, each from the end of the previous one', async () => {
    const { session } = await sessionWith(paymentsJob((_id, dueAt) => dueAt + 10));
    await putPayments(session, ['payment-1', 10]);
    const moves = await Promise.all([
      session.clockMover.advance('PT1S'),
      session.clockMover.advance('PT1S'),
      session.clockMover.advance('PT1S'),
    ]);
    expect(moves).toHaveLength(3);
    expect(session.clock.now()).toBe(3000);
  });

  it('refuses an impossible target and changes nothing', async () => {
    const { session } = await sessionWith();
    await expect(session.clockMover.advance('P300000Y')).rejects.toThrow();
    expect(session.clock.now()).toBe(0);
    await expect(session.clockMover.advance('PT1S')).resolves.toMatchObject({ happened: [] });
  });
});

describe('a generation that ends', () => {
  it('drops the result of an earlier job, although its record exists again under the same id', async () => {
    const answer = deferred<string>();
    const sentIds: string[] = [];
    const { session } = await sessionWith(
      deliveriesJob(({ id }) => {
        sentIds.push(id);
        return sentIds.length === 1 ? answer.promise : Promise.resolve('new');
      }),
    );
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    expect(sentIds).toEqual(['delivery-1']);
    await session.reset();
    await putDelivery(session, 'delivery-1', 5);
    answer.resolve('old');
    await waitForTurns();
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: '{}', dueAt: 5 });
    await session.clockMover.advance('PT1S');
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'new', dueAt: null });
  });

  it.each(['reset', 'restore', 'end'] as const)('aborts active jobs: %s', async (how) => {
    const stop = deferred<string>();
    const { session } = await sessionWith(
      deliveriesJob(async (_delivery, { signal }) => {
        signal.addEventListener('abort', () => stop.resolve('stopped'));
        return stop.promise;
      }),
    );
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    const ends = {
      reset: () => session.reset(),
      restore: () => session.restore({ state: session.state }),
      end: () => session.end('deleted'),
    };
    await ends[how]();
    await expect(stop.promise).resolves.toBe('stopped');
    expect(runSteps(session.scheduler.inspect())).toEqual([]);
  });

  it('ends an active move of the clock, and does not change the new clock', async () => {
    const { session } = await sessionWith(deliveriesJob(() => new Promise(() => undefined)));
    await putDelivery(session, 'delivery-1', 10);
    const moving = session.clockMover.advance('PT1H');
    await waitForTurns();
    await session.reset();
    await expect(moving).rejects.toMatchObject({ kind: 'session-ended' });
    await waitForTurns();
    expect(session.clock.now()).toBe(0);
  });

  it('frees the lanes of its jobs', async () => {
    const { session } = await sessionWith(
      deliveriesJob((_delivery) =>
        session.generation.number === 2 ? Promise.resolve('through') : new Promise(() => undefined),
      ),
    );
    for (let number = 1; number <= 15; number += 1) {
      await putDelivery(session, `delivery-${number}`, 0);
    }
    await waitForTurns();
    expect(runSteps(session.scheduler.inspect()).filter(({ waitsFor }) => waitsFor === 'lane')).toHaveLength(5);
    await session.reset();
    await putDelivery(session, 'delivery-1', 0);
    await session.clockMover.advance('PT0S');
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'through' });
  });

  it('refuses transactions that were queued or that arrive later, and stores none of them', async () => {
    const { session } = await sessionWith();
    const { generation } = session;
    const lateTransaction = session.transact(async () => {
      await waitForTurns();
      return 'kept';
    });
    const reset = session.reset();
    const queued = putPayments(session, ['payment-1', 1]);
    const [first, , second] = await Promise.allSettled([lateTransaction, reset, queued]);
    expect(first).toEqual({ status: 'fulfilled', value: 'kept' });
    expect(second).toMatchObject({ status: 'rejected', reason: { kind: 'session-ended' } });
    await expect(session.transact(async () => 'late', { generation })).rejects.toMatchObject({ kind: 'session-ended' });
    expect(await session.reader.all('payments')).toEqual([]);
  });

  it('releases callers that wait on its clock', async () => {
    const { session } = await sessionWith();
    const waiting = session.scheduler.waitUntil(session.clock.now() + 1000, session.generation);
    await session.reset();
    await expect(waiting).resolves.toBeUndefined();
  });

  it.each(['reset', 'end'] as const)('does not make later callers wait on its clock: %s', async (how) => {
    const { session } = await sessionWith();
    const { generation } = session;
    await (how === 'reset' ? session.reset() : session.end('deleted'));
    await expect(isSettled(waitForLatency(session, { generation }, LATENCY))).resolves.toBe(true);
    expect(session.scheduler.nextDueAt).toBeUndefined();
  });

  it('does not let its jobs sleep on the clock afterwards', async () => {
    const sleeping = deferred<() => Promise<void>>();
    const { session } = await sessionWith(
      deliveriesJob((_delivery, { sleep }) => {
        sleeping.resolve(() => sleep(1000));
        return new Promise(() => undefined);
      }),
    );
    await putDelivery(session, 'delivery-1', 0);
    const sleep = await sleeping.promise;
    await session.reset();
    await expect(sleep()).rejects.toThrow('the session was reset');
    expect(session.scheduler.nextDueAt).toBeUndefined();
  });
});

describe('a record', () => {
  it('has one running job at a time; a job that is requested while another runs is run afterwards', async () => {
    const answers = [deferred<string>(), deferred<string>()];
    let count = 0;
    const { session } = await sessionWith(deliveriesJob(() => answers[count++]?.promise ?? Promise.resolve('')));
    await putDelivery(session, 'delivery-1', 0);
    await waitForTurns();
    await session.transact(async (transaction) =>
      transaction.put('deliveries', delivery('delivery-1', 0, { replays: 1 })),
    );
    await waitForTurns();
    expect(count).toBe(1);
    answers[0]?.resolve('first');
    await waitForTurns();
    expect(count).toBe(2);
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'first', dueAt: 0 });
    answers[1]?.resolve('second');
    await waitForTurns();
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'second', dueAt: null });
    expect(isIdle(session)).toBe(true);
  });

  it('has its job run again if the record changed at the moment when the job ended', async () => {
    let count = 0;
    const { session, store } = await sessionWith(
      deliveriesJob(async () => {
        count += 1;
        return `sent ${count}`;
      }),
    );
    const commit = store.commit.bind(store);
    const slow: Pick<Store, 'commit'> = {
      async commit(change) {
        await commit(change);
        await waitForTurns();
      },
    };
    Object.assign(store, slow);
    const jobEnd = new Promise((resolve) => session.events.listen(resolve));
    await putDelivery(session, 'delivery-1', 0);
    await jobEnd;
    await endOfTurn();
    await putDelivery(session, 'delivery-1', 0);
    await session.clockMover.advance('PT0S');
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ body: 'sent 2', dueAt: null });
  });

  it('whose network job fails contains the reason, and is not due again', async () => {
    const { session, errors } = await sessionWith(deliveriesJob(() => Promise.reject(new Error('no such library'))));
    await putDelivery(session, 'delivery-1', 0);
    await session.clockMover.advance('PT1S');
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({
      dueAt: null,
      failure: { reason: 'no such library' },
    });
    expect(errors).toHaveLength(1);
    expect(isIdle(session)).toBe(true);
  });
});

describe('a stop of the session', () => {
  it('leaves active jobs due, and ends an active move of the clock', async () => {
    const { session } = await sessionWith(
      deliveriesJob(
        (_delivery, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('cut'))),
      ),
    );
    await putDelivery(session, 'delivery-1', 10);
    const moving = session.clockMover.advance('PT1H');
    const waiting = session.scheduler.waitUntil(session.clock.now() + 1_000_000, session.generation);
    await waitForTurns();
    await Promise.all([
      session.stop(),
      expect(moving).rejects.toMatchObject({
        kind: 'stopping',
        message: expect.stringContaining('the sandbox was stopped'),
      }),
    ]);
    await expect(waiting).resolves.toBeUndefined();
    expect(session.reader.get('deliveries', 'delivery-1')).toMatchObject({ dueAt: 10, body: 'aborted: cut' });
  });
});
