import type { DeliveryView, EventView } from '../../../src/base/schema/generated/control.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { createLink, pay } from '../payer-pages/visits.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  await sandbox.client.setEndpoints([{ url: 'http://127.0.0.1:9/hook' }]);
  await pay(sandbox.client, { payerReference: 'ORDER-1', amount: '1249.90' });
  await sandbox.client.settle('ORDER-1', 'Paid');
  await createLink(sandbox.client);
  await sandbox.client.runUntilIdle();
});
afterAll(() => sandbox.close());

const eventsOf = (type: string) => sandbox.client.list<EventView>('event-log', { type });

describe('the reference and amount of a subject', () => {
  const subject = { reference: 'ORDER-1', amount: '1249.90', currency: 'USD' };

  it('are in a notification, both in a list and in the answer about it', async () => {
    const { items } = await sandbox.client.list<DeliveryView>('webhooks/deliveries');
    expect(items).toMatchObject([{ subjectId: 'payment-1', subject }]);
    expect(await sandbox.client.call('GET', '/webhooks/deliveries/delivery-1')).toMatchObject({ subject });
    expect(await sandbox.client.call('POST', '/webhooks/deliveries/delivery-1/replay')).toMatchObject({
      subject,
    });
  });

  it('are in the event log, also for a delivery attempt', async () => {
    expect((await eventsOf('payment.paid')).items).toMatchObject([{ subjectId: 'payment-1', subject }]);
    const [attempt] = (await eventsOf('delivery.failed')).items;
    expect(attempt).toMatchObject({ collection: 'deliveries', subject });
    expect((await eventsOf('link.created')).items).toMatchObject([{ subject: { reference: 'LINK-1' } }]);
  });

  it('are absent from a sample notification, which is about no record', async () => {
    await fetch(`${sandbox.url}/sandbox/init/customerWebhookTester`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/hook', webHookType: 'TRANSACTIONS' }),
    });
    const { items } = await sandbox.client.list<DeliveryView>('webhooks/deliveries', { subjectId: 'webhook-test' });
    expect(items.map((delivery) => 'subject' in delivery)).toEqual([false]);
  });
});
