// Sentences about real records, as the control API shows them, by the time of their session's clock.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryView, PaymentView, PayoutView, RequestView } from '../../../src/base/schema/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { type Part, textOf } from '../../../src/console/record/part.ts';
import { whyOf } from '../../../src/console/record/why.ts';
import { whyOfPayout } from '../../../src/console/record/why-payout.ts';
import { makePayout, makeRecurringPayment } from '../../browser/records.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { pay, submit } from '../../server/payer-pages/visits.ts';

let sandbox: Sandbox;
let receiver: Server;
let address: string;
let sessions = 0;
let status: number;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  receiver = createServer((_request, response) => {
    response.statusCode = status;
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  status = 200;
});

async function newSession({ scenario, endpoints = [address] }: { scenario?: string; endpoints?: string[] } = {}) {
  sessions += 1;
  const session = sandbox.session(`why-${sessions}`);
  await session.reset();
  await session.setEndpoints(endpoints.map((url) => ({ url })));
  await (scenario && session.useScenario(scenario));
  return session;
}

async function around<View>(session: SandboxClient, path: string) {
  const record = await session.call<View & { id: string }>('GET', path);
  const { items, nextCursor } = await session.call<{ items: DeliveryView[]; nextCursor: string | null }>(
    'GET',
    `/webhooks/deliveries?subjectId=${record.id}&limit=50`,
  );
  return {
    record,
    deliveries: items,
    hasMoreDeliveries: nextCursor !== null,
    now: Date.parse((await session.clock()).now),
  };
}

async function partsOf(session: SandboxClient, id = 'payment-1'): Promise<Part[]> {
  const { record: payment, ...rest } = await around<PaymentView>(session, `/payments/${id}`);
  const { items } = await session.list<RequestView>('requests');
  const call = items.findLast(({ records }) => records.some((record) => record.id === payment.id));
  return whyOf({ payment, call, ...rest });
}

const read = (parts: readonly Part[]) => parts.map(textOf).join('');
const why = async (session: SandboxClient, id?: string) => read(await partsOf(session, id));

const MOBILE = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' };
const CARD = { walletName: 'WALLET_CARD_A' };

describe('a payment that waits', () => {
  it.each([
    [{}, 'scan the QR code'],
    [MOBILE, 'enter the PIN on phone 263770000001'],
    [CARD, 'enter a card'],
  ])('says what its payer of %j has to do, and how long there is', async (members, act) => {
    const session = await newSession();
    await pay(session, members);
    await session.advance('PT40S');
    expect(await why(session)).toBe(`Waiting for the payer to ${act}; expires in 14 min 20 s.`);
  });

  it('counts wrong PINs, and is declined by the third', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session, MOBILE);
    const enter = () => submit(session, '/pay/phone/263770000001', { pin: '0000' });
    await enter();
    expect(await why(session)).toContain('on phone 263770000001, after 1 wrong PIN; expires in');
    await enter();
    await enter();
    expect(await why(session)).toMatch(/^Declined by mobile money: Incorrect PIN \(55\)\. No notification was sent/);
  });

  it('says what its scenario plans, with a link to it, and that the payer may be faster', async () => {
    const session = await newSession({ scenario: 'declined' });
    await pay(session, CARD);
    const parts = await partsOf(session);
    expect(read(parts)).toBe(
      'Will fail with 800.100.151 in 3 s, as set by rule 1 of declined, unless the payer decides first.',
    );
    expect(parts).toContainEqual(expect.objectContaining({ screen: 'scenarios', id: 'declined' }));
  });

  it('expires where that comes before what its scenario plans', async () => {
    const session = await newSession();
    await session.useRules([{ settle: { outcome: 'Paid', after: 'PT1H' } }]);
    await pay(session);
    expect(await why(session)).toBe('Waiting for the payer to scan the QR code; expires in 15 min.');
  });
});

describe('a payment that is settled', () => {
  it.each([
    ['Paid', 'Marked as paid by hand.'],
    ['Failed', 'Marked as failed by hand: Do not honour (05).'],
    ['Cancelled', 'Marked as cancelled by hand: Declined by the payer (05).'],
    ['Expired', 'Marked as expired by hand: Response received too late (68).'],
  ] as const)('by hand as %s says so', async (outcome, sentence) => {
    const session = await newSession();
    await pay(session);
    await session.settle('payment-1', outcome);
    expect(await why(session)).toMatch(sentence);
  });

  it.each([
    ['approved', 'Paid by the payer, with test card “approved”.'],
    ['declined', 'Declined by card network A: Invalid card (800.100.151), with test card “declined”.'],
  ])('by its payer with test card %s names the card, and the reason with its code', async (testCard, sentence) => {
    const session = await newSession();
    const { paymentRedirectUrl = '' } = await pay(session, CARD);
    await submit(session, paymentRedirectUrl, { testCard });
    expect(await why(session)).toContain(sentence);
  });

  it('by its payer who cancels is not said to be declined', async () => {
    const session = await newSession();
    const { paymentRedirectUrl = '' } = await pay(session, CARD);
    await submit(session, paymentRedirectUrl, { action: 'cancel' });
    expect(await why(session)).toMatch(/^Cancelled: /);
  });

  it('by nobody says how long there was', async () => {
    const session = await newSession();
    await pay(session);
    await session.advance('PT16M');
    expect(await why(session)).toMatch(/^Nobody paid within 15 min: Response received too late \(68\)\./);
  });

  it('by its scenario names the rule once, however much of it came by that', async () => {
    const session = await newSession({ scenario: 'chargeback' });
    await pay(session);
    await session.advance('PT1H');
    expect(await why(session)).toBe(
      'Paid, as set by rule 1 of chargeback. Your endpoint answered 200. It will be charged back in 2 d 23 h.',
    );
    await session.advance('P3D');
    expect(await why(session)).toMatch(
      /^Charged back by the payer's bank: 10\.00 USD, nothing left, as set by rule 1 of/,
    );
  });

  it('and is paid late says what it was before, and what is still to come', async () => {
    const session = await newSession({ scenario: 'late-success' });
    await pay(session);
    await session.advance('PT1M3S');
    expect(await why(session)).toMatch(
      /^Declined by QR wallet: .* \(05\), as set by rule 1 of late-success\. .* It will be paid after all in 59 min\.$/,
    );
    await session.advance('PT1H');
    expect(await why(session)).toMatch(/^Paid after all, though it had failed, as set by rule 1 of late-success\./);
  });

  it('as a charge of a recurring payment is said to be paid by no scenario', async () => {
    const session = await newSession();
    await makeRecurringPayment(session);
    await session.advance('P1D');
    expect(await why(session)).toMatch(/^Charged by recurring payment 1\. Your endpoint answered 200\.$/);
  });

  it('and refunded in part says how much is left', async () => {
    const session = await newSession();
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
    expect(await why(session)).toBe(
      'Refunded by the merchant: 3.00 of 10.00 USD, 7.00 USD left; done by hand. Your endpoint answered 200.',
    );
    await session.addAdjustment('payment-1', 'refund');
    expect(await why(session)).toContain('7.00 of 10.00 USD, nothing left');
  });
});

describe('a notification', () => {
  const settled = async (scenario?: string, endpoints?: string[]) => {
    const session = await newSession({ ...(scenario ? { scenario } : {}), ...(endpoints ? { endpoints } : {}) });
    await pay(session);
    await (scenario ? session.advance('PT3S') : session.settle('payment-1', 'Paid'));
    return session;
  };

  it('that no endpoint was set for reached nobody, with a link to set one', async () => {
    const parts = await partsOf(await settled(undefined, []));
    expect(read(parts)).toContain('No notification was sent: no endpoint was set for payment.paid.');
    expect(parts).toContainEqual(expect.objectContaining({ screen: 'deliveries', id: 'endpoints' }));
  });

  it('that is refused counts the answers, and the time to the next try', async () => {
    status = 500;
    const session = await settled();
    expect(await why(session)).toMatch(/Your endpoint answered 500; next try in (9|10|11) s\.$/);
    await session.advance('PT1M');
    const parts = await partsOf(session);
    expect(read(parts)).toMatch(/Your endpoint answered 500 three times; next try in 1 min \d+ s\.$/);
    expect(parts).toContainEqual({ text: 'answered 500 three times', screen: 'deliveries', id: 'delivery-1' });
    status = 503;
    await session.advance('PT2M');
    expect(await why(session)).toContain(
      'The notification failed four times, the last time: the receiver answered with 503; next try',
    );
    status = 200;
    await session.replay('delivery-1');
    await session.waitForDelivery('payment-1');
    expect(await why(session)).toContain('Your endpoint answered 200 at attempt 5.');
  });

  it('that was refused often enough is given up', async () => {
    status = 500;
    const session = await settled();
    await session.advance('P5D');
    expect(await why(session)).toContain('Your endpoint answered 500 twelve times; the notification was given up.');
  });

  it('that nobody listens for says so', async () => {
    const session = await settled(undefined, ['http://127.0.0.1:9/hook']);
    expect(await why(session)).toContain(
      'The notification failed: nothing listens there (connection refused); next try',
    );
  });

  it('is held while the queue of its endpoint is halted', async () => {
    status = 500;
    const session = await newSession();
    await session.useBehaviour('queue-halts-after-15-failures');
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.advance('PT20M');
    expect(await why(session)).toContain(
      'Your endpoint answered 500, 15 times; the notification is held until its endpoint is resumed.',
    );
    await session.setEndpoints([]);
    expect(await why(session)).toContain('The notification was dropped: its endpoint was switched off or removed.');
  });

  it('that a scenario loses, delays or doubles says so', async () => {
    expect(await why(await settled('lost-webhooks'))).toBe(
      'Paid, as set by rule 1 of lost-webhooks. The notification was dropped on purpose.',
    );
    expect(await why(await settled('late-webhooks'))).toContain(
      'The notification will be sent in 5 min, late on purpose.',
    );
    expect(await why(await settled('duplicate-webhooks'))).toContain('Both notifications were delivered.');
  });

  it('names the rule that loses it where its payment was settled by hand', async () => {
    const session = await newSession();
    await session.useRules([{ webhook: { mode: 'dropped' } }]);
    await pay(session);
    await session.settle('payment-1', 'Paid');
    expect(await why(session)).toMatch(
      /^Marked as paid by hand\. The notification was dropped on purpose, as set by rule 1 of \S+\.$/,
    );
  });

  it('of a burst is not counted beyond what is known', async () => {
    const session = await newSession();
    await session.useRules([{ webhook: { mode: 'burst', count: 60 } }]);
    await pay(session);
    await session.settle('payment-1', 'Paid');
    expect(await why(session)).toContain('More than 50 notifications were created; the newest are below.');
  });

  it('to several endpoints counts those that took it', async () => {
    const session = await settled(undefined, [address, 'http://127.0.0.1:9/hook']);
    expect(await why(session)).toMatch(/1 of 2 notifications was delivered, 1 refused so far; next in \d+ s\.$/);
  });

  it('that was forged does not count as one of the provider', async () => {
    status = 401;
    const session = await newSession({ scenario: 'forged-webhooks' });
    await pay(session);
    expect(await why(session)).toBe(
      'Will fail in 3 s, as set by rule 1 of forged-webhooks, unless the payer decides first. 5 forged notifications say that it was paid.',
    );
    await session.advance('PT3S');
    expect(await why(session)).toMatch(/Your endpoint answered 401; next try in \d+ s\.$/);
    const paid = await newSession({ scenario: 'forged-webhooks' });
    await pay(paid);
    await paid.settle('payment-1', 'Paid');
    expect(await why(paid)).toMatch(
      /^Marked as paid by hand\. 5 forged .*, as set by rule 1 of forged-webhooks\. Your endpoint answered 401; next try/,
    );
  });
});

it('a payout says which credit comes next, and who was told', async () => {
  const session = await newSession();
  await makePayout(session);
  const said = async () => {
    const { record: payout, ...rest } = await around<PayoutView>(session, '/payouts/payout-1');
    return read(whyOfPayout({ payout, ...rest }));
  };
  expect(await said()).toBe('2 credits will be paid in 1 s, as set by payoutDuration in times.json.');
  await session.settleCredit('payout-1', 2, 'Failed');
  expect(await said()).toMatch(/^Credit 1 will be paid in 1 s/);
  await session.settleCredit('payout-1', 1, 'Paid');
  expect(await said()).toBe('Your endpoint answered 200.');
});
