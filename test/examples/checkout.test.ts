import { type Sandbox, type SandboxClient, startSandbox } from '../../src/index.ts';
import { payForOrder, statusOfOrder } from './checkout.ts';

let sandbox: Sandbox;
let session: SandboxClient;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
  session = sandbox.session('checkout');
});
afterAll(() => sandbox.close());
beforeEach(() => session.reset());

it('takes an order as paid once the payer has approved', async () => {
  await payForOrder(session.baseUrl, 'ORDER-1');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Processing');
  await session.settle('ORDER-1', 'Paid');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-1')).toBe('Paid');
});

it('gives an order up when the payer does not answer', async () => {
  await payForOrder(session.baseUrl, 'ORDER-2');
  await session.advance('PT15M');
  expect(await statusOfOrder(session.baseUrl, 'ORDER-2')).toBe('Expired');
});

it('survives a payer with too little money', async () => {
  await session.useScenario('insufficient-funds');
  await payForOrder(session.baseUrl, 'ORDER-3');
  await session.runUntilIdle();
  expect(await statusOfOrder(session.baseUrl, 'ORDER-3')).toBe('Failed');
  await session.verify({ match: { operation: 'initiatePayment', body: { payerReference: 'ORDER-3' } }, count: 1 });
});
