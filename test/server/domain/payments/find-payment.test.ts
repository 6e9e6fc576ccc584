import fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { loadFixtures } from '../../../../src/server/config/fixtures.ts';
import { findPayment } from '../../../../src/server/domain/payments/find-payment.ts';
import type { Transaction } from '../../../../src/server/sessions/transaction.ts';
import { cases } from '../../../cases.ts';
import { payment } from '../../store/samples.ts';
import { refusalOf, requireDefined } from '../workbench.ts';

const find = async (...query: Parameters<typeof findPayment>) => findPayment(...query);

const fixtures = await loadFixtures();
const references = fc.constantFrom('A', 'B', '111', '222');
const mobiles = fc.constantFrom('263770000001', '263770000002');
const facts = fc.record({
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
  merchantId: fc.constantFrom('M-1000', 'M-1001'),
  channel: fc.constantFrom('qr-wallet', 'mobile-money'),
  payerReference: references,
  paymentId: fc.option(references),
  paymentCode: fc.option(references),
  payerMobile: fc.option(mobiles),
});
const queries = fc.record({
  reference: references,
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
  channel: fc.constantFrom('qr-wallet', 'mobile-money').map((id) => requireDefined(fixtures.channel(id))),
  mobile: fc.option(mobiles),
  code: fc.option(references),
  merchantId: fc.constant('M-1000'),
});

/** A transaction that finds these payments by a field, oldest first. */
function transactionWith(payments: readonly Payment[]): Transaction {
  const find = (_collection: string, field: keyof Payment, value: string) =>
    payments.filter((each) => each[field] === value);
  return { find } as unknown as Transaction;
}

const withIds = (all: readonly Partial<Payment>[]) =>
  all.map((each, index) => payment(`payment-${index + 1}`, { ...each, createdAt: 0 }));

it('a status query finds the newest payment that matches environment, channel, mobile and code, by any of its three references', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { maxLength: 12 }), queries, async (all, query) => {
      const payments = withIds(all);
      const { reference, environment, channel, mobile, code } = query;
      const expected = payments.findLast(
        (each) =>
          [each.paymentId, each.paymentCode, each.payerReference].includes(reference) &&
          each.merchantId === 'M-1000' &&
          each.environment === environment &&
          each.channel === channel.id &&
          (mobile === null || each.payerMobile === null || each.payerMobile === mobile) &&
          (code === null || each.paymentCode === null || each.paymentCode === code),
      );
      const finding = find(transactionWith(payments), query);
      if (expected) {
        expect(await finding).toBe(expected);
      } else {
        expect((await refusalOf(finding)).kind).toBe('unknown-record');
      }
    }),
    { numRuns: cases(500) },
  );
});

it('the newest of the payments found by different fields has the highest number: payment-11 is newer than payment-9', async () => {
  const order = { channel: 'qr-wallet', payerReference: 'A' };
  const payments = withIds([...Array(8).fill(order), { ...order, paymentCode: 'A' }, order, order]);
  const query = { merchantId: 'M-1000', reference: 'A', mobile: null, code: null };
  const channel = requireDefined(fixtures.channel('qr-wallet'));
  const newest = findPayment(transactionWith(payments), { ...query, environment: 'sandbox', channel });
  expect(newest.id).toBe('payment-11');
});

it.each<[string, Partial<Payment>, string]>([
  ['its environment', { environment: 'production' }, 'is a production payment'],
  ['its channel', { channel: 'card-switch', walletName: 'WALLET_SWITCH' }, 'was made with walletName WALLET_SWITCH'],
  ['its mobile number', { payerMobile: '263770000002' }, 'has another paymentMobile than the one sent'],
  ['its code', { paymentCode: '999999999' }, 'has another transactionCode than the one sent'],
])('a payment that differs in %s is reported without its mobile number and code', async (_title, other, words) => {
  const stored = { channel: 'qr-wallet', payerReference: 'A', payerMobile: '263770000001', paymentCode: '123456789' };
  const refusal = await refusalOf(
    find(transactionWith(withIds([{ ...stored, ...other }])), {
      merchantId: 'M-1000',
      environment: 'sandbox',
      channel: requireDefined(fixtures.channel('qr-wallet')),
      reference: 'A',
      mobile: '263770000001',
      code: '123456789',
    }),
  );
  expect(refusal.message).toBe(
    `merchant M-1000 has no sandbox payment with reference "A" on QR wallet; the closest with this reference ${words}`,
  );
});

it('a payment of another merchant is reported as unknown', async () => {
  const refusal = await refusalOf(
    find(transactionWith(withIds([{ merchantId: 'M-1001', payerReference: 'A' }])), {
      merchantId: 'M-1000',
      environment: 'sandbox',
      channel: requireDefined(fixtures.channel('qr-wallet')),
      reference: 'A',
      mobile: null,
      code: null,
    }),
  );
  expect(refusal.message).toBe('merchant M-1000 has no sandbox payment with reference "A" on QR wallet');
});
