import type { Payment, PaymentLink } from '../../../../src/base/schema/generated/records.ts';
import { balanceOf } from '../../../../src/server/domain/books/ledger/account-balances.ts';
import { closeAll } from '../../../../src/server/domain/books/settlements/settlements.ts';
import { saveLink } from '../../../../src/server/domain/payment-links/payment-links.ts';
import { remainderOf } from '../../../../src/server/domain/payments/adjustments.ts';
import type { LateOutcomeRule } from '../../../../src/server/domain/payments/late-outcome.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import { filePlanOf } from '../../../../src/server/domain/scenarios/file-plan.ts';
import { paymentNotification } from '../../../../src/server/domain/wire/notification.ts';
import { check, postedBalances, runDue } from '../books/books-under-test.ts';
import { LINK, refusalOf, requireDefined, Workbench } from '../workbench.ts';

const HOUR = 3_600_000;
const SECOND = 1000;
const PAID_LATE: LateOutcomeRule = { outcome: 'Paid', after: 'PT1H' };
const FAILED_LATE: LateOutcomeRule = {
  outcome: 'Failed',
  after: 'PT1H',
  code: '91',
  description: 'No answer from the issuer',
};
const LATE_RULE = 'rule 1 of late';

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});

type Order = Parameters<Workbench['pay']>[0];

async function decidedPayment(
  to: 'Paid' | 'Failed' | 'Cancelled' | 'Expired',
  lateOutcome: LateOutcomeRule,
  { outcomePlan, ...order }: NonNullable<Order> = {},
): Promise<Payment> {
  const payment = await bench.pay({
    ...order,
    outcomePlan: { lateOutcome, decidedBy: LATE_RULE, ...outcomePlan },
  });
  return bench.transact((transaction) => decidePayment(transaction, payment, { to, cause: 'payer' }));
}

const balances = async () =>
  Object.fromEntries((await postedBalances(bench)).map((account) => [account.account, balanceOf(account)]));

const differences = async () => (await check(bench)).differences;

describe.each(['Failed', 'Expired'] as const)('a payment that is %s and paid late', (to) => {
  it('waits until its late success, and is then paid by the scenario, with a ledger entry', async () => {
    const before = await decidedPayment(to, PAID_LATE);
    expect([before.state, before.plannedOutcome?.outcome, before.dueAt]).toEqual([to, 'Paid', bench.now + HOUR]);
    const payment = await runDue(bench, before);
    expect([payment.state, payment.dueAt, payment.plannedOutcome, payment.lateOutcome]).toEqual([
      'Paid',
      null,
      null,
      undefined,
    ]);
    expect(payment.history.at(-1)).toMatchObject({ from: to, to: 'Paid', at: bench.now, move: 1, cause: 'scenario' });
    expect(payment.history.at(-1)?.decidedBy).toBe(LATE_RULE);
    expect(bench.events.filter(({ type }) => type.startsWith('payment.')).map(({ type }) => type)).toEqual([
      'payment.created',
      `payment.${to.toLowerCase()}`,
      'payment.paid',
    ]);
    expect(await balances()).toMatchObject({ 'payers:qr-wallet': -1000, 'merchant:M-1000': 760 });
    expect(await differences()).toEqual([]);
  });
});

it('a late payment belongs to the business day on which it was paid, not to the one on which it failed', async () => {
  const before = await decidedPayment('Failed', { outcome: 'Paid', after: 'P2D' });
  await runDue(bench, before);
  const settlements = await bench.transact((transaction) => transaction.all('settlements'));
  expect(settlements.map(({ businessDate, firstMove }) => [businessDate, firstMove])).toEqual([['2026-03-03', 1]]);
});

it('no late success follows a cancellation or a success, and no late failure follows a failure', async () => {
  for (const to of ['Cancelled', 'Paid'] as const) {
    const { plannedOutcome, lateOutcome, dueAt } = await decidedPayment(to, PAID_LATE);
    expect([plannedOutcome, lateOutcome, dueAt]).toEqual([null, undefined, null]);
  }
  const { plannedAdjustments, dueAt } = await decidedPayment('Failed', FAILED_LATE);
  expect([plannedAdjustments, dueAt]).toEqual([undefined, null]);
});

it('the delays of planned adjustments count from a late success', async () => {
  const adjustments = [{ kind: 'refund', after: 'PT10S', amount: '4.00' }] as const;
  const payment = await runDue(bench, await decidedPayment('Failed', PAID_LATE, { outcomePlan: { adjustments } }));
  expect(payment.dueAt).toBe(bench.now + 10 * SECOND);
  const refunded = await runDue(bench, payment);
  expect([refunded.state, remainderOf(refunded).left.amount]).toEqual(['Paid', 600]);
  expect(await differences()).toEqual([]);
});

describe('a once-off link', () => {
  const save = () => bench.transact((transaction) => saveLink(transaction, bench.merchant(), LINK));
  const ofLink = ({ id }: PaymentLink) => ({ origin: 'link', originId: id }) as const;
  const isPaid = async ({ id }: PaymentLink) =>
    (await bench.transact((transaction) => transaction.get('links', id)))?.paid;

  it.each(['Failed', 'Expired'] as const)('is paid again by the late success of a payment that was %s', async (to) => {
    const link = await save();
    const latePayment = await decidedPayment(to, PAID_LATE, ofLink(link));
    const first = await decidedPayment('Paid', PAID_LATE, ofLink(link));
    const second = await runDue(bench, latePayment);
    expect([first.state, second.state, await isPaid(link)]).toEqual(['Paid', 'Paid', true]);
    expect(bench.events.filter(({ type }) => type === 'payment.paid').map(({ subjectId }) => subjectId)).toEqual([
      first.id,
      second.id,
    ]);
    expect(await balances()).toMatchObject({ 'payers:qr-wallet': -2000, 'merchant:M-1000': 1520 });
    const closed = await bench.transact((transaction) => closeAll(transaction, {}, filePlanOf));
    expect(closed.map(({ state, totals }) => [state, totals?.transferred])).toEqual([['InTransit', 1520]]);
    expect(await differences()).toEqual([]);
  });

  it('is paid by a late success, which cancels the open payments of the link', async () => {
    const link = await save();
    const latePayment = await decidedPayment('Failed', PAID_LATE, ofLink(link));
    const open = await bench.pay(ofLink(link));
    await runDue(bench, latePayment);
    const after = await bench.transact((transaction) => transaction.get('payments', open.id));
    expect([after?.state, await isPaid(link)]).toEqual(['Cancelled', true]);
  });

  it('can be paid again after the late failure of its only payment', async () => {
    const link = await save();
    await runDue(bench, await decidedPayment('Paid', FAILED_LATE, ofLink(link)));
    expect(await isPaid(link)).toBe(false);
    const secondPayment = await decidedPayment('Paid', PAID_LATE, ofLink(link));
    expect([secondPayment.state, await isPaid(link)]).toEqual(['Paid', true]);
    expect(await differences()).toEqual([]);
  });

  it('remains paid after the late failure of one of its two payments', async () => {
    const link = await save();
    const latePayment = await decidedPayment('Failed', PAID_LATE, ofLink(link));
    const failing = await decidedPayment('Paid', { ...FAILED_LATE, after: 'PT2H' }, ofLink(link));
    await runDue(bench, latePayment);
    const failed = await runDue(bench, failing);
    expect([failed.state, await isPaid(link)]).toEqual(['Failed', true]);
    expect(await differences()).toEqual([]);
  });

  it('can be paid again after a payment that was partly refunded fails late', async () => {
    const outcomePlan = { adjustments: [{ kind: 'refund', after: 'PT10S', amount: '4.00' }] } as const;
    const link = await save();
    await runDue(
      bench,
      await runDue(bench, await decidedPayment('Paid', FAILED_LATE, { ...ofLink(link), outcomePlan })),
    );
    expect(await isPaid(link)).toBe(false);
  });
});

it('a late failure returns the whole payment with its fees, and reports Failed', async () => {
  const failed = await runDue(bench, await decidedPayment('Paid', FAILED_LATE));
  expect([failed.state, remainderOf(failed).left.amount, failed.dueAt]).toEqual(['Failed', 0, null]);
  expect(failed.history.map(({ from, to, move }) => [from, to, move])).toEqual([
    [null, 'Processing', undefined],
    ['Processing', 'Paid', 1],
    ['Paid', 'Failed', 2],
  ]);
  expect(paymentNotification(failed, bench.fixtures)).toMatchObject({
    status: 'Failed',
    description: 'No answer from the issuer',
    paymentAmount: 10,
    paymentCharges: 2.4,
  });
  expect(bench.events.at(-1)).toMatchObject({ type: 'payment.failed', data: { code: '91', amount: '10.00' } });
  expect(Object.values(await balances()).every((balance) => balance === 0)).toBe(true);
  expect(await differences()).toEqual([]);
});

it('a late failure returns only the amount that a refund left', async () => {
  const outcomePlan = { adjustments: [{ kind: 'refund', after: 'PT10S', amount: '4.00' }] } as const;
  const refunded = await runDue(bench, await decidedPayment('Paid', FAILED_LATE, { outcomePlan }));
  const failed = await runDue(bench, refunded);
  expect(failed.adjustments?.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['refund', 400],
    ['late-failure', 600],
  ]);
  expect(failed.state).toBe('Failed');
  expect(await differences()).toEqual([]);
});

it('a failed payment cannot be paid by hand, and the refusal names the scenario late-success', async () => {
  const failed = await decidedPayment('Failed', FAILED_LATE);
  const paying = bench.transact((transaction) => decidePayment(transaction, failed, { to: 'Paid', cause: 'control' }));
  expect((await refusalOf(paying)).message).toBe(
    'payment-1 is Failed and cannot become Paid by hand; scenario late-success pays such payments late',
  );
  expect(requireDefined(failed.history.at(-1)).to).toBe('Failed');
});
