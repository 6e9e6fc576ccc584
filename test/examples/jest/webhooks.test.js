const { createServer } = require('node:http');
const { text } = require('node:stream/consumers');
const { useSandbox } = require('merchant-sandbox/jest');
const { payForOrder } = require('./shop');

const session = useSandbox();

/** The shop's receiver, with the status of each order. A repeated webhook-id marks a repeated notification, which is ignored. */
const seen = new Set();
const told = new Map();
const receiver = createServer(async (request, response) => {
  const { paymentReference, status } = JSON.parse(await text(request));
  if (!seen.has(request.headers['webhook-id'])) {
    seen.add(request.headers['webhook-id']);
    told.set(paymentReference, status);
  }
  response.writeHead(204).end();
});

beforeAll(() => new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
// The session is reset before each test, and its endpoints with it.
beforeEach(() => session.setEndpoints([{ url: `http://127.0.0.1:${receiver.address().port}/webhook` }]));
afterAll(() => receiver.close());

it('the receiver is notified of a failed payment', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.settle('ORDER-1', 'Failed');
  await session.waitForDelivery('ORDER-1');
  expect(told.get('ORDER-1')).toBe('Failed');
});

it('the receiver is notified of a successful payment', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.settle('ORDER-1', 'Paid');
  await session.waitForDelivery('ORDER-1');
  expect(told.get('ORDER-1')).toBe('Paid');
});
