import fc from 'fast-check';
import type { PayerLimitsFixture } from '../../../../src/base/schema/generated/fixtures.ts';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { addAdjustment } from '../../../../src/server/domain/payments/add-adjustment.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import { cases } from '../../../cases.ts';
import { requireDefined, Workbench } from '../workbench.ts';

type Limits = PayerLimitsFixture['limits'];

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});

const HOUR = 3_600_000;
const MOBILE = '263770000001';

function setLimits(...limits: Limits): void {
  bench.fixtures = { ...bench.fixtures, payerLimits: { ...bench.fixtures.payerLimits, limits } };
}

const order = (amount: number, members: Parameters<Workbench['pay']>[0] = {}) =>
  bench.pay({
    channel: requireDefined(bench.fixtures.channel('mobile-money')),
    payerMobile: MOBILE,
    amount,
    ...members,
  });

const approve = (payment: Payment, members: { testCard?: string; cause?: 'payer' | 'control' } = {}) =>
  bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer', ...members }));

async function outcomeOf(amount: number, members: Parameters<Workbench['pay']>[0] = {}): Promise<string> {
  const { state, history } = await approve(await order(amount, members));
  return state === 'Paid' ? 'Paid' : `${state} ${history.at(-1)?.code}`;
}

it('no payer limits are shipped, and without limits a payment has no payer key', async () => {
  expect(bench.fixtures.payerLimits.limits).toEqual([]);
  expect(await approve(await order(100))).not.toHaveProperty('payerKey');
});

describe('a limit', () => {
  it('on a payment accepts an amount at the limit, and none above it', async () => {
    setLimits({ maxPayment: 10 });
    expect([await outcomeOf(1000), await outcomeOf(1001)]).toEqual(['Paid', 'Failed 61']);
  });

  it('on the daily amount fails the payment that exceeds it, and accepts a smaller one afterwards', async () => {
    setLimits({ channels: ['mobile-money', 'qr-wallet'], perDay: { maxAmount: 10 } });
    expect([await outcomeOf(600), await outcomeOf(500), await outcomeOf(400)]).toEqual(['Paid', 'Failed 61', 'Paid']);
  });

  it('of two payments per day fails the third one', async () => {
    setLimits({ perDay: { maxCount: 2 } });
    expect([await outcomeOf(1), await outcomeOf(1), await outcomeOf(1)]).toEqual(['Paid', 'Paid', 'Failed 65']);
  });

  it('per day starts again at midnight in local time', async () => {
    setLimits({ perDay: { maxCount: 1 } });
    bench.now = Date.parse('2026-03-01T21:59:59.999Z');
    expect([await outcomeOf(1), await outcomeOf(1)]).toEqual(['Paid', 'Failed 65']);
    bench.now += 1;
    expect([await outcomeOf(1), await outcomeOf(1)]).toEqual(['Paid', 'Failed 65']);
  });

  it('per month starts again with the next month', async () => {
    setLimits({ perMonth: { maxAmount: 10 } });
    bench.now = Date.parse('2026-03-31T21:00:00Z');
    expect([await outcomeOf(1000), await outcomeOf(1)]).toEqual(['Paid', 'Failed 61']);
    bench.now += HOUR;
    expect(await outcomeOf(1000)).toBe('Paid');
  });

  it('per rolling period stops counting a payment when the period has passed', async () => {
    setLimits({ rolling: { period: 'PT24H', maxCount: 1 } });
    expect(await outcomeOf(1)).toBe('Paid');
    bench.now += 24 * HOUR - 1;
    expect(await outcomeOf(1)).toBe('Failed 65');
    bench.now += 1;
    expect(await outcomeOf(1)).toBe('Paid');
  });

  it('per rolling period does not count payments that are in the future because the clock was set back', async () => {
    setLimits({ rolling: { period: 'PT24H', maxCount: 1 } });
    bench.now += 2 * HOUR;
    expect(await outcomeOf(1)).toBe('Paid');
    bench.now -= 1;
    expect(await outcomeOf(1)).toBe('Paid');
  });

  it('on the first payment does not apply to later ones', async () => {
    setLimits({ maxFirst: 5 });
    expect([await outcomeOf(501), await outcomeOf(500), await outcomeOf(501)]).toEqual(['Failed 61', 'Paid', 'Paid']);
  });

  it('on the first payment applies again after all payments were reversed, but not after a refund', async () => {
    setLimits({ maxFirst: 5 });
    const first = await approve(await order(500));
    const giveBack = (payment: Payment, kind: 'refund' | 'reversal') =>
      bench.transact((transaction) => addAdjustment(transaction, payment, { kind, amount: null, cause: 'control' }));
    await giveBack(first, 'reversal');
    expect(await outcomeOf(501)).toBe('Failed 61');
    await giveBack(await approve(await order(500)), 'refund');
    expect(await outcomeOf(501)).toBe('Paid');
  });

  it('is separate for each payer and environment', async () => {
    setLimits({ perDay: { maxCount: 1 } });
    expect([await outcomeOf(1), await outcomeOf(1)]).toEqual(['Paid', 'Failed 65']);
    expect(await outcomeOf(1, { payerMobile: '263770000002' })).toBe('Paid');
    expect(await outcomeOf(1, { environment: 'production' })).toBe('Paid');
  });

  it('for one payer does not affect other payers, and a limit for one channel does not affect other channels', async () => {
    const perDay = { maxCount: 1 };
    setLimits(
      { payer: { mobile: MOBILE }, perDay },
      { payer: { accountId: 7 }, perDay },
      { channels: ['card-switch'], perDay },
    );
    const other = { payerMobile: '263770000002' };
    expect([await outcomeOf(1, other), await outcomeOf(1, other)]).toEqual(['Paid', 'Paid']);
    expect([await outcomeOf(1), await outcomeOf(1)]).toEqual(['Paid', 'Failed 65']);
    const wallet = {
      channel: requireDefined(bench.fixtures.channel('qr-wallet')),
      payerMobile: null,
      payerAccountId: 7,
    };
    expect([await outcomeOf(1, wallet), await outcomeOf(1, wallet)]).toEqual(['Paid', 'Failed 65']);
  });

  it('for a test card applies to that card only, and fails a payment with the code of card channels', async () => {
    setLimits({ payer: { testCard: 'approved' }, maxPayment: 10 });
    const channel = requireDefined(bench.fixtures.channel('card-network-a'));
    const pay = async (testCard: string) => approve(await order(1001, { channel, payerMobile: null }), { testCard });
    expect((await pay('approved')).history.at(-1)).toMatchObject({ to: 'Failed', code: '800.100.162' });
    expect(await pay('challenge-passed')).toMatchObject({ state: 'Paid', testCard: 'challenge-passed' });
  });

  it('uses the code and description of its row, if the row has them', async () => {
    setLimits({ maxPayment: 1, code: '13', description: 'Wallet limit' });
    const { history } = await approve(await order(101));
    expect(history.at(-1)).toMatchObject({ code: '13', description: 'Wallet limit', cause: 'payer' });
  });

  it('does not apply to a payment that the control API decides, but counts it', async () => {
    setLimits({ perDay: { maxCount: 1 } });
    await outcomeOf(1);
    expect((await approve(await order(1), { cause: 'control' })).state).toBe('Paid');
    setLimits({ perDay: { maxCount: 2 } });
    expect(await outcomeOf(1)).toBe('Failed 65');
  });

  it('does not apply to a test payment', async () => {
    setLimits({ maxPayment: 1 });
    expect(await outcomeOf(1000, { profileId: 2 })).toBe('Paid');
  });

  it('counts refunded payments, but not reversed ones', async () => {
    setLimits({ perDay: { maxAmount: 10 } });
    const first = await approve(await order(1000));
    const refunded = await bench.transact((transaction) =>
      addAdjustment(transaction, first, { kind: 'refund', amount: 400, cause: 'control' }),
    );
    expect(await outcomeOf(400)).toBe('Failed 61');
    await bench.transact((transaction) =>
      addAdjustment(transaction, refunded, { kind: 'reversal', amount: null, cause: 'control' }),
    );
    expect([await outcomeOf(601), await outcomeOf(600)]).toEqual(['Failed 61', 'Paid']);
  });
});

describe('a balance', () => {
  it('can be used up, and money that was charged back can be spent again', async () => {
    setLimits({ balance: 10 });
    const first = await approve(await order(700));
    expect([await outcomeOf(301), await outcomeOf(300), await outcomeOf(1)]).toEqual([
      'Failed 51',
      'Paid',
      'Failed 51',
    ]);
    await bench.transact((transaction) =>
      addAdjustment(transaction, first, { kind: 'chargeback', amount: 500, cause: 'control' }),
    );
    expect([await outcomeOf(501), await outcomeOf(500)]).toEqual(['Failed 51', 'Paid']);
  });

  it('is reduced again by a reversed chargeback', async () => {
    setLimits({ balance: 10 });
    const adjust = (payment: Payment, kind: 'chargeback' | 'chargeback-reversed', amount: number) =>
      bench.transact((transaction) => addAdjustment(transaction, payment, { kind, amount, cause: 'control' }));
    await adjust(await adjust(await approve(await order(700)), 'chargeback', 500), 'chargeback-reversed', 200);
    expect([await outcomeOf(601), await outcomeOf(600)]).toEqual(['Failed 51', 'Paid']);
  });

  it('must cover the fees, too, if the payer bears them, and a refund does not return them', async () => {
    bench.fixtures = { ...bench.fixtures, ledger: { ...bench.fixtures.ledger, feesBorneBy: 'payer' } };
    setLimits({ balance: 25 });
    expect(await outcomeOf(2500)).toBe('Failed 51');
    const payment = await approve(await order(2000));
    expect(payment.state).toBe('Paid');
    await bench.transact((transaction) =>
      addAdjustment(transaction, payment, { kind: 'refund', amount: 1000, cause: 'control' }),
    );
    // 25.00 less 22.80 (20.00 with fees), plus 10.00 that was returned.
    expect([await outcomeOf(982), await outcomeOf(981)]).toEqual(['Failed 51', 'Paid']);
  });

  it('can be set by a scenario, for the payments that its rules match', async () => {
    const outcomePlan = { balance: '10.00' };
    expect([await outcomeOf(1000, { outcomePlan }), await outcomeOf(1, { outcomePlan })]).toEqual([
      'Paid',
      'Failed 51',
    ]);
    expect(await outcomeOf(5000)).toBe('Paid');
  });
});

it('a payment fails if and only if it exceeds a payer limit, for any payments and reversals', async () => {
  const step = fc.record({
    amount: fc.integer({ min: 1, max: 600 }),
    payer: fc.constantFrom('263770000001', '263770000002'),
    hours: fc.integer({ min: 0, max: 30 }),
    reverses: fc.boolean(),
  });
  const [maxAmount, maxCount, rollingAmount] = [1000, 3, 1200];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      bench = await Workbench.open();
      setLimits(
        { perDay: { maxAmount: maxAmount / 100, maxCount } },
        { rolling: { period: 'PT36H', maxAmount: rollingAmount / 100 } },
      );
      const payments: { payer: string; at: number; amount: number }[] = [];
      for (const { amount, payer, hours, reverses } of steps) {
        bench.now += hours * HOUR;
        const local = (at: number) => Math.floor((at + 2 * HOUR) / (24 * HOUR));
        const ofPayer = payments.filter((each) => each.payer === payer);
        const today = ofPayer.filter(({ at }) => local(at) === local(bench.now));
        const sum = (counted: typeof ofPayer) => counted.reduce((added, each) => added + each.amount, 0);
        const recent = ofPayer.filter(({ at }) => bench.now - at < 36 * HOUR);
        const fits =
          sum(today) + amount <= maxAmount && today.length < maxCount && sum(recent) + amount <= rollingAmount;
        const payment = await approve(await order(amount, { payerMobile: payer }));
        expect(payment.state).toBe(fits ? 'Paid' : 'Failed');
        if (fits && reverses) {
          await bench.transact((transaction) =>
            addAdjustment(transaction, payment, { kind: 'reversal', amount: null, cause: 'control' }),
          );
        } else if (fits) {
          payments.push({ payer, at: bench.now, amount });
        }
      }
    }),
    { numRuns: cases(40) },
  );
});
