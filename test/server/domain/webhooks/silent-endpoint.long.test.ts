import { LONG_WAIT } from '../../../long-wait.ts';
import { startSandbox } from '../../../sandbox.ts';
import { pay } from '../../payer-pages/visits.ts';
import { startReceiver } from './receiver.ts';

describe('an endpoint that never answers', () => {
  // Long, because outcomes are recorded in order, and each attempt at this endpoint lasts until its timeout.
  it('does not prevent deliveries to another one', async () => {
    const sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
    const silent = await startReceiver(() => undefined);
    const receiver = await startReceiver();
    const { client } = sandbox;
    await client.setEndpoints([{ url: silent.url }, { url: receiver.url }]);
    for (let number = 1; number <= 20; number += 1) {
      await pay(client, { payerReference: `ORDER-${number}` });
      await client.settle(`ORDER-${number}`, 'Paid');
    }
    let last = 0;
    for (let count = 0; count < 20; count += 1) {
      last = (await client.waitForEvent('delivery.succeeded', { since: last, ...LONG_WAIT })).id;
    }
    expect(receiver.received).toHaveLength(20);
    await silent.close();
    await receiver.close();
    await sandbox.close();
  });
});
