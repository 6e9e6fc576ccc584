import fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { saveLink } from '../../../../src/server/domain/payment-links/payment-links.ts';
import { decidePaymentJob } from '../../../../src/server/domain/payments/decide-payment-job.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import type { LocalJob } from '../../../../src/server/sessions/job.ts';
import { cases } from '../../../cases.ts';
import { LINK, refusalOf, requireDefined, Workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});

const job = decidePaymentJob as LocalJob<'payments'>;

type LinkType = 'ONCE_OFF_FIXED' | 'OPEN_FIXED_AMOUNT';
const save = (type: LinkType = 'ONCE_OFF_FIXED', id = '') =>
  bench.transact((transaction) => saveLink(transaction, bench.merchant(), { ...LINK, type, id }));
const startPayment = (originId: string, channelId = 'qr-wallet', members: object = {}) =>
  bench.pay({ origin: 'link', originId, channel: requireDefined(bench.fixtures.channel(channelId)), ...members });
const decide = (id: string, to: 'Paid' | 'Failed', cause: 'payer' | 'control' | 'scenario' = 'payer') =>
  bench.transact(async (transaction) =>
    decidePayment(transaction, requireDefined(await transaction.get('payments', id)), { to, cause }),
  );
const stateOf = (id: string) =>
  bench.transact(async (transaction) => requireDefined(await transaction.get('payments', id)).state);

it('a once-off link is paid once: the first paid payment cancels the others, and its event precedes theirs', async () => {
  const link = await save();
  const channels = bench.fixtures.channels.channels.map(({ id }) => id);
  const payments: Payment[] = [];
  for (const channel of channels) {
    payments.push(await startPayment(link.id, channel));
  }
  const [first, second, ...others] = payments.map(({ id }) => id);
  await decide(requireDefined(first), 'Failed');
  bench.events.length = 0;
  await decide(requireDefined(second), 'Paid');
  expect(bench.events.map(({ type, subjectId }) => [type, subjectId])).toEqual([
    ['payment.paid', second],
    ...others.map((id) => ['payment.cancelled', id]),
  ]);
  const [cancelled] = await Promise.all(others.map(stateOf));
  expect([await stateOf(requireDefined(first)), cancelled]).toEqual(['Failed', 'Cancelled']);
});

it('a once-off link cancels its other payments when one is paid by the payer, a control call or a scheduled outcome', async () => {
  for (const cause of ['payer', 'control', 'scheduler'] as const) {
    const link = await save();
    const outcomePlan = cause === 'scheduler' ? { settle: { outcome: 'Paid', after: 'PT1S' } } : {};
    const payment = await startPayment(link.id, 'mobile-money', { outcomePlan });
    const other = await startPayment(link.id, 'card-switch');
    if (cause === 'scheduler') {
      bench.now += 1000;
      await bench.transact((transaction) => job.run(transaction, payment));
    } else {
      await decide(payment.id, 'Paid', cause);
    }
    expect([cause, await stateOf(payment.id), await stateOf(other.id)]).toEqual([cause, 'Paid', 'Cancelled']);
  }
});

it('a once-off link accepts no payment after it is paid', async () => {
  const link = await save();
  await decide((await startPayment(link.id)).id, 'Paid');
  const refusal = await refusalOf(startPayment(link.id));
  expect([refusal.kind, refusal.message]).toEqual([
    'conflict',
    'payment link 1 cannot be paid: it has already been paid',
  ]);
});

it('a link accepts no payment before its start date or after its end date', async () => {
  const link = await save();
  bench.now = Date.parse('2025-12-31T21:59:59.999Z');
  expect((await refusalOf(startPayment(link.id))).message).toContain('its start date is in the future');
  bench.now = Date.parse('2030-12-31T22:00:00.000Z');
  expect((await refusalOf(startPayment(link.id))).message).toContain('its end date has passed');
});

it('a payment of a paid link is cancelled instead of paid, and a control call to pay it is refused', async () => {
  // The link is paid, then reopened for two more payments, and then made once-off again.
  const link = await save();
  await decide((await startPayment(link.id)).id, 'Paid');
  await save('OPEN_FIXED_AMOUNT', link.id);
  const [first, second] = [await startPayment(link.id), await startPayment(link.id, 'card-switch')];
  await save('ONCE_OFF_FIXED', link.id);
  expect((await decide(first.id, 'Paid', 'scenario')).history.at(-1)).toMatchObject({
    to: 'Cancelled',
    cause: 'scenario',
    description: 'The payment link has already been paid',
  });
  expect((await refusalOf(decide(second.id, 'Paid', 'control'))).kind).toBe('conflict');
  expect(await stateOf(second.id)).toBe('Processing');
});

it('a paid payment cancels neither other payments of an open link nor charges of a recurring payment with the id of its link', async () => {
  const open = await save('OPEN_FIXED_AMOUNT');
  const onceOff = await save();
  const [one, two] = [await startPayment(open.id), await startPayment(open.id)];
  const charge = await bench.pay({ origin: 'recurring', originId: onceOff.id });
  await decide(one.id, 'Paid');
  await decide((await startPayment(onceOff.id)).id, 'Paid');
  expect([await stateOf(two.id), await stateOf(charge.id)]).toEqual(['Processing', 'Processing']);
});

it('a once-off link is paid at most once, for any order of starts and decisions', async () => {
  const steps = fc.array(fc.record({ action: fc.constantFrom('start', 'Paid', 'Failed'), index: fc.nat(9) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      bench = await Workbench.open();
      const link = await save();
      const payments: string[] = [];
      for (const { action, index } of all) {
        const id = payments[index % Math.max(payments.length, 1)];
        if (action === 'start') {
          await startPayment(link.id).then(
            (payment) => payments.push(payment.id),
            () => undefined,
          );
        } else if (id !== undefined) {
          await decide(id, action as 'Paid' | 'Failed').catch(() => undefined);
        }
      }
      const states = await Promise.all(payments.map(stateOf));
      const paidCount = states.filter((state) => state === 'Paid').length;
      expect(paidCount).toBeLessThanOrEqual(1);
      expect(paidCount === 1 && states.includes('Processing')).toBe(false);
    }),
    { numRuns: cases(50) },
  );
});
