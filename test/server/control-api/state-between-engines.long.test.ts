import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import { post, single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const PAYMENTS = 2_500;

let server: PostgresServer;
let first: Sandbox;
let inPostgres: Sandbox;
let last: Sandbox;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  const settings = { now: Date.parse('2026-03-01T10:00:00Z'), publicUrl: 'http://sandbox.example.test' };
  first = await startSandbox(settings);
  last = await startSandbox(settings);
  // A longer lease, because reading this long body can take a busy machine longer than the usual lease.
  inPostgres = await startSandbox({ ...settings, data: await server.newDatabase(), nodeLease: 600_000 });
});
afterAll(async () => {
  await Promise.all([first.close(), inPostgres.close(), last.close()]);
  await server.stop();
});

interface State {
  state: { counters: Record<string, number> };
  payments: { id: string; paymentId: string; payerReference: string }[];
}

/** Makes further calls in a restored session, and returns its answers. */
async function continueSession(sandbox: Sandbox): Promise<string> {
  const session = sandbox.session('shop');
  const { body } = await post('/init/authenticate/merchant/wallet', single(), sandbox.sessionUrl('shop'));
  await session.settle('payment-7', 'Paid');
  const { items } = await session.payments({ limit: '1000' });
  const { payments } = await session.state();
  return JSON.stringify([body, items, payments]);
}

it('a session that was moved to a sandbox on the other store engine and back continues as the original one does', async () => {
  const shop = first.session('shop');
  await post('/init/authenticate/merchant/wallet', single(), first.sessionUrl('shop'));
  const { state, payments, ...others } = (await shop.state()) as unknown as State;
  const [payment] = payments;
  const many = Array.from({ length: PAYMENTS }, (_, index) => ({
    ...payment,
    id: `payment-${index + 1}`,
    paymentId: `${payment?.paymentId}-${index}`,
    payerReference: `ORDER-${index}`,
  }));
  const counters = { ...state.counters, payment: PAYMENTS };
  await shop.restore({ ...others, state: { ...state, counters }, payments: many });
  const exported = await shop.state();
  await inPostgres.session('shop').restore(exported);
  const fromPostgres = await inPostgres.session('shop').state();
  await last.session('shop').restore(fromPostgres);
  expect(fromPostgres['payments']).toHaveLength(PAYMENTS);
  const [expected, ...continued] = [
    await continueSession(first),
    await continueSession(inPostgres),
    await continueSession(last),
  ];
  // Compared as a boolean, because the texts are too long for a failure message.
  expect(continued.map((each) => each === expected)).toEqual([true, true]);
});
