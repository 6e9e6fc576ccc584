import { Refusal } from '../../../src/base/refusal.ts';
import { sessionOnDisk } from './session-under-test.ts';

const STORAGE = expect.objectContaining({ kind: 'storage' });

it('unwritten changes make a move of the clock fail, and the clock does not move', async () => {
  const { session, disk, errors, storePayment } = await sessionOnDisk();
  await storePayment('payment-1', 1000);
  disk.isFull = true;
  await expect(session.clockMover.advance('PT1S')).rejects.toEqual(STORAGE);
  expect(session.clock.now()).toBe(0);
  await expect(session.clockMover.runUntilIdle()).resolves.toMatchObject({ happened: [] });
  expect(session.reader.get('payments', 'payment-1')).toMatchObject({ dueAt: 1000 });
  expect(errors).toEqual([]);

  disk.isFull = false;
  await session.resume();
  await session.clockMover.advance('PT1S');
  expect(session.clock.now()).toBe(1000);
  expect(session.reader.get('payments', 'payment-1')).toMatchObject({ dueAt: null });
});

it('unwritten changes make a transaction fail that would succeed without them', async () => {
  const { session, disk, storePayment } = await sessionOnDisk();
  disk.isFull = true;
  const unwritten = storePayment('payment-1', 1000);
  const refused = session.transact(async (transaction) => {
    if (transaction.get('payments', 'payment-1')) {
      throw new Refusal('conflict', 'payment-1 already exists');
    }
  });
  await expect(unwritten).rejects.toEqual(STORAGE);
  await expect(refused).rejects.toEqual(STORAGE);
});

it('unwritten changes do not make a reader fail: it reads again', async () => {
  const { session, disk, storePayment } = await sessionOnDisk();
  disk.isFull = true;
  const refused = expect(storePayment('payment-1', 0)).rejects.toEqual(STORAGE);
  let reads = 0;
  const result = await session.read(async () => {
    reads += 1;
    await disk.commitRequest.promise;
    return reads;
  });
  await refused;
  expect(result).toBe(2);
});

it('unwritten changes are not returned to a reader that ends after they were rolled back', async () => {
  const { session, disk, storePayment } = await sessionOnDisk();
  disk.isFull = true;
  const unwritten = storePayment('payment-1', 1000);
  await disk.commitRequest.promise;
  const result = session.read(async (reader) => {
    const payment = reader.get('payments', 'payment-1');
    await unwritten.catch(() => undefined);
    return payment;
  });
  await expect(unwritten).rejects.toEqual(STORAGE);
  expect(await result).toBeUndefined();
});
