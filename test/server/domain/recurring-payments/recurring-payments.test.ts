import fc from 'fast-check';
import type { PaymentToken, RecurringPayment } from '../../../../src/base/schema/generated/records.ts';
import { addDays, addDuration, endOfDay, formatUtc } from '../../../../src/base/time.ts';
import { requestPaymentToken } from '../../../../src/server/domain/payment-tokens/payment-tokens.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import {
  addRecurringPayment,
  channelOfRecurring,
  chargeRecurringPayment,
  failRecurringPayment,
} from '../../../../src/server/domain/recurring-payments/recurring-payments.ts';
import type { RecurringOrder } from '../../../../src/server/domain/recurring-payments/recurring-rules.ts';
import { cases } from '../../../cases.ts';
import { refusalOf, requireDefined, Workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});

const tokenOf = (members: Partial<PaymentToken> = {}) =>
  bench.transact((transaction) =>
    requestPaymentToken(transaction, bench.merchant(), {
      environment: 'sandbox',
      reference: 'TOKEN-1',
      channel: null,
      walletName: null,
      ...members,
    }),
  );

async function add(members: Partial<RecurringOrder> = {}): Promise<RecurringPayment> {
  const paymentToken = members.paymentToken ?? (await tokenOf()).token;
  return bench.transact((transaction) =>
    addRecurringPayment(transaction, {
      environment: 'sandbox',
      merchant: bench.merchant(),
      intervalId: 1,
      intervalName: 'Monthly',
      reference: 'SUBSCRIPTION-1',
      description: '',
      startDate: '2026-03-01',
      expiryDate: '2030-12-31',
      currency: 'USD',
      amount: 1500,
      profileId: 1,
      accountId: 7,
      ...members,
      paymentToken,
    }),
  );
}

/** Rejects with a Refusal if the charge cannot be made. */
const charge = ({ id }: RecurringPayment) =>
  bench.transact(async (transaction) => {
    const recurring = requireDefined(await transaction.get('recurringPayments', id));
    const channel = await channelOfRecurring(transaction, recurring);
    return chargeRecurringPayment(transaction, recurring, channel, {});
  });
const storedRecurring = ({ id }: RecurringPayment) =>
  bench.transact(async (transaction) => requireDefined(await transaction.get('recurringPayments', id)));

/** A token that was requested together with a payment on the QR wallet. */
async function tokenWithPayment(walletName: string) {
  const token = await tokenOf({ channel: 'qr-wallet', walletName });
  const payment = await bench.pay({ origin: 'token', originId: token.id, walletName });
  const decide = (to: 'Paid' | 'Failed' | 'Cancelled' | 'Expired') =>
    bench.transact((transaction) => decidePayment(transaction, payment, { to, cause: 'payer' }));
  return { token: token.token, decide };
}

describe('a new recurring payment', () => {
  it('that breaks rules is refused, and the refusal lists each of them with its path', async () => {
    const refusal = await refusalOf(
      add({
        intervalId: 9,
        startDate: '2026-04-01',
        expiryDate: '2026-03-31',
        currency: 'XXX',
        profileId: 77,
        paymentToken: 'nobody-has-this',
      }),
    );
    expect(refusal.kind).toBe('business-rule');
    expect(refusal.findings.map(({ path, received }) => [path, received])).toEqual([
      ['$.intervalId', 'number 9'],
      ['$.expiryDate', 'string "2026-03-31"'],
      ['$.profileId', 'number 77'],
      ['$.paymentToken', 'a string (not repeated here), which it does not have'],
      ['$.currency', 'string "XXX"'],
    ]);
    expect(refusal.message).not.toContain('nobody-has-this');
  });

  it.each([
    ['an amount outside the limits', { amount: 100_000_001 }, '$.amount'],
    ['an amount of zero', { amount: 0 }, '$.amount'],
    ['a token of the other environment', { environment: 'production' as const }, '$.paymentToken'],
  ])('is refused for %s', async (_title, members, path) => {
    expect((await refusalOf(add(members))).findings.map((finding) => finding.path)).toEqual([path]);
  });

  it('is refused if its token has expired', async () => {
    const { token, expiresAt } = await tokenOf();
    bench.now = expiresAt;
    const [finding] = (await refusalOf(add({ paymentToken: token }))).findings;
    expect(finding?.received).toBe('a string (not repeated here), which expired at 2027-03-01T10:00:00.000Z');
  });

  it('is refused if the payment made with its token was not paid, and accepted while that payment may still be paid', async () => {
    for (const outcome of ['Failed', 'Cancelled', 'Expired'] as const) {
      const { token, decide } = await tokenWithPayment('WALLET_QR');
      await decide(outcome);
      const [finding] = (await refusalOf(add({ paymentToken: token }))).findings;
      expect(finding?.received).toContain(`which came with a payment that is ${outcome}`);
    }
    const { token } = await tokenWithPayment('WALLET_QR');
    expect((await add({ paymentToken: token })).state).toBe('Active');
  });

  it('is refused if the fees of its channel have ended by the first charge, even if they apply today', async () => {
    const fees = bench.fixtures.fees.fees.map((row) => ({ ...row, feesEndDate: '2026-06-01T00:00:00.000+02:00' }));
    bench.fixtures = { ...bench.fixtures, fees: { fees } };
    const [finding] = (await refusalOf(add({ startDate: '2026-06-01' }))).findings;
    expect(finding).toMatchObject({ path: '$.currency', received: expect.stringContaining('ended on 2026-06-01') });
    expect((await add({ startDate: '2026-05-31' })).state).toBe('Active');
  });

  it.each(['M-1007', 'M-1008', 'M-1009'])('is refused for merchant %s, which may not trade', async (id) => {
    expect((await refusalOf(add({ merchant: bench.merchant(id) }))).kind).toBe('merchant-not-activated');
  });
});

describe('a charge', () => {
  it('has the wallet name that the merchant used for the token', async () => {
    const { token, decide } = await tokenWithPayment('<wallet_qr>');
    await decide('Paid');
    const payment = await charge(await add({ paymentToken: token }));
    expect([payment.channel, payment.walletName]).toEqual(['qr-wallet', '<wallet_qr>']);
    const other = await charge(await add());
    expect([other.channel, other.walletName]).toEqual(['card-network-a', 'WALLET_CARD_A']);
  });

  it('is planned to be paid at once if no rule plans an outcome', async () => {
    const recurring = await add();
    const payment = await bench.transact(async (transaction) =>
      chargeRecurringPayment(transaction, recurring, await channelOfRecurring(transaction, recurring), {
        settle: undefined,
        webhookBehaviour: { mode: 'normal' },
      }),
    );
    expect(payment.plannedOutcome).toMatchObject({ outcome: 'Paid', at: bench.now });
  });

  it('is made on the start date and then every N days, regardless of the calendar, until the expiry date', async () => {
    const start = Date.parse('2026-01-31T00:00:00.000+02:00');
    const DAY = 86_400_000;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bench.fixtures.paymentIntervals.paymentIntervals),
        fc.integer({ min: 0, max: 300 }),
        async ({ id, paymentIntervalName, paymentIntervalDuration: days }, length) => {
          bench.now = start - DAY;
          const recurring = await add({
            intervalId: id,
            intervalName: paymentIntervalName,
            startDate: '2026-01-31',
            expiryDate: new Date(start + length * DAY + DAY / 2).toISOString().slice(0, 10),
          });
          const chargeDays: number[] = [];
          for (let next = recurring.dueAt; next !== null; next = (await storedRecurring(recurring)).dueAt) {
            chargeDays.push((next - start) / DAY);
            bench.now = next;
            await charge(recurring);
          }
          const expected = Array.from({ length: Math.floor(length / days) + 1 }, (_, index) => index * days);
          expect(chargeDays).toEqual(expected);
          expect((await storedRecurring(recurring)).state).toBe('Completed');
        },
      ),
      { numRuns: cases(15) },
    );
  });

  it('is possible on every due date until the expiry date, however short the lifetime of tokens', async () => {
    const days = fc.integer({ min: 0, max: 2000 });
    const lifetimes = fc.constantFrom('PT1S', 'P1D', 'P365D', 'P10Y');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Quartely', 'Annually'),
        days,
        days,
        lifetimes,
        async (name, first, length, lifetime) => {
          bench = await Workbench.open();
          changeFixtures({ times: { ...bench.fixtures.times, paymentTokenLifetime: lifetime } });
          const token = await tokenOf();
          const [startDate = '', expiryDate = ''] = [first, first + length].map((daysFromNow) =>
            formatUtc(addDays(bench.now, daysFromNow)).slice(0, 10),
          );
          const intervalId = name === 'Annually' ? 5 : 4;
          const dates = { startDate, expiryDate, intervalId, intervalName: name };
          const recurring = await add({ ...dates, paymentToken: token.token });
          for (let next = recurring.dueAt; next !== null; next = (await storedRecurring(recurring)).dueAt) {
            bench.now = next;
            await charge(recurring);
          }
          expect(await storedRecurring(recurring)).toMatchObject({
            state: 'Completed',
            charges: Math.floor(length / (name === 'Annually' ? 365 : 91)) + 1,
          });
          const { expiresAt } = await bench.transact(async (transaction) =>
            requireDefined(await transaction.get('paymentTokens', token.id)),
          );
          expect(expiresAt).toBe(Math.max(token.expiresAt, endOfDay(expiryDate, '+02:00')));
        },
      ),
      { numRuns: cases(25) },
    );
  });

  it('of a monthly payment on its start date, 31 January, is followed by a charge on 2 March', async () => {
    bench.now = Date.parse('2026-01-31T08:00:00.000Z');
    const recurring = await add({ startDate: '2026-01-31' });
    await charge(recurring);
    expect((await storedRecurring(recurring)).dueAt).toBe(Date.parse('2026-03-02T00:00:00.000+02:00'));
  });

  it.each<[string, (recurring: RecurringPayment) => void, string]>([
    [
      'the token has expired',
      () => {
        bench.now = addDuration(bench.now, 'P10Y');
      },
      'the payment token expired',
    ],
    [
      'the merchant no longer exists',
      () => changeFixtures({ merchant: () => undefined }),
      'merchant M-1000 is no longer known',
    ],
    [
      'the merchant is no longer approved',
      () => {
        const merchant = { ...bench.merchant(), approved: false };
        changeFixtures({ merchant: () => merchant });
      },
      'merchant M-1000 is not approved; a merchant needs to be activated and approved for this',
    ],
    [
      'the fees no longer exist',
      () => changeFixtures({ fees: { fees: [] } }),
      '$.currency: expected a currency with fees in force on card-network-a (fixtures/fees.json), received string "USD", which has no fees on card-network-a',
    ],
  ])('is not made when %s, and nothing changes', async (_title, applyChange, reason) => {
    const recurring = await add();
    bench.events.length = 0;
    applyChange(recurring);
    expect((await refusalOf(charge(recurring))).message).toBe(reason);
    expect([await storedRecurring(recurring), bench.events]).toEqual([recurring, []]);
  });

  it('is not made until the payment that was made with the token is paid', async () => {
    const { token, decide } = await tokenWithPayment('WALLET_QR');
    const recurring = await add({ paymentToken: token });
    expect((await refusalOf(charge(recurring))).message).toBe(
      'the payment made with the payment token is Processing, not Paid',
    );
    await decide('Paid');
    expect((await charge(recurring)).payerReference).toBe('SUBSCRIPTION-1');
  });

  it('that cannot be made ends the recurring payment, which records the time and the reason', async () => {
    const recurring = await add();
    bench.events.length = 0;
    await bench.transact((transaction) => failRecurringPayment(transaction, recurring, 'the payment token expired'));
    expect(await storedRecurring(recurring)).toEqual({
      ...recurring,
      state: 'Failed',
      dueAt: null,
      failure: { at: bench.now, reason: 'the payment token expired' },
    });
    expect(bench.events).toMatchObject([
      { type: 'recurring.failed', subjectId: recurring.id, data: { reason: 'the payment token expired' } },
    ]);
    expect((await refusalOf(charge(recurring))).kind).toBe('conflict');
  });
});

function changeFixtures(fixtures: Partial<Workbench['fixtures']>): void {
  bench.fixtures = { ...bench.fixtures, ...fixtures };
}
