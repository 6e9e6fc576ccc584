import type { Delivery } from '../../../../src/base/schema/generated/records.ts';
import { deliveryJob, replay } from '../../../../src/server/domain/webhooks/delivery-job.ts';
import { addDeliveries } from '../../../../src/server/domain/webhooks/outbox.ts';
import type { SendResult } from '../../../../src/server/domain/webhooks/sender.ts';
import { sendSample } from '../../../../src/server/domain/webhooks/webhook-tester.ts';
import type { SessionEvent } from '../../../../src/server/sessions/event-log.ts';
import { deferred, sessionWith } from '../../sessions/session-under-test.ts';
import { delivery } from '../../store/samples.ts';

const REFUSED: SendResult = { headers: {}, status: 503, ms: 1, error: 'the endpoint answered with 503', response: '' };

/** A session whose deliveries go to a function, and the events that it publishes. */
async function sessionThatSends(send: (delivery: Delivery) => Promise<SendResult>) {
  const { session } = await sessionWith(deliveryJob({ send }, () => false));
  const events: SessionEvent[] = [];
  session.events.listen((event) => {
    events.push(event);
  });
  const put = (record: Delivery) => session.transact(async (transaction) => transaction.put('deliveries', record));
  return { session, events, put };
}

describe('a delivery', () => {
  it('that the sandbox cannot send fails, and records the reason', async () => {
    const { session, events, put } = await sessionThatSends(() => Promise.reject(new Error('no signature')));
    await put(delivery('delivery-1', 0));
    await session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: 'delivery-1' }, session.generation);
    expect(await session.reader.get('deliveries', 'delivery-1')).toEqual({
      ...delivery('delivery-1', 0),
      state: 'failed',
      dueAt: null,
      failure: { at: 0, reason: 'no signature' },
    });
    expect(events).toMatchObject([
      { type: 'job.failed', collection: 'deliveries', subjectId: 'delivery-1', data: { reason: 'no signature' } },
    ]);
  });

  it('that is replayed during a failing attempt keeps that attempt and is sent again', async () => {
    const firstSend = deferred();
    const [first, second] = [deferred<SendResult>(), deferred<SendResult>()];
    const remaining = [first, second];
    const { session, events, put } = await sessionThatSends(() => {
      firstSend.resolve();
      return remaining.shift()?.promise ?? Promise.resolve(REFUSED);
    });
    await put(delivery('delivery-1', 0));
    await firstSend.promise;
    await session.transact(async (transaction) => {
      const record = await transaction.get('deliveries', 'delivery-1');
      return record && replay(transaction, record);
    });
    const failed = new Promise<SessionEvent>((resolve) => session.events.listen(resolve));
    first.resolve(REFUSED);
    expect(await failed).toMatchObject({ type: 'delivery.failed', collection: 'deliveries', subjectId: 'delivery-1' });
    expect(await session.reader.get('deliveries', 'delivery-1')).toMatchObject({
      id: 'delivery-1',
      url: 'http://127.0.0.1:9/hook',
      attempts: [{ at: 0, status: 503 }],
      replays: 1,
      dueAt: 0,
      state: 'pending',
    });
    second.resolve({ ...REFUSED, status: 200, error: null });
    await session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: 'delivery-1' }, session.generation);
    expect(await session.reader.get('deliveries', 'delivery-1')).toMatchObject({
      attempts: [{ status: 503 }, { status: 200 }],
      state: 'delivered',
      dueAt: null,
    });
    expect(events.map(({ type }) => type)).toEqual(['delivery.failed', 'delivery.succeeded']);
  });
});

describe('notifications', () => {
  it('of a payment or payout that no longer exists are not created', async () => {
    const { session } = await sessionThatSends(async () => REFUSED);
    const created = await session.transact(async (transaction) => {
      transaction.emit('payment.paid', 'payments', 'payment-9', {});
      transaction.emit('payout.paid', 'payouts', 'payout-9', {});
      await addDeliveries(transaction, transaction.events, 'http://127.0.0.1:9/hook');
      return transaction.all('deliveries');
    });
    expect(created).toEqual([]);
  });
});

describe('the sample of the webhook tester', () => {
  it('is not sent if the session is reset first', async () => {
    const urls: string[] = [];
    const { session } = await sessionThatSends(async ({ url }) => {
      urls.push(url);
      return REFUSED;
    });
    const { generation } = session;
    const reset = session.reset();
    const context = { generation, cause: { id: 'request-1', addCommit: () => undefined } };
    const sample = sendSample(session, 'http://127.0.0.1:9/hook', '{}', context);
    await expect(sample).rejects.toThrow('was reset');
    await reset;
    expect(urls).toEqual([]);
    expect(await session.reader.all('deliveries')).toEqual([]);
  });
});
