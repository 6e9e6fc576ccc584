import { Integration } from '../../src/integration/integration.ts';
import { seenInRecords } from '../../src/integration/seen-in-records.ts';
import { sessionWith } from '../sessions/session-under-test.ts';
import { delivery } from '../store/samples.ts';

async function seenOf(ms: number, isTest = false) {
  const { session } = await sessionWith();
  const attempt = { at: 0, headers: {}, status: 200, ms, error: null, response: '' };
  await session.transact(async (transaction) =>
    transaction.put('deliveries', { ...delivery('delivery-1', 0), dueAt: null, isTest, attempts: [attempt] }),
  );
  return seenInRecords(session, new Integration(), { isFrozen: true });
}

describe('a receiver', () => {
  it('is slow from two seconds on', async () => {
    expect(await seenOf(1999)).toEqual([]);
    expect(await seenOf(2000)).toMatchObject([{ kind: 'slow-receiver', count: 1, records: ['delivery-1'] }]);
  });

  it('is not judged by the sample of the webhook tester', async () => {
    expect(await seenOf(5000, true)).toEqual([]);
  });
});
