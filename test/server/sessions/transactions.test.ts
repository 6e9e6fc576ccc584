import fc from 'fast-check';
import { Refusal } from '../../../src/base/refusal.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import type { Transaction } from '../../../src/server/sessions/transaction.ts';
import { cases } from '../../cases.ts';
import { image, payment, payout } from '../store/samples.ts';
import { deferred, isSettled, paymentsJob, sessionOnSlowDisk, sessionWith } from './session-under-test.ts';

const putPayment =
  (id: string) => async (transaction: { put(collection: 'payments', record: ReturnType<typeof payment>): void }) =>
    transaction.put('payments', payment(id));

describe('a commit', () => {
  it('delays the answer to a read until the data in it is durable', async () => {
    const { session, diskWrite } = await sessionOnSlowDisk();
    const write = session.transact(putPayment('payment-1'));
    await endOfTurn();
    let readId: string | undefined;
    const read = session.read(async (reader) => {
      readId = reader.get('payments', 'payment-1')?.id;
      return readId;
    });
    expect([await isSettled(read), readId]).toEqual([false, 'payment-1']);
    diskWrite.resolve();
    await expect(read).resolves.toBe('payment-1');
    await write;
  });

  it('delays a transaction without changes, and a refusal', async () => {
    const { session, diskWrite } = await sessionOnSlowDisk();
    void session.transact(putPayment('payment-1'));
    const unchanged = session.transact(async (transaction) => transaction.get('payments', 'payment-1')?.id);
    const refused = session.transact(async () => {
      throw new Error('refused');
    });
    refused.catch(() => undefined);
    expect([await isSettled(unchanged), await isSettled(refused)]).toEqual([false, false]);
    diskWrite.resolve();
    await expect(unchanged).resolves.toBe('payment-1');
    await expect(refused).rejects.toThrow('refused');
  });

  it('succeeds even if the session may have moved, but reads are refused', async () => {
    const { session, store } = await sessionWith(paymentsJob(() => undefined));
    const { assertOwned } = store;
    store.assertOwned = () => {
      throw new Refusal('moved', 'it may be at another node');
    };
    const moved = expect.objectContaining({ kind: 'moved' });
    const commit = session.transact(async (transaction) => {
      transaction.put('payments', payment('payment-1', { dueAt: 1000 }));
      return 'kept';
    });
    await expect(commit).resolves.toBe('kept');
    const unchanged = session.transact(async (transaction) => transaction.get('payments', 'payment-1'));
    await expect(unchanged).rejects.toEqual(moved);
    const refused = session.transact(async () => {
      throw new Refusal('conflict', 'payment-1 is Paid');
    });
    await expect(refused).rejects.toEqual(moved);
    store.assertOwned = assertOwned;
    await session.clockMover.advance('PT1S');
    expect(session.reader.get('payments', 'payment-1')).toMatchObject({ dueAt: null });
  });

  it('that fails is hidden: readers read again, and work continues', async () => {
    const { session, diskWrite } = await sessionOnSlowDisk();
    const before = session.state;
    const write = session.transact(putPayment('payment-1'));
    write.catch(() => undefined);
    await endOfTurn();
    let reads = 0;
    const read = session.read(async () => {
      reads += 1;
      return reads;
    });
    diskWrite.reject(new Error('disk full'));
    await expect(write).rejects.toThrow('disk full');
    await expect(read).resolves.toBe(2);
    expect(session.state).toEqual(before);
    await expect(session.read(async () => 'the next one')).resolves.toBe('the next one');
  });

  it('that fails rolls back the random values that it used, also in work that depended on it', async () => {
    const { session, diskWrite } = await sessionOnSlowDisk();
    const before = session.state;
    const first = session.transact(async (transaction) => transaction.ids.digits(8));
    first.catch(() => undefined);
    await endOfTurn();
    const mayEnd = deferred();
    const second = session.transact(async (transaction) => {
      transaction.ids.digits(8);
      await mayEnd.promise;
    });
    second.catch(() => undefined);
    await endOfTurn();
    diskWrite.reject(new Error('disk full'));
    await expect(first).rejects.toThrow('disk full');
    mayEnd.resolve();
    await expect(second).rejects.toThrow('disk full');
    expect(session.state).toEqual(before);
  });

  it('is durable before its event is reported', async () => {
    const { session, diskWrite } = await sessionOnSlowDisk();
    const reportedTypes: string[] = [];
    session.events.listen(({ type }) => reportedTypes.push(type));
    const write = session.transact(async (transaction) => transaction.emit('payment.created', 'payments', 'payment-1'));
    await isSettled(write);
    expect(reportedTypes).toEqual([]);
    diskWrite.resolve();
    await write;
    expect(reportedTypes).toEqual(['payment.created']);
  });
});

describe('a transaction', () => {
  it('runs alone, even if it waits for something else', async () => {
    const { session } = await sessionWith();
    let activeCount = 0;
    const work = async () => {
      activeCount += 1;
      expect(activeCount).toBe(1);
      await endOfTurn();
      activeCount -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => session.transact(work)));
  });

  it('that throws has no effect: no record, no event, no used number, no used random value', async () => {
    const { session } = await sessionWith();
    const before = session.state;
    const failed = session.transact(async (transaction) => {
      transaction.put('payments', payment(`payment-${transaction.next('payment')}`));
      transaction.emit('payment.created', 'payments', 'payment-1');
      transaction.scenario = 'auto-approve';
      transaction.ids.chance();
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(session.state).toEqual(before);
    expect([await session.reader.all('payments'), session.events.since(0)]).toEqual([[], []]);
    const numbers = await session.transact(async (transaction) => [
      transaction.next('payment'),
      transaction.ids.chance(),
    ]);
    const other = (await sessionWith()).session;
    expect(
      await other.transact(async (transaction) => [transaction.next('payment'), transaction.ids.chance()]),
    ).toEqual(numbers);
  });

  it('sees its own changes, except in lists; others only see them after its end', async () => {
    const { session } = await sessionWith();
    await session.transact(putPayment('payment-1'));
    await session.transact(async (transaction) => {
      transaction.remove('payments', 'payment-1');
      transaction.put('payments', payment('payment-2'));
      transaction.put('images', image('image-1', 'AAAA'));
      transaction.scenario = 'auto-approve';
      expect(transaction.get('payments', 'payment-1')).toBeUndefined();
      expect(transaction.get('payments', 'payment-2')).toEqual(payment('payment-2'));
      expect(transaction.scenario).toBe('auto-approve');
      expect(session.reader.scenario).toBe('payer-decides');
      for (const reader of [session.reader, transaction]) {
        expect((await reader.all('payments')).map(({ id }) => id)).toEqual(['payment-1']);
        expect((await reader.list('payments', { limit: 1 })).items).toHaveLength(1);
      }
      expect(session.reader.find('payments', 'payerReference', 'reference of payment-1').length).toBe(1);
      expect(transaction.find('payments', 'payerReference', 'reference of payment-1')).toEqual([]);
    });
    expect((await session.reader.all('payments')).map(({ id }) => id)).toEqual(['payment-2']);
    expect(session.reader.get('payments', 'payment-1')).toBeUndefined();
  });

  it('numbers new records and events from 1, separately, and continues after the last number', async () => {
    const { session } = await sessionWith();
    const work = async (transaction: Transaction) => {
      transaction.emit('payment.created', 'payments', 'payment-1', { amount: 1 });
      transaction.emit('fixtures.reloaded', null, null);
      return [transaction.next('payment'), transaction.next('link')];
    };
    expect([await session.transact(work), await session.transact(work)]).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(session.events.since(2)).toEqual([
      {
        id: 3,
        at: 0,
        type: 'payment.created',
        collection: 'payments',
        subjectId: 'payment-1',
        requestId: null,
        data: { amount: 1 },
      },
      { id: 4, at: 0, type: 'fixtures.reloaded', collection: null, subjectId: null, requestId: null, data: {} },
    ]);
    expect(session.state.counters).toEqual({ payment: 2, link: 2, event: 4 });
  });

  it('commits the numbers and random values that it used, even if it stored no record', async () => {
    const { session, commits, diskWrite } = await sessionOnSlowDisk();
    diskWrite.resolve();
    await session.transact(async (transaction) => transaction.ids.chance());
    await session.transact(async (transaction) => transaction.next('payment'));
    expect(commits.map(({ state }) => [state?.rngPosition, state?.counters])).toEqual([
      [1, {}],
      [1, { payment: 1 }],
    ]);
  });

  it('has the name, settings, addresses and fixtures of its session, as a reader has', async () => {
    const { session } = await sessionWith();
    const endedTransaction = await session.transact(async (transaction) => transaction);
    for (const reader of [session.reader, endedTransaction]) {
      expect(reader).toMatchObject({ sessionName: 'shop', seed: 'a seed', scenario: 'payer-decides', now: 0 });
      expect(reader.addresses.base).toBe('http://127.0.0.1:4100/s/shop');
      expect(reader.fixtures.scenarios.has('auto-approve')).toBe(true);
    }
  });

  it('without changes commits nothing', async () => {
    const { session, commits, diskWrite } = await sessionOnSlowDisk();
    await session.transact(async (transaction) => transaction.get('payments', 'payment-1'));
    expect(commits).toEqual([]);
    diskWrite.resolve();
  });

  it('stores the scenario that it set', async () => {
    const { session, commits, diskWrite } = await sessionOnSlowDisk();
    diskWrite.resolve();
    await session.transact(async (transaction) => {
      transaction.scenario = 'auto-approve';
    });
    expect([session.reader.scenario, commits.map(({ state }) => state?.scenario)]).toEqual([
      'auto-approve',
      ['auto-approve'],
    ]);
  });

  it('finds records in order of creation, with its own changes, additions and removals', async () => {
    const number = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(number), fc.uniqueArray(number), number, async (stored, added, removed) => {
        const { session } = await sessionWith();
        const paymentOf = (number: number, amount: number) =>
          payment(`payment-${number}`, { payerReference: 'ORDER', amount });
        await session.transact(async (transaction) => {
          for (const number of stored) {
            transaction.put('payments', paymentOf(number, 1));
          }
        });
        const payments = await session.transact(async (transaction) => {
          for (const number of added) {
            transaction.put('payments', paymentOf(number, 2));
          }
          transaction.remove('payments', `payment-${removed}`);
          return transaction.find('payments', 'payerReference', 'ORDER');
        });
        const order = [...stored, ...added.filter((number) => !stored.includes(number))].filter(
          (number) => number !== removed,
        );
        expect(payments).toEqual(order.map((number) => paymentOf(number, added.includes(number) ? 2 : 1)));
      }),
      { numRuns: cases(100) },
    );
  });
});

it('records of other collections with the same reference are not found among payments', async () => {
  const { session } = await sessionWith();
  const payments = await session.transact(async (transaction) => {
    transaction.put('payments', payment('payment-1', { payerReference: 'ORDER' }));
    transaction.put('payouts', payout('payout-1', 'ORDER'));
    return transaction.find('payments', 'payerReference', 'ORDER');
  });
  expect(payments.map(({ id }) => id)).toEqual(['payment-1']);
});

it('all records of a collection are read, even if there are more than a page', async () => {
  const { session } = await sessionWith();
  await session.transact(async (transaction) => {
    for (let number = 1; number <= 1500; number += 1) {
      transaction.put('payments', payment(`payment-${number}`));
    }
  });
  expect(await session.reader.all('payments')).toHaveLength(1500);
  expect(await session.transact((transaction) => transaction.all('payments'))).toHaveLength(1500);
});

it('work that began before a restore is refused, and the refusal names the restore', async () => {
  const { session } = await sessionWith();
  const { generation } = session;
  await session.restore({ state: session.state });
  await expect(session.transact(async () => 1, { generation })).rejects.toThrow('session shop was restored');
});

describe('a session that is deleted', () => {
  it('stores nothing of a transaction that has not ended', async () => {
    const { session, store } = await sessionWith();
    const gate = deferred();
    const lateTransaction = session.transact(async (transaction) => {
      transaction.put('payments', payment('payment-1'));
      await gate.promise;
    });
    await endOfTurn();
    session.end('deleted');
    await store.drop('shop');
    gate.resolve();
    await expect(lateTransaction).rejects.toMatchObject({
      kind: 'session-ended',
      message: expect.stringContaining('was deleted'),
    });
    expect(await store.sessions()).toEqual([]);
  });

  it('can neither be read nor written', async () => {
    const { session } = await sessionWith();
    session.end('deleted');
    expect(() => session.reader.get('payments', 'payment-1')).toThrow(
      expect.objectContaining({ kind: 'session-ended' }),
    );
    await expect(session.read(async () => 1)).rejects.toMatchObject({ kind: 'session-ended' });
    await expect(session.transact(async () => 1)).rejects.toMatchObject({ kind: 'session-ended' });
    await expect(session.reset()).rejects.toMatchObject({ kind: 'session-ended' });
  });

  it('refuses a result that was read while it was deleted', async () => {
    const { session } = await sessionWith();
    const gate = deferred();
    const read = session.read(() => gate.promise);
    session.end('deleted');
    gate.resolve();
    await expect(read).rejects.toMatchObject({ kind: 'session-ended' });
  });
});

it('a restored state replaces everything in one commit', async () => {
  const { session, commits, diskWrite } = await sessionOnSlowDisk();
  diskWrite.resolve();
  await session.transact(putPayment('payment-1'));
  const change = { collection: 'payments', id: 'payment-2', record: payment('payment-2') } as const;
  await session.restore({ state: { ...session.state, counters: { payment: 2 } }, payments: [change.record] });
  expect(commits.slice(1)).toEqual([
    {
      session: 'shop',
      wipe: true,
      state: { ...session.state, generation: 2, counters: { payment: 2, event: 1 } },
      changes: [change],
    },
  ]);
  expect((await session.reader.all('payments')).map(({ id }) => id)).toEqual(['payment-2']);
});
