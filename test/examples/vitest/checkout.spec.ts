import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { useSandbox } from 'merchant-sandbox/vitest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isVerified, payForOrder, statusOfOrder } from './shop.ts';

const session = useSandbox({ now: '2026-03-01T10:00:00Z' });

it('an order is paid after its payer has approved', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Processing');
  await session.settle('ORDER-1', 'Paid');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Paid');
});

it('an order expires if its payer does not answer', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.advance('PT15M');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Expired');
});

describe('the receiver of the shop', () => {
  const statuses = new Map<string, string>();
  let secret = '';
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    const isGenuine = isVerified(request.headers, body, secret);
    if (isGenuine) {
      const { paymentReference, status } = JSON.parse(body);
      statuses.set(paymentReference, status);
    }
    response.writeHead(isGenuine ? 204 : 400).end();
  });

  beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
  // The session is reset before each test, and its endpoints with it.
  beforeEach(async () => {
    statuses.clear();
    const { port } = receiver.address() as AddressInfo;
    const { endpoints } = await session.setEndpoints([{ url: `http://127.0.0.1:${port}/webhook` }]);
    secret = endpoints[0]?.secret ?? '';
  });
  afterAll(() => {
    receiver.close();
  });

  it('is notified of a failed payment', async () => {
    await payForOrder(session.baseUrl, 'ORDER-1');
    await session.settle('ORDER-1', 'Failed');
    await session.waitForDelivery('ORDER-1');
    expect(statuses.get('ORDER-1')).toBe('Failed');
  });

  it('refuses a notification that was changed on its way', async () => {
    await session.useScenario('tampered-webhooks');
    await payForOrder(session.baseUrl, 'ORDER-1');
    await session.runUntilIdle();
    expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Paid');
    expect(statuses.size).toBe(0);
  });
});
