import request from 'supertest';
import { mergeCoverages } from '../../../../src/base/report/coverage-cells.ts';
import type { SandboxClient } from '../../../../src/index.ts';
import { MERCHANT } from '../../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { startReceiver } from '../../domain/webhooks/receiver.ts';
import { submit } from '../../payer-pages/visits.ts';
import { call, payOn, queryStatus, REFERENCE, seenIn } from './merchant.ts';

const NOW = '2026-03-01T10:00:00Z';
const nothing = async () => {};

let sandbox: Sandbox;
let session: SandboxClient;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let status: number;

beforeEach(async () => {
  status = 200;
  receiver = await startReceiver((_call, response) => response.writeHead(status).end());
  sandbox = await startSandbox({ checkAnswers: true });
  session = await sandbox.client.createSession('one', { now: NOW });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

const addEndpoint = () => session.setEndpoints([{ url: receiver.url }]);

async function degreeOf(of: string, what: string) {
  const { cells } = await sandbox.client.coverage();
  return cells.find((cell) => cell.of === of && cell.what === what)?.degree;
}

async function payAndSettle(): Promise<void> {
  await payOn(session);
  await session.settle(REFERENCE, 'Failed', '51');
  await session.runUntilIdle();
}

describe('the degree of an outcome', () => {
  it('is produced if nobody was notified', async () => {
    await payAndSettle();
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('produced');
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });

  it('is delivered if a receiver answered, but did not accept it', async () => {
    status = 500;
    await addEndpoint();
    await payAndSettle();
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('delivered');
    expect(await degreeOf('payment.failed', 'normal')).toBe('delivered');
  });

  it('is produced if nothing listens at the address', async () => {
    await addEndpoint();
    await receiver.close();
    await payAndSettle();
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('produced');
    expect(await degreeOf('payment.failed', 'normal')).toBe('produced');
    receiver = await startReceiver();
  });

  it('is seen if the receiver acknowledged it, and so is the degree of its notification', async () => {
    await addEndpoint();
    await payAndSettle();
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Failed 51', 'payment.failed: normal']);
  });

  it('is seen if the code queried the status and got it', async () => {
    await payAndSettle();
    await queryStatus(session);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Failed 51']);
  });

  it('is not seen if the code queried the status before the outcome', async () => {
    await payOn(session);
    await queryStatus(session);
    await session.settle(REFERENCE, 'Failed', '51');
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('produced');
  });

  it('is not seen while a status query lags, and is seen once it returns the outcome', async () => {
    await session.useBehaviour('status-lags');
    await payAndSettle();
    expect(await queryStatus(session)).toBe('Processing');
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('produced');
    await session.advance('PT1H');
    expect(await queryStatus(session)).toBe('Failed');
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('seen');
  });

  it('is not seen if a fault damaged the answer that reported it', async () => {
    await payAndSettle();
    await session.useRules([
      { when: { operation: 'getPaymentStatus' }, fault: { at: 'after', kind: 'malformed-body' } },
    ]);
    await queryStatus(session).catch(() => undefined);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['getPaymentStatus: malformed-body']);
  });

  it('is not seen if only the control API, or a person in the console, queried it', async () => {
    await payAndSettle();
    await session.payment(REFERENCE);
    await queryStatus(session, 'qr-wallet', { 'Sec-Fetch-Site': 'same-origin' });
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('produced');
  });

  it('is seen only for the outcome that a status query returned, not for an earlier one', async () => {
    await session.useRules([
      { settle: { outcome: 'Failed', after: 'PT1S', code: '05' }, lateOutcome: { outcome: 'Paid', after: 'PT1H' } },
    ]);
    await payOn(session);
    await session.runUntilIdle();
    await queryStatus(session);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Paid 00']);
    expect(await degreeOf('qr-wallet', 'Failed 05')).toBe('produced');
  });
});

describe.each([
  ['sends Sec-Fetch-Site: same-origin', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
  ['sends only the Origin', () => ({ Origin: new URL(session.baseUrl).origin })],
])('a click in the console, whose browser %s,', (_title, headers) => {
  const click = (path: string, body: object = {}) =>
    request(session.baseUrl).post(`/_sandbox${path}`).set(headers()).send(body).expect(200);

  it('does not count, even if the code acknowledges or queries the outcome', async () => {
    await addEndpoint();
    await payOn(session);
    await click(`/payments/${REFERENCE}/settle`, { outcome: 'Failed', code: '51' });
    await session.runUntilIdle();
    expect(receiver.received).toHaveLength(1);
    expect(await queryStatus(session)).toBe('Failed');
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });

  it('has no effect on cells that were seen before', async () => {
    await addEndpoint();
    await payOn(session);
    await session.settle(REFERENCE, 'Paid');
    await click(`/payments/${REFERENCE}/adjustments`, { kind: 'refund' });
    await session.runUntilIdle();
    expect(receiver.received).toHaveLength(2);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Paid 00', 'payment.paid: normal']);
  });

  it('does not count if it replays a delivery', async () => {
    status = 500;
    await addEndpoint();
    await payAndSettle();
    status = 200;
    await click('/webhooks/deliveries/delivery-1/replay');
    await session.runUntilIdle();
    expect(receiver.received.length).toBeGreaterThan(1);
    expect(await degreeOf('qr-wallet', 'Failed 51')).toBe('delivered');
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });

  it('does not count if it settles a payout', async () => {
    await addEndpoint();
    await call('initiateBulkPayout', session, nothing);
    await click('/payouts/payout-1/settle', { outcome: 'Paid' });
    await session.runUntilIdle();
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });

  it('has no effect after a reset of its session', async () => {
    await payOn(session);
    await click(`/payments/${REFERENCE}/settle`, { outcome: 'Failed', code: '51' });
    await session.reset();
    await payAndSettle();
    await queryStatus(session);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Failed 51']);
  });
});

describe('notifications', () => {
  it('that are lost count as seen only after a status query', async () => {
    await addEndpoint();
    await session.useScenario('lost-webhooks');
    await payOn(session);
    await session.runUntilIdle();
    expect(await degreeOf('payment.paid', 'dropped')).toBe('produced');
    await queryStatus(session);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Paid 00', 'payment.paid: dropped']);
  });

  it('do not count as lost without an endpoint for them', async () => {
    await session.useScenario('lost-webhooks');
    await payOn(session);
    await session.runUntilIdle();
    await queryStatus(session);
    expect(await degreeOf('payment.paid', 'dropped')).toBe('never');
  });

  it('that must be refused are seen if the receiver refuses them, and report no outcome', async () => {
    status = 401;
    await addEndpoint();
    await session.useScenario('tampered-webhooks');
    await payOn(session);
    await session.runUntilIdle();
    expect(seenIn(await sandbox.client.coverage())).toEqual(['any event: tampered']);
    expect(await degreeOf('qr-wallet', 'Paid 00')).toBe('produced');
  });

  it('of the webhook tester do not count', async () => {
    await addEndpoint();
    await call('testWebhook', session, nothing);
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });
});

describe("the degree of a payout's outcome", () => {
  const addEndpointFor = (...types: string[]) => session.setEndpoints([{ url: receiver.url, types }]);
  const settle = (number: number, outcome: 'Paid' | 'Failed' | 'Returned', code?: string) =>
    session.settleCredit('payout-1', number, outcome, code).then(() => session.runUntilIdle());
  beforeEach(() => call('initiateBulkPayout', session, nothing));

  it('is produced if nobody was notified', async () => {
    await session.settlePayout('payout-1', 'Failed', 'AC04');
    expect(await degreeOf('payouts', 'Failed AC04')).toBe('produced');
  });

  it('is seen for the credit whose notification was accepted, but not for one that failed with another code', async () => {
    await addEndpointFor('payout.credit-failed');
    status = 500;
    await session.settleCredit('payout-1', 1, 'Failed', 'AC04');
    await session.advance('PT0.1S');
    status = 200;
    await session.settleCredit('payout-1', 2, 'Failed', 'AC06');
    await session.advance('PT0.1S');
    expect(receiver.received).toHaveLength(2);
    expect(await degreeOf('payouts', 'Failed AC04')).toBe('delivered');
    expect(await degreeOf('payouts', 'Failed AC06')).toBe('seen');
  });

  it('is seen through the notification of the payout if all its credits have the same outcome', async () => {
    await addEndpointFor('payout.failed');
    await session.settlePayout('payout-1', 'Failed', 'AC04');
    await session.runUntilIdle();
    expect(seenIn(await sandbox.client.coverage())).toEqual(['payouts: Failed AC04', 'payout.failed: normal']);
  });

  it('rises for the outcome in the notification, even if the credit has changed since', async () => {
    await addEndpointFor('payout.credit-paid');
    status = 500;
    await session.settleCredit('payout-1', 1, 'Paid');
    await session.settlePayout('payout-1', 'Failed', 'AC06');
    await session.runUntilIdle();
    await session.settleCredit('payout-1', 1, 'Returned', 'AC04');
    status = 200;
    await session.call('POST', '/webhooks/deliveries/replay-failed');
    await session.runUntilIdle();
    expect(await degreeOf('payouts', 'Paid')).toBe('seen');
    expect(await degreeOf('payouts', 'Returned AC04')).toBe('produced');
  });

  it('does not rise for Failed if paid money is returned', async () => {
    await session.settlePayout('payout-1', 'Paid');
    await addEndpointFor('payout.failed');
    const { credits } = await session.payout('payout-1');
    for (const index of credits.keys()) {
      await settle(index + 1, 'Returned', 'AC04');
    }
    expect(receiver.received).toHaveLength(1);
    expect(seenIn(await sandbox.client.coverage())).toEqual(['payout.failed: normal']);
  });
});

describe('pages', () => {
  it('are seen if the payer pressed a button, and not if they were only viewed', async () => {
    const { paymentCode } = await payOn(session);
    const page = `/pay/approve/${paymentCode}`;
    await request(session.baseUrl).get(page);
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
    await submit(session, page, { action: 'approve' });
    expect(seenIn(await sandbox.client.coverage())).toEqual(['/pay/approve/{code}: approve']);
  });

  it('are not seen if the form was rejected', async () => {
    await payOn(session, 'mobile-money');
    await submit(session, '/pay/phone/263770000001', { action: 'confirm', pin: '0000' });
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });

  it('are not seen if the control API decided the payment', async () => {
    await payOn(session);
    await session.settle(REFERENCE, 'Paid');
    expect(seenIn(await sandbox.client.coverage())).toEqual([]);
  });
});

it('the coverage keeps cells of a session that was reset or deleted', async () => {
  await payAndSettle();
  await queryStatus(session);
  await session.reset();
  await sandbox.client.deleteSession('one');
  expect(seenIn(await sandbox.client.coverage())).toEqual(['qr-wallet: Failed 51']);
});

it('the coverage does not count restored or forked records', async () => {
  await addEndpoint();
  await payAndSettle();
  const state = await session.state();
  const other = await startSandbox();
  const restored = other.session('restored');
  await restored.restore(state);
  await restored.fork('restored', { as: 'forked' });
  expect((await other.client.coverage()).cells.filter(({ degree }) => degree !== 'never')).toEqual([]);
  await other.close();
});

it('the coverage omits an outcome with a code that no fixture has', async () => {
  await payOn(session);
  await session.settle(REFERENCE, 'Failed', '4711');
  await queryStatus(session);
  expect((await sandbox.client.coverage()).cells.filter(({ degree }) => degree !== 'never')).toEqual([]);
});

describe('a test suite', () => {
  /** Tests, each with the cells that only it reaches. */
  const SUITE: readonly { test: (session: SandboxClient) => Promise<unknown>; sees: readonly string[] }[] = [
    {
      async test(client) {
        await payOn(client);
        await client.settle(REFERENCE, 'Paid');
        await queryStatus(client);
      },
      sees: ['qr-wallet: Paid 00'],
    },
    {
      async test(client) {
        await client.setEndpoints([{ url: receiver.url }]);
        await client.useScenario('duplicate-webhooks');
        await payOn(client, 'card-switch');
        await client.runUntilIdle();
      },
      sees: ['card-switch: Paid 000.000.000', 'payment.paid: duplicate'],
    },
    {
      async test(client) {
        await client.useScenario('outage');
        await request(client.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
      },
      sees: ['getAccessToken: status'],
    },
    {
      async test(client) {
        const { paymentCode } = await payOn(client);
        await submit(client, `/pay/approve/${paymentCode}`, { action: 'cancel' });
      },
      sees: ['/pay/approve/{code}: cancel'],
    },
  ];
  const all = SUITE.flatMap(({ sees }) => sees);

  async function coverageOf(tests: typeof SUITE) {
    const otherSandbox = await startSandbox();
    for (const [index, { test }] of tests.entries()) {
      await test(await otherSandbox.client.createSession(`test-${index}`, { now: NOW }));
    }
    const coverage = await otherSandbox.client.coverage();
    await otherSandbox.close();
    return coverage;
  }

  it('reports exactly the cells that its tests see', async () => {
    expect(seenIn(await coverageOf(SUITE)).sort()).toEqual([...all].sort());
  });

  it('without one of its tests loses exactly the cells of that test', async () => {
    for (const { sees, ...removed } of SUITE) {
      const rest = await coverageOf(SUITE.filter(({ test }) => test !== removed.test));
      expect(seenIn(rest).sort()).toEqual(all.filter((name) => !sees.includes(name)).sort());
    }
  });

  it('reports the same for one worker and for several at once', async () => {
    const spread = await Promise.all(SUITE.map((test) => coverageOf([test])));
    expect(mergeCoverages(spread)).toEqual(await coverageOf(SUITE));
  });
});
