import { join } from 'node:path';
import request from 'supertest';
import type { JobView } from '../../../src/base/schema/generated/control.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { ControlError } from '../../../src/client/control-error.ts';
import type { Sandbox } from '../../../src/sandbox.ts';
import { lineOfEvent } from '../../../src/server/http/log-lines.ts';
import type { SessionEvent } from '../../../src/server/sessions/event-log.ts';
import { startSandbox } from '../../../src/start-sandbox.ts';
import { post, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`adjustments-${sessions}`);
}

async function makePaidPayment(session: SandboxClient, members: object = {}): Promise<void> {
  await post(WALLET, single(members), session.baseUrl);
  await session.settle('payment-1', 'Paid');
}

async function statusOf({ baseUrl }: SandboxClient) {
  const { text } = await request(baseUrl)
    .get('/sandbox/api/getPaymentDetails')
    .query({ transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' })
    .set('Authorization', `Bearer ${await tokenOf(baseUrl)}`);
  return JSON.parse(text);
}

it('a payment shows its refunds and chargebacks, and the amount that is left', async () => {
  const session = newSession();
  await makePaidPayment(session);
  await session.addAdjustment('ORDER-1001', 'refund', { amount: '3.00' });
  const payment = await session.addAdjustment('payment-1', 'chargeback', { code: '10.4' });
  expect(payment).toMatchObject({
    state: 'ChargedBack',
    amount: '10.00',
    left: '0.00',
    adjustments: [
      { kind: 'refund', amount: '3.00', fee: '0.00', cause: 'control', code: null },
      {
        kind: 'chargeback',
        amount: '7.00',
        fee: '15.00',
        code: '10.4',
        description: "Charged back by the payer's bank",
      },
    ],
  });
  expect((await session.payments({ state: 'chargedback' })).items).toHaveLength(1);
  expect((await session.payments({ search: '10.4' })).items).toHaveLength(1);
});

it("a status query and the control API return the fixture's word for an adjustment", async () => {
  const session = newSession();
  await makePaidPayment(session);
  await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
  expect(await statusOf(session)).toMatchObject({
    status: 'PartlyRefunded',
    description: 'Refunded by the merchant: 3.00 of 10.00 USD, 7.00 left',
    paymentAmount: 10,
    paymentCharges: 2.4,
  });
  expect(await session.payment('payment-1')).toMatchObject({ state: 'Paid', status: 'PartlyRefunded', left: '7.00' });
  await session.addAdjustment('payment-1', 'refund');
  expect(await statusOf(session)).toMatchObject({ status: 'Refunded', paymentAmount: 10 });
});

it.each([
  ['no kind', {}, 400],
  ['an unknown kind', { kind: 'theft' }, 400],
  ['an amount of zero', { kind: 'refund', amount: '0.00' }, 400],
  ['an amount without two decimals', { kind: 'refund', amount: '3' }, 400],
  ['an amount above that of the payment', { kind: 'refund', amount: '10.01' }, 409],
])('an adjustment with %s is refused', async (_title, body, status) => {
  const session = newSession();
  await makePaidPayment(session);
  const error = await session.call('POST', '/payments/payment-1/adjustments', body).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ControlError);
  expect((error as ControlError).status).toBe(status);
  expect(await session.payment('payment-1')).not.toHaveProperty('adjustments');
});

it('only one of several simultaneous chargebacks of the whole amount succeeds', async () => {
  const session = newSession();
  await makePaidPayment(session);
  const chargeback = () => session.addAdjustment('payment-1', 'chargeback');
  const outcomes = await Promise.allSettled([chargeback(), chargeback(), chargeback()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await session.payment('payment-1')).toMatchObject({
    state: 'ChargedBack',
    adjustments: [{ amount: '10.00' }],
  });
});

it('each adjustment notifies the merchant, with its amount and a distinct status', async () => {
  const session = newSession();
  await session.setEndpoints([{ url: 'http://127.0.0.1:9/' }]);
  await makePaidPayment(session);
  await session.addAdjustment('payment-1', 'chargeback', { amount: '3.00' });
  await session.addAdjustment('payment-1', 'chargeback-reversed');
  await session.addAdjustment('payment-1', 'refund');
  const { items } = await session.deliveries({ order: 'oldest' });
  const notifications = items.map(({ type, body }) => {
    const { status, description, paymentAmount, paymentCharges } = JSON.parse(body);
    return [type, status, description, paymentAmount, paymentCharges];
  });
  expect(notifications).toEqual([
    ['payment.paid', 'Paid', 'Approved or completed successfully', 10, 2.4],
    [
      'payment.charged-back',
      'PartlyChargedBack',
      "Charged back by the payer's bank: 3.00 of 10.00 USD, 7.00 left",
      3,
      15,
    ],
    [
      'payment.chargeback-reversed',
      'ChargebackReversed',
      'The chargeback was reversed: 3.00 of 10.00 USD, 10.00 left',
      3,
      0,
    ],
    ['payment.refunded', 'Refunded', 'Refunded by the merchant: 10.00 of 10.00 USD, 0.00 left', 10, 0],
  ]);
  for (const { body } of items) {
    expect(await validate('responses/notification', JSON.parse(body))).toEqual([]);
  }
});

it('an adjustment is reported by events, log lines and metrics', async () => {
  const session = newSession();
  await makePaidPayment(session);
  await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
  const event = await session.waitForEvent('payment.refunded', LONG_WAIT);
  expect(event).toMatchObject({
    subjectId: 'payment-1',
    data: { cause: 'control', reference: 'ORDER-1001', amount: '3.00', left: '7.00', fee: '0.00' },
  });
  const line = lineOfEvent('default', { ...event, at: NOW } as SessionEvent);
  expect(line?.words()).toBe(
    'payment-1 was refunded: ORDER-1001, 3.00 USD on qr-wallet, 7.00 left, by the control API',
  );
  await session.addAdjustment('payment-1', 'reversal');
  const metrics = await (await fetch(`${sandbox.url}/_sandbox/metrics`)).text();
  expect(metrics).toMatch(/_payments\{[^}]*state="Reversed"[^}]*\} [1-9]/);
  expect(metrics).toMatch(/type="payment.reversed"[^}]*\} [1-9]/);
});

describe('the scenario chargeback', () => {
  it('charges back a payment after three days; the planned chargeback is listed as a job until then', async () => {
    const session = newSession();
    await session.useScenario('chargeback');
    await post(WALLET, single(), session.baseUrl);
    await session.advance('PT3S');
    const jobs = () => session.list<JobView>('jobs', { recordId: 'payment-1' });
    expect((await jobs()).items).toMatchObject([
      { kind: 'settle-payment', what: 'chargeback', dueAt: '2026-03-04T10:00:03.000Z' },
    ]);
    expect(await session.payment('payment-1')).toMatchObject({
      state: 'Paid',
      plannedAdjustments: [{ kind: 'chargeback', amount: null, at: '2026-03-04T10:00:03.000Z' }],
    });
    await session.advance('P3D');
    expect(await session.payment('payment-1')).toMatchObject({ state: 'ChargedBack', left: '0.00' });
    expect((await jobs()).items).toEqual([]);
  });

  it('charges back a payment after a restart', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await startSandbox({ data, now: NOW });
    await first.client.useScenario('chargeback');
    await post(WALLET, single(), first.url);
    await first.client.advance('P1D');
    await first.close();
    const second = await startSandbox({ data });
    expect((await second.client.payment('payment-1')).state).toBe('Paid');
    await second.client.advance('P3D');
    const payment = await second.client.payment('payment-1');
    await second.close();
    const third = await startSandbox({ data, checkAnswers: true });
    expect(await third.client.payment('payment-1')).toEqual(payment);
    expect(payment.state).toBe('ChargedBack');
    await third.close();
  });
});

it('a scenario may plan several partial adjustments', async () => {
  const session = newSession();
  await session.defineScenario({
    name: 'busy',
    description: 'much happens',
    rules: [
      {
        settle: { outcome: 'Paid', after: 'PT0S' },
        adjustments: [
          { kind: 'refund', after: 'P2D', amount: '2.00', code: 'R1', description: 'Broken on arrival' },
          { kind: 'chargeback', after: 'P1D', amount: '5.00' },
        ],
      },
    ],
  });
  await session.useScenario('busy');
  await post(WALLET, single(), session.baseUrl);
  await session.runUntilIdle();
  expect(await session.payment('payment-1')).toMatchObject({
    state: 'Paid',
    left: '3.00',
    adjustments: [{ kind: 'chargeback' }, { kind: 'refund', code: 'R1', description: 'Broken on arrival' }],
  });
});

it.each([
  ['$.rules[0].adjustments.after', { kind: 'refund' }],
  ['$.rules[0].adjustments[0].kind', [{ kind: 'theft', after: 'P1D' }]],
  ['$.rules[0].adjustments.amount', { kind: 'refund', after: 'P1D', amount: '0.00' }],
  ['$.rules[0].adjustments', []],
])('an invalid adjustment in a scenario is refused with its path: %s', async (path, adjustments) => {
  const scenario = { name: 'odd', description: '', rules: [{ adjustments }] };
  const error = await newSession()
    .defineScenario(scenario)
    .catch((each: unknown) => each);
  expect((error as ControlError).problem['findings']).toMatchObject([{ path }]);
});

it.each([
  ['refund', 'Active'],
  ['chargeback', 'Failed'],
  ['reversal', 'Failed'],
] as const)('after a %s of a payment with a new token, recurring payments with it are %s', async (kind, state) => {
  const session = newSession();
  const { baseUrl } = session;
  const token = await tokenOf(baseUrl);
  const issued = await post(
    '/sandbox/api/requestPaymentTokenAndPay',
    exampleOf('requests/payment-token-with-payment'),
    baseUrl,
    token,
  );
  expect(issued.status).toBe(200);
  await session.settle('payment-1', 'Paid');
  const { items } = await session.list<{ id: string; token: string }>('payment-tokens');
  const order = exampleOf('requests/recurring-payment', {
    recurringPaymentToken: items[0]?.token,
    recurringStartDate: '2026-03-02',
  });
  expect((await post('/sandbox/api/addRecurringPayment', order, baseUrl, token)).status).toBe(200);
  await session.addAdjustment('payment-1', kind);
  await session.advance('P1D');
  expect(await session.call('GET', '/recurring-payments/1')).toMatchObject({ state });
});
