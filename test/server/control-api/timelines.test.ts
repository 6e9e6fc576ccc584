import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { DeliveryView, SentencePart, TimelineEntry } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { makePayout, makeRecurringPayment } from '../../browser/records.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { pay, submit } from '../payer-pages/visits.ts';

let sandbox: Sandbox;
let receiver: Server;
let address: string;
let sessions = 0;
let status: number;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
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
  const session = sandbox.session(`timelines-${sessions}`);
  await session.reset();
  await session.setEndpoints(endpoints.map((url) => ({ url })));
  await (scenario && session.useScenario(scenario));
  return session;
}

const textOf = (parts: readonly SentencePart[]) => parts.map(({ text }) => text).join('');
const sentence = async (session: SandboxClient, id = 'payment-1') => textOf((await session.timeline(id)).sentence);

/** An entry on one line: `>` for a future one, what happened, and its cause. */
function lineOf({ isAhead, title, cause, words }: TimelineEntry): string {
  const why = [cause?.words, words].filter(Boolean).join(': ');
  return `${isAhead ? '> ' : ''}${title}${why === '' ? '' : ` | ${why}`}`;
}

type Kind = 'payments' | 'payouts' | 'settlements';
async function lines(session: SandboxClient, id = 'payment-1', kind: Kind = 'payments'): Promise<string[]> {
  return (await session.timeline(id, kind)).entries.map(lineOf);
}

const MOBILE = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' };
const CARD = { walletName: 'WALLET_CARD_A' };
const INITIATED = 'Initiate payment | POST /init/authenticate/merchant/wallet for ORDER-1001: answered 200';
const CREATED = 'Created | by the merchant: 10.00 USD';

describe('the timeline of a payment', () => {
  it('has calls, changes, notifications and future steps in order, even at the same time', async () => {
    const session = await newSession();
    await pay(session);
    expect(await lines(session)).toEqual([INITIATED, CREATED, '> Will expire']);
    await session.settle('payment-1', 'Paid');
    await session.waitForDelivery('payment-1', LONG_WAIT);
    await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
    await session.waitForDelivery('payment-1', LONG_WAIT);
    const { entries, record, omitted } = await session.timeline('ORDER-1001');
    expect(entries.map(lineOf)).toEqual([
      INITIATED,
      CREATED,
      'Paid | by hand',
      'Notification payment.paid | answered 200',
      'Refunded | by hand: 3.00 of 10.00 USD, described as “Refunded by the merchant”; 7.00 USD remains paid',
      'Notification payment.refunded | answered 200',
    ]);
    expect(new Set(entries.map(({ at }) => at)).size).toBe(1);
    expect(entries.map(({ kind }) => kind)).toEqual([
      'request.answered',
      'payment.created',
      'payment.paid',
      'delivery.succeeded',
      'payment.refunded',
      'delivery.succeeded',
    ]);
    expect(record).toEqual(await session.payment('payment-1'));
    expect(omitted).toBe(0);
  });

  it('links to the call, the notification and the event of each entry', async () => {
    const session = await newSession({ scenario: 'declined' });
    await pay(session);
    await session.advance('PT3S');
    const { entries } = await session.timeline('payment-1');
    const [call, created, failed, sent] = entries;
    expect(call).toMatchObject({ requestId: 'request-1', status: 200 });
    expect(created).toMatchObject({ requestId: 'request-1', cause: { kind: 'merchant' } });
    expect(failed?.cause).toEqual({
      kind: 'scenario',
      words: 'by rule 2 of declined',
      collection: 'scenarios',
      id: 'declined',
    });
    expect(failed).not.toHaveProperty('requestId');
    expect(sent).toMatchObject({ deliveryId: 'delivery-1', status: 200, milliseconds: expect.any(Number) });
    const { items } = await session.list<{ id: number; type: string }>('event-log', { order: 'oldest' });
    const typeOf = (id: number | undefined) => items.find((event) => event.id === id)?.type;
    expect([created, failed, sent].map((entry) => typeOf(entry?.eventId))).toEqual([
      'payment.created',
      'payment.failed',
      'delivery.succeeded',
    ]);
  });

  it('has each attempt of a notification with its number, and the next one', async () => {
    status = 500;
    const session = await newSession();
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.advance('PT1M');
    const { entries } = await session.timeline('payment-1');
    const attempts = entries.filter(({ deliveryId }) => deliveryId !== undefined);
    expect(attempts.map(({ kind, attempt, isAhead }) => [kind, attempt, isAhead])).toEqual([
      ['delivery.failed', 1, undefined],
      ['delivery.failed', 2, undefined],
      ['delivery.failed', 3, undefined],
      ['delivery.pending', 4, true],
    ]);
    await session.advance('P5D');
    const last = (await session.timeline('payment-1')).entries.at(-1);
    expect(last).toMatchObject({ kind: 'delivery.given-up', attempt: 12, words: 'answered 500, given up' });
  });

  it('has the late outcome of a scenario, before and after it happens', async () => {
    const session = await newSession({ scenario: 'late-success', endpoints: [] });
    await pay(session);
    await session.advance('PT3S');
    const failedLine = 'Failed | by rule 1 of late-success: Do not honour (05)';
    const plannedLine = '> Will be paid after all | by rule 1 of late-success';
    expect(await lines(session)).toEqual([INITIATED, CREATED, failedLine, plannedLine]);
    await session.advance('PT1H');
    const paidLine = 'Paid | by rule 1 of late-success: it had failed before';
    expect(await lines(session)).toEqual([INITIATED, CREATED, failedLine, paidLine]);
  });

  it('shows after which time it expired, and that it would expire if a planned failure did not happen', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session);
    await session.advance('PT15M');
    const expiredLine = 'Expired | because nobody paid within 15 min: Response received too late (68)';
    expect(await lines(session)).toEqual([INITIATED, CREATED, expiredLine]);
    await session.useScenario('declined');
    await pay(session, { payerReference: 'ORDER-2' });
    expect((await lines(session, 'ORDER-2')).slice(-2)).toEqual([
      '> Will fail | by rule 2 of declined: 05',
      '> Would expire',
    ]);
  });

  it("has its payer's wrong PINs", async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session, MOBILE);
    await submit(session, '/pay/phone/263770000001', { pin: '0000' });
    expect(await lines(session)).toContain('Wrong PIN | by the payer: try 1');
  });

  it('has the calls with its reference, even refused ones, but not those about other payments', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session, { payerReference: 'ORDER-2' });
    await pay(session);
    await request(session.baseUrl).post('/init/authenticate/merchant/wallet').send({ payerReference: 'ORDER-2' });
    const about = async (id: string) =>
      (await session.timeline(id)).entries.flatMap(({ kind, requestId }) =>
        kind === 'request.answered' ? [requestId] : [],
      );
    expect(await about('ORDER-1001')).toEqual(['request-2']);
    expect(await about('ORDER-2')).toEqual(['request-1', 'request-3']);
    // Read again, because the first reading masked the calls and dropped their bodies.
    expect(await about('ORDER-2')).toEqual(['request-1', 'request-3']);
  });

  it('is built only from records if calls and events are no longer logged', async () => {
    const session = await newSession();
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.runUntilIdle();
    await session.restore(await session.state());
    const { entries } = await session.timeline('payment-1');
    expect(entries.map(lineOf)).toEqual([CREATED, 'Paid | by hand', 'Notification payment.paid | answered 200']);
    expect(entries.filter(({ eventId, requestId }) => eventId !== undefined || requestId !== undefined)).toEqual([]);
  });

  it('lists the newest fifty notifications of a burst, and counts the others', async () => {
    const session = await newSession();
    await session.useRules([{ webhook: { mode: 'burst', count: 60 } }]);
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.runUntilIdle();
    const { entries, omitted } = await session.timeline('payment-1');
    const deliveryIds = entries.flatMap(({ deliveryId }) => deliveryId ?? []);
    expect(new Set(deliveryIds)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => `delivery-${index + 11}`)));
    expect(omitted).toBe(10);
    expect(await sentence(session)).toContain('60 of 60 notifications delivered');
  });

  it('is separate in each session, and is a 404 for an unknown payment', async () => {
    const [session, other] = [await newSession({ endpoints: [] }), await newSession({ endpoints: [] })];
    await pay(session, { payerReference: 'MINE' });
    await pay(other, { payerReference: 'THEIRS' });
    await other.settle('payment-1', 'Failed');
    expect((await session.timeline('payment-1')).record).toMatchObject({ payerReference: 'MINE' });
    expect((await lines(session)).join()).not.toMatch(/THEIRS|Failed/);
    await expect(session.timeline('THEIRS')).rejects.toMatchObject({ status: 404 });
    await expect(session.timeline('payment-2')).rejects.toMatchObject({ status: 404 });
    await expect(session.timeline('payment-1', 'payouts')).rejects.toMatchObject({ status: 404 });
  });
});

describe('the timeline of a payout', () => {
  it('has its credits, equal ones in one entry, and its own states', async () => {
    const session = await newSession({ endpoints: [] });
    await makePayout(session);
    const callLine = 'Initiate payout | POST /init/authenticate/merchant/bulkPayment for PAYOUT-1: answered 200';
    const createdLine = 'Created | by the merchant: 100.50 USD';
    expect(await lines(session, 'PAYOUT-1', 'payouts')).toEqual([
      callLine,
      createdLine,
      '> 2 credits will be paid | as set by payoutDuration in times.json',
    ]);
    await session.settleCredit('payout-1', 2, 'Failed');
    await session.runUntilIdle();
    expect(await lines(session, 'payout-1', 'payouts')).toEqual([
      callLine,
      createdLine,
      'Credit 2 failed | by hand',
      'Credit 1 paid | as set by payoutDuration in times.json',
      'Payout partly paid | as set by payoutDuration in times.json: 1 of 2 credits paid, 60.50 of 100.50 USD',
    ]);
  });

  it('has one entry for credits that were paid together, with the event of the last of them', async () => {
    const session = await newSession({ endpoints: [] });
    await makePayout(session);
    await session.runUntilIdle();
    const { entries } = await session.timeline('payout-1', 'payouts');
    const { items } = await session.list<{ id: number; type: string }>('event-log', { type: 'payout.credit-paid' });
    expect(entries.at(-2)).toMatchObject({ title: '2 credits paid', eventId: items[0]?.id });
    expect(entries.at(-1)).toMatchObject({ title: 'Payout paid' });
  });

  it('has separate entries for credits that failed at the same time for different reasons, each with its event', async () => {
    const session = await newSession({ endpoints: [] });
    await makePayout(session);
    await session.settleCredit('payout-1', 1, 'Failed', 'AC04');
    await session.settleCredit('payout-1', 2, 'Failed', 'AC06');
    const { entries } = await session.timeline('payout-1', 'payouts');
    const { items } = await session.list<{ id: number }>('event-log', {
      type: 'payout.credit-failed',
      order: 'oldest',
    });
    const credits = entries.filter(({ kind }) => kind === 'payout.credit-failed');
    expect(credits.map(({ title, eventId }) => [title, eventId])).toEqual([
      ['Credit 1 failed', items[0]?.id],
      ['Credit 2 failed', items[1]?.id],
    ]);
  });
});

describe('the timeline of a settlement', () => {
  it('begins with its first movement, and ends with the return of the transfer', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session);
    await session.settle('payment-1', 'Paid');
    const openedLine = 'Opened by its first movement';
    const timeline = () => lines(session, 'settlement-1', 'settlements');
    expect(await timeline()).toEqual([openedLine, '> Will be closed']);
    await session.advance('PT12H');
    const closed = ['In transit | at the due time: 7.60 USD', 'Report issued | version 1'];
    expect(await timeline()).toEqual([openedLine, ...closed, '> Will be paid']);
    await session.advance('P5D');
    await session.call('POST', '/settlements/settlement-1/return', { code: 'AC04' });
    const ends = ['Paid | at the due time: 7.60 USD', 'Returned | by hand: 7.60 USD, AC04'];
    expect(await timeline()).toEqual([openedLine, ...closed, ...ends]);
  });
});

describe('the sentence about a waiting payment', () => {
  it.each([
    [{}, 'scan the QR code'],
    [MOBILE, 'enter the PIN on phone 263770000001'],
    [CARD, 'enter a card'],
  ])('describes what the payer of %j has to do, and the remaining time', async (members, act) => {
    const session = await newSession();
    await pay(session, members);
    await session.advance('PT40S');
    expect(await sentence(session)).toBe(`Waiting for the payer to ${act}. Will expire in 14 min 20 s.`);
    const parts = (await session.timeline('payment-1')).sentence;
    expect(parts).toContainEqual({ text: '14 min 20 s', until: '2026-03-01T10:15:00.000Z' });
  });

  it('counts wrong PINs; after the third one, it says that the payment failed', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session, MOBILE);
    const enter = () => submit(session, '/pay/phone/263770000001', { pin: '0000' });
    await enter();
    expect(await sentence(session)).toContain('on phone 263770000001, after 1 wrong PIN. Will expire in');
    await enter();
    await enter();
    expect(await sentence(session)).toMatch(/^Failed by the payer: Incorrect PIN \(55\)\. No notification was sent/);
  });

  it('describes the outcome that a scenario plans, with a link to the scenario', async () => {
    const session = await newSession({ scenario: 'declined' });
    await pay(session, CARD);
    const parts = (await session.timeline('payment-1')).sentence;
    expect(textOf(parts)).toBe(
      'Waiting for the payer to enter a card. Will fail with 800.100.151 in 3 s, by rule 1 of declined.',
    );
    expect(parts).toContainEqual({ text: 'by rule 1 of declined', collection: 'scenarios', id: 'declined' });
  });

  it('announces the expiry if that is before the planned outcome', async () => {
    const session = await newSession();
    await session.useRules([{ settle: { outcome: 'Paid', after: 'PT1H' } }]);
    await pay(session);
    expect(await sentence(session)).toBe('Waiting for the payer to scan the QR code. Will expire in 15 min.');
  });
});

describe('the sentence about a decided payment', () => {
  it.each([
    ['Paid', 'Paid by hand. '],
    ['Failed', 'Failed by hand: Do not honour (05). '],
    ['Cancelled', 'Cancelled by hand: Cancelled by the payer (05). '],
    ['Expired', 'Expired by hand: Response received too late (68). '],
  ] as const)('says that the outcome %s was set by hand', async (outcome, beginning) => {
    const session = await newSession();
    await pay(session);
    await session.settle('payment-1', outcome);
    expect((await sentence(session)).startsWith(beginning)).toBe(true);
  });

  it.each([
    ['approved', 'Paid by the payer: test card “approved”.'],
    ['declined', 'Failed by the payer: Invalid card (800.100.151), test card “declined”.'],
  ])('names the test card %s of its payer, and the reason and code of a failure', async (testCard, words) => {
    const session = await newSession();
    const { paymentRedirectUrl = '' } = await pay(session, CARD);
    await submit(session, paymentRedirectUrl, { testCard });
    expect(await sentence(session)).toContain(words);
  });

  it('names a rule once, even if it caused several changes', async () => {
    const session = await newSession({ scenario: 'chargeback' });
    await pay(session);
    await session.advance('PT1H');
    expect(await sentence(session)).toBe(
      'Paid by rule 1 of chargeback. Notification payment.paid: answered 200. Chargeback in 2 d 23 h.',
    );
    await session.advance('P3D');
    expect(await sentence(session)).toMatch(
      /^Charged back by rule 1 of chargeback: 10\.00 USD, described as “Charged back by the payer's bank”; nothing remains paid\./,
    );
  });

  it('shows the amount that is paid again after a chargeback was reversed', async () => {
    const session = await newSession({ endpoints: [] });
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.addAdjustment('payment-1', 'chargeback', {});
    await session.addAdjustment('payment-1', 'chargeback-reversed', {});
    expect(await sentence(session)).toMatch(/^Chargeback reversed by hand: 10\.00 USD.*; 10\.00 USD is paid again\./);
  });

  it('names the recurring payment that charged it', async () => {
    const session = await newSession();
    await makeRecurringPayment(session);
    await session.advance('P1D');
    const parts = (await session.timeline('payment-1')).sentence;
    expect(textOf(parts)).toBe('Paid by recurring payment 1. Notification payment.paid: answered 200.');
    expect(parts).toContainEqual({ text: 'by recurring payment 1', collection: 'recurringPayments', id: '1' });
  });
});

describe('the sentence about a notification', () => {
  const sessionWithDecidedPayment = async (scenario?: string, endpoints?: string[]) => {
    const session = await newSession({ ...(scenario ? { scenario } : {}), ...(endpoints ? { endpoints } : {}) });
    await pay(session);
    await (scenario ? session.advance('PT3S') : session.settle('payment-1', 'Paid'));
    return session;
  };

  it('links to the endpoints if none was set', async () => {
    const parts = (await (await sessionWithDecidedPayment(undefined, [])).timeline('payment-1')).sentence;
    expect(textOf(parts)).toContain('No notification was sent: no endpoint was set for payment.paid.');
    expect(parts).toContainEqual({ text: 'no endpoint was set', collection: 'deliveries', id: 'endpoints' });
  });

  it('shows the number of the last attempt and the time until the next one, until it is delivered', async () => {
    status = 500;
    const session = await sessionWithDecidedPayment();
    await session.advance('PT1M');
    const parts = (await session.timeline('payment-1')).sentence;
    expect(textOf(parts)).toMatch(
      /Notification payment\.paid, attempt 3: answered 500; next attempt in 1 min \d+ s\.$/,
    );
    expect(parts).toContainEqual({ text: 'Notification payment.paid', collection: 'deliveries', id: 'delivery-1' });
    const { sentence: sentenceParts = [] } = await session.call<DeliveryView>('GET', '/webhooks/deliveries/delivery-1');
    expect(textOf(sentenceParts)).toMatch(/^Notification payment\.paid, attempt 3: answered 500; next attempt in /);
    expect(sentenceParts.filter(({ id }) => id !== undefined)).toEqual([]);
    status = 200;
    await session.resend('delivery-1');
    await session.waitForDelivery('payment-1', LONG_WAIT);
    expect(await sentence(session)).toContain('attempt 4: answered 200.');
  });

  it('says that nothing listens at the address', async () => {
    const session = await sessionWithDecidedPayment(undefined, ['http://127.0.0.1:9/hook']);
    await session.advance('PT1S');
    expect(await sentence(session)).toContain('payment.paid: nothing listens there (connection refused)');
  });

  it('says that its endpoint is halted, and that it was dropped when the endpoint was removed', async () => {
    status = 500;
    const session = await newSession();
    await session.useBehaviour('queue-halts-after-15-failures');
    await pay(session);
    await session.settle('payment-1', 'Paid');
    await session.advance('PT20M');
    expect(await sentence(session)).toContain('attempt 15: answered 500, held until its endpoint is resumed.');
    await session.setEndpoints([]);
    expect(await sentence(session)).toContain('dropped because its endpoint was switched off or removed');
  });

  it('describes the effect of a scenario, and names its rule', async () => {
    expect(await sentence(await sessionWithDecidedPayment('lost-webhooks'))).toBe(
      'Paid by rule 1 of lost-webhooks. Notification payment.paid: dropped on purpose.',
    );
    expect(await sentence(await sessionWithDecidedPayment('late-webhooks'))).toContain(
      ' will be sent in 5 min, late on purpose.',
    );
    expect(await sentence(await sessionWithDecidedPayment('duplicate-webhooks'))).toContain(
      '2 of 2 notifications delivered.',
    );
    const session = await newSession();
    await session.useRules([{ webhook: { mode: 'dropped' } }]);
    await pay(session);
    await session.settle('payment-1', 'Paid');
    expect(await sentence(session)).toMatch(
      /^Paid by hand\. Notification payment\.paid: dropped on purpose, by rule 1 of \S+\.$/,
    );
  });

  it('counts notifications to several endpoints', async () => {
    const session = await sessionWithDecidedPayment(undefined, [address, 'http://127.0.0.1:9/hook']);
    await session.advance('PT1S');
    expect(await sentence(session)).toMatch(
      /1 of 2 notifications delivered, 1 failed so far; next attempt in \d+ s\.$/,
    );
  });

  it('distinguishes forged notifications from those of the provider', async () => {
    status = 401;
    const session = await newSession({ scenario: 'forged-webhooks' });
    await pay(session);
    expect(await sentence(session)).toBe(
      'Waiting for the payer to scan the QR code. 6 forged notifications say that it was paid, by rule 1 of forged-webhooks. Will fail in 3 s.',
    );
    await session.advance('PT3S');
    expect(await sentence(session)).toMatch(/Notification payment\.failed: answered 401; next attempt in \d+ s\.$/);
  });
});

it('the sentence after two equal refunds at the same time shows only the notification of the last one', async () => {
  const session = await newSession();
  await pay(session);
  await session.settle('payment-1', 'Paid');
  await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
  await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
  await session.advance('PT3S');
  const { sentence } = await session.timeline('payment-1');
  expect(textOf(sentence)).toMatch(/Notification payment\.refunded: answered 200\.$/);
});

it('the sentence about a payout names the next credit and the notification', async () => {
  const session = await newSession();
  await makePayout(session);
  const sentence = async () => textOf((await session.timeline('payout-1', 'payouts')).sentence);
  expect(await sentence()).toMatch(/ 2 credits will be paid in 1 s, as set by payoutDuration in times\.json\.$/);
  await session.settleCredit('payout-1', 2, 'Failed');
  expect(await sentence()).toMatch(/ Credit 1 will be paid in 1 s/);
  await session.settleCredit('payout-1', 1, 'Paid');
  await session.runUntilIdle();
  expect(await sentence()).toMatch(
    /^Payout partly paid by hand: .*\. Notification payout\.partly-paid: answered 200\.$/,
  );
});
