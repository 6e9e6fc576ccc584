import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, suite, test } from 'node:test';
import { useSandbox } from 'merchant-sandbox/node-test';
import { isVerified, payForOrder, statusOfOrder } from './shop.js';

const session = useSandbox({ now: '2026-03-01T10:00:00Z' });

test('an order is paid after its payer has approved', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  assert.equal(await statusOfOrder(session.baseUrl, 'ORDER-1'), 'Processing');
  await session.settle('ORDER-1', 'Paid');
  assert.equal(await statusOfOrder(session.baseUrl, 'ORDER-1'), 'Paid');
});

suite('the receiver of the shop', () => {
  const statuses = new Map();
  let secret;
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    const isGenuine = isVerified(request.headers, body, secret);
    if (isGenuine) {
      const { paymentReference, status } = JSON.parse(body);
      statuses.set(paymentReference, status);
    }
    response.writeHead(isGenuine ? 204 : 400).end();
  });

  before(() => once(receiver.listen(0, '127.0.0.1'), 'listening'));
  // The session is reset before each test, and its endpoints with it.
  beforeEach(async () => {
    statuses.clear();
    const url = `http://127.0.0.1:${receiver.address().port}/webhook`;
    const { endpoints } = await session.setEndpoints([{ url }]);
    secret = endpoints[0].secret;
  });
  after(() => receiver.close());

  test('is notified of a failed payment', async () => {
    await payForOrder(session.baseUrl, 'ORDER-1');
    await session.settle('ORDER-1', 'Failed');
    await session.waitForDelivery('ORDER-1');
    assert.equal(statuses.get('ORDER-1'), 'Failed');
  });

  test('refuses a notification that was changed on its way', async () => {
    await session.useScenario('tampered-webhooks');
    await payForOrder(session.baseUrl, 'ORDER-1');
    await session.runUntilIdle();
    assert.equal(await statusOfOrder(session.baseUrl, 'ORDER-1'), 'Paid');
    assert.equal(statuses.size, 0);
  });
});
