const { useSandbox } = require('merchant-sandbox/jest');
const { payForOrder, statusOfOrder } = require('./shop');

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

it('an order fails if its payer has too little money', async () => {
  await session.useScenario('insufficient-funds');
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.runUntilIdle();
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Failed');
  await session.verify({ match: { operation: 'initiatePayment', body: { payerReference: 'ORDER-1' } }, count: 1 });
});
