const { createServer } = require('node:http');
const { text } = require('node:stream/consumers');
const { useSandbox } = require('merchant-sandbox/jest');
const { isVerified, payForOrder, statusOfOrder } = require('./shop');

const session = useSandbox({ now: '2026-03-01T10:00:00Z' });

/** The shop's receiver, with the status of each order. A repeated webhook-id marks a repeated notification, which is ignored. */
const seen = new Set();
const statuses = new Map();
let secret;
const receiver = createServer(async (request, response) => {
  const body = await text(request);
  if (!isVerified(request.headers, body, secret)) {
    response.writeHead(400).end();
    return;
  }
  const { paymentReference, status } = JSON.parse(body);
  if (!seen.has(request.headers['webhook-id'])) {
    seen.add(request.headers['webhook-id']);
    statuses.set(paymentReference, status);
  }
  response.writeHead(204).end();
});

beforeAll(() => new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
// The session is reset before each test, and its endpoints with it.
beforeEach(async () => {
  statuses.clear();
  const url = `http://127.0.0.1:${receiver.address().port}/webhook`;
  const { endpoints } = await session.setEndpoints([{ url }]);
  secret = endpoints[0].secret;
});
afterAll(() => receiver.close());

it('the receiver is notified of a failed payment', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.settle('ORDER-1', 'Failed');
  await session.waitForDelivery('ORDER-1');
  expect(statuses.get('ORDER-1')).toBe('Failed');
});

it('the receiver is notified of a successful payment', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.settle('ORDER-1', 'Paid');
  await session.waitForDelivery('ORDER-1');
  expect(statuses.get('ORDER-1')).toBe('Paid');
});

it('the receiver refuses a notification that was changed on its way', async () => {
  await session.useScenario('tampered-webhooks');
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.runUntilIdle();
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Paid');
  expect(statuses.size).toBe(0);
});
