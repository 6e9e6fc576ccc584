import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { useSandbox } from 'merchant-sandbox/node-test';
import { payForOrder, statusOfOrder } from './shop.js';

const session = useSandbox({ now: '2026-03-01T10:00:00Z' });

test('an order is paid after its payer has approved', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  assert.equal(await statusOfOrder(session.baseUrl, 'ORDER-1'), 'Processing');
  await session.settle('ORDER-1', 'Paid');
  assert.equal(await statusOfOrder(session.baseUrl, 'ORDER-1'), 'Paid');
});

test('the shop is notified of a failed payment', async () => {
  const told = new Map();
  const receiver = createServer(async (request, response) => {
    const { paymentReference, status } = JSON.parse(await text(request));
    told.set(paymentReference, status);
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  await session.setEndpoints([{ url: `http://127.0.0.1:${receiver.address().port}/webhook` }]);
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.settle('ORDER-1', 'Failed');
  await session.waitForDelivery('ORDER-1');
  receiver.close();
  assert.equal(told.get('ORDER-1'), 'Failed');
});
