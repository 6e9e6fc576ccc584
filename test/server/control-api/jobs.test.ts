import type { ClockView, JobView } from '../../../src/base/schema/generated/control.ts';
import { COMMANDS } from '../../../src/cli/commands/commands.ts';
import { CONTROL_OPERATIONS } from '../../../src/server/control-api/operations.ts';
import { post, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
});
afterAll(() => sandbox.close());

it('the list of jobs shows the planned effect of each, for a collection or for one record', async () => {
  const session = sandbox.session('jobs');
  const { baseUrl } = session;
  await session.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/' }] });
  await post(WALLET, single(), baseUrl);
  await session.call('PUT', '/scenario', { name: 'declined' });
  await post(WALLET, single({ payerReference: 'ORDER-2' }), baseUrl);
  const token = await tokenOf(baseUrl);
  const { body } = await post(
    '/sandbox/api/requestPaymentToken',
    exampleOf('requests/payment-token', {}),
    baseUrl,
    token,
  );
  const paymentToken = /"paymentToken":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
  const recurring = exampleOf('requests/recurring-payment', { recurringPaymentToken: paymentToken });
  expect(await post('/sandbox/api/addRecurringPayment', recurring, baseUrl, token)).toMatchObject({ status: 200 });
  const jobsOf = async (filters: Record<string, string>) =>
    (await session.list<JobView>('jobs', filters)).items.map(({ recordId, what }) => `${recordId} ${what}`);
  expect(await jobsOf({ collection: 'payments' })).toEqual([
    'payment-2 Failed',
    'payment-3 Failed',
    'payment-1 Expired',
  ]);
  expect(await jobsOf({ collection: 'recurringPayments' })).toEqual(['1 charge 2']);
  expect(await jobsOf({ recordId: 'PAYMENT-1' })).toEqual(['payment-1 Expired']);
  await session.advance('PT4S');
  const deliveries = await jobsOf({ collection: 'deliveries' });
  expect(deliveries.toSorted()).toEqual(['delivery-1 attempt 2', 'delivery-2 attempt 2']);
  const clock = await session.call<ClockView>('GET', '/clock');
  expect(clock.next).toMatchObject({ kind: 'attempt-delivery', recordId: deliveries[0]?.split(' ')[0] });
});

it('the jobs of a settlement are its close, its payment and the issue of a late report', async () => {
  const session = sandbox.session('settlement-jobs');
  await session.useScenario('settlement-report-late');
  await post(WALLET, single({ payerReference: 'ORDER-1' }), session.baseUrl);
  await session.settle('ORDER-1', 'Paid');
  const jobOfSettlement = async () =>
    (await session.list<JobView>('jobs', { recordId: 'settlement-1' })).items.map(({ what }) => what);
  expect(await jobOfSettlement()).toEqual([expect.stringMatching(/^close of 20/)]);
  await session.call('POST', '/settlements/close', {});
  expect(await jobOfSettlement()).toEqual(['Paid']);
  const { items } = await session.list<JobView>('jobs', { recordId: 'settlement-1' });
  await session.advance(`PT${(Date.parse(items[0]?.dueAt ?? '') - Date.parse((await session.clock()).now)) / 1000}S`);
  expect(await jobOfSettlement()).toEqual(['issue of the report']);
});

it('run-until-idle leaves only settlements due, as its texts in the API and the command say', async () => {
  const session = sandbox.session('idle');
  const { baseUrl } = session;
  await session.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/' }] });
  const token = await tokenOf(baseUrl);
  const collections = new Set<string>();
  let remaining = 0;
  const noteCollections = async () => {
    for (const { collection } of (await session.list<JobView>('jobs', { limit: '1000' })).items) {
      collections.add(collection);
    }
  };
  const { body } = await post(
    '/sandbox/api/requestPaymentToken',
    exampleOf('requests/payment-token', {}),
    baseUrl,
    token,
  );
  const recurring = exampleOf('requests/recurring-payment', { recurringPaymentToken: body.paymentToken });
  for (const scenario of ['payer-decides', 'auto-approve', 'chargeback', 'late-webhooks']) {
    await session.useScenario(scenario);
    await post(WALLET, single({ payerReference: scenario }), baseUrl);
    await post('/sandbox/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout', {}), baseUrl);
    await post('/sandbox/api/addRecurringPayment', { ...recurring, recurringReference: scenario }, baseUrl, token);
    await noteCollections();
    await session.advance('PT10S');
    await noteCollections();
    await session.runUntilIdle();
    const { items } = await session.list<JobView>('jobs', { limit: '1000' });
    expect(items.map(({ collection }) => collection)).toEqual(items.map(() => 'settlements'));
    remaining += items.length;
    expect((await session.clock()).nextDue).toBe(items[0]?.dueAt ?? null);
  }
  expect([...collections].sort()).toEqual(['deliveries', 'payments', 'payouts', 'recurringPayments', 'settlements']);
  expect(remaining).toBeGreaterThan(0);
  const row = CONTROL_OPERATIONS.find(({ name }) => name === 'runUntilIdle');
  const command = COMMANDS.find(({ name }) => name === 'clock');
  for (const text of [row?.summary, row?.description, command?.help]) {
    expect(text).toMatch(/(nothing (is due )?but (the )?settlements|until only settlements are due)/);
  }
});
