import fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { type AccountBalance, Balances } from '../../../../src/server/domain/books/ledger/account-balances.ts';
import { checkBooks } from '../../../../src/server/domain/books/ledger/check-books.ts';
import type { EntriesOf } from '../../../../src/server/domain/books/ledger/ledger-entries.ts';
import { entriesBetween } from '../../../../src/server/domain/books/ledger/walk-records.ts';
import { decidePaymentJob } from '../../../../src/server/domain/payments/decide-payment-job.ts';
import type { PaymentOrder } from '../../../../src/server/domain/payments/initiate-payment.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import { initiatePayout, type PayoutOrder } from '../../../../src/server/domain/payouts/initiate-payout.ts';
import type { LocalJob } from '../../../../src/server/sessions/job.ts';
import { requireDefined, Workbench } from '../workbench.ts';

const CHANNELS = ['qr-wallet', 'mobile-money', 'card-switch'] as const;
const OUTCOMES = ['Paid', 'Paid', 'Paid', 'Failed', 'Cancelled'] as const;

/** A payment of a random history. */
export interface RandomPayment {
  amount: number;
  channel: number;
  /** Weights of the receivers; empty for a single payment. */
  split: number[];
  currency: string;
  environment: Payment['environment'];
  outcome: number;
  isTest: boolean;
  /** Its late outcome, if any. */
  late: 'Paid' | 'Failed' | null;
}

export const anyPayment: fc.Arbitrary<RandomPayment> = fc.record({
  amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100_000_000 })),
  channel: fc.nat(2),
  split: fc.oneof(fc.constant<number[]>([]), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 4 })),
  currency: fc.constantFrom('USD', 'ZZZ'),
  environment: fc.constantFrom('production', 'sandbox'),
  outcome: fc.nat(OUTCOMES.length - 1),
  isTest: fc.boolean(),
  late: fc.constantFrom('Paid', 'Failed', null),
});

/** Terms of fees and payouts; many of the fees cannot be divided without rounding. */
export const anyFeeTerms = fc.record({
  feesBorneBy: fc.constantFrom('merchant', 'payer'),
  splitFees: fc.constantFrom('pro-rata', 'initiator'),
  markUp: fc.integer({ min: 0, max: 999 }).map((hundredths) => hundredths / 100),
  payoutDebit: fc.constantFrom('merchant', 'merchant', 'bank'),
  payoutFunds: fc.constantFrom('unlimited', 'enforced'),
  payoutFee: fc.integer({ min: 0, max: 50 }).map((cents) => cents / 100),
  flat: fc.integer({ min: 0, max: 300 }).map((cents) => cents / 100),
});

/** A workbench with a second currency, and with these terms. */
export async function openBooks(
  terms: typeof anyFeeTerms extends fc.Arbitrary<infer T> ? T : never,
): Promise<Workbench> {
  const bench = await Workbench.open();
  const { fixtures } = bench;
  const { markUp: _, flat: __, payoutFee: ___, ...ledger } = terms;
  const [dollar] = fixtures.currencies.currencies;
  const fees = fixtures.fees.fees.flatMap((row) =>
    [1, 2].map((feesCurrencyId) => ({
      ...row,
      feesCurrencyId,
      feesMinAmount: 0,
      ...(row.channel === 'payout'
        ? { feesServiceProviderFee: terms.payoutFee }
        : { feesMarkUp: terms.markUp, feesServiceProviderFee: terms.flat }),
    })),
  );
  bench.fixtures = {
    ...fixtures,
    ledger: { ...fixtures.ledger, ...ledger },
    adjustments: {
      ...fixtures.adjustments,
      reversal: { ...fixtures.adjustments.reversal, inPart: true },
      chargeback: { ...fixtures.adjustments.chargeback, fees: { USD: 15, ZZZ: 7.01 } },
    },
    currencies: { currencies: [requireDefined(dollar), { ...requireDefined(dollar), id: 2, currencyCode: 'ZZZ' }] },
    fees: { fees },
  };
  return bench;
}

/** Requests and decides a payment, and applies its late outcome at once. */
export async function makePayment(bench: Workbench, randomPayment: RandomPayment): Promise<Payment> {
  const payment = await bench.pay(orderOf(bench, randomPayment));
  const to = requireDefined(OUTCOMES[randomPayment.outcome]);
  const decided = await bench.transact((transaction) => decidePayment(transaction, payment, { to, cause: 'payer' }));
  return decided.dueAt === null ? decided : runDue(bench, decided);
}

/** Runs the next job of a payment when it is due, as the scheduler would. */
export async function runDue(bench: Workbench, { id }: Payment): Promise<Payment> {
  const storedPayment = () =>
    bench.transact(async (transaction) => requireDefined(await transaction.get('payments', id)));
  const payment = await storedPayment();
  bench.now = requireDefined(payment.dueAt ?? undefined);
  const job = decidePaymentJob as LocalJob<'payments'>;
  await bench.transact((transaction) => job.run(transaction, payment));
  return storedPayment();
}

function orderOf(bench: Workbench, randomPayment: RandomPayment): Partial<PaymentOrder> {
  const sum = randomPayment.split.reduce((added, weight) => added + weight, 0);
  const rest = randomPayment.split.slice(1).map((weight) => Math.floor((weight * 1000) / sum) / 10);
  const remainder = Math.round(1000 - rest.reduce((added, percentage) => added + percentage * 10, 0)) / 10;
  const split = [remainder, ...rest].map((percentage, index) => ({ merchantId: `M-100${index % 3}`, percentage }));
  return {
    amount: randomPayment.amount,
    channel: requireDefined(bench.fixtures.channel(requireDefined(CHANNELS[randomPayment.channel]))),
    split: randomPayment.split.length === 0 ? [] : split,
    currency: randomPayment.currency,
    environment: randomPayment.environment,
    profileId: randomPayment.isTest ? 2 : 1,
    outcomePlan: randomPayment.late === null ? {} : { lateOutcome: { outcome: randomPayment.late, after: 'PT1S' } },
  };
}

/** Initiates a payout with one credit per amount, in cents. */
export function makePayout(bench: Workbench, amounts: readonly number[], members: Partial<PayoutOrder> = {}) {
  const account = { bankName: 'Bank', bankBICCode: 'FSBKZZ22', accountName: 'One' };
  return bench.transact((transaction) =>
    initiatePayout(transaction, {
      environment: 'sandbox',
      merchant: bench.merchant(),
      total: amounts.reduce((sum, amount) => sum + amount, 0),
      currency: 'USD',
      description: 'Salaries',
      debit: { ...account, accountNumber: '1000000001' },
      payerName: '',
      payerReference: 'PAYOUT-1',
      payerBankReference: '',
      credits: amounts.map((amount, index) => ({
        merchantId: null,
        ...account,
        accountNumber: `200000000${index}`,
        amount,
      })),
      outcomePlan: {},
      creditPlans: [],
      ...members,
    }),
  );
}

/** Checks the books as the control API does. */
export function check(bench: Workbench, derive?: EntriesOf) {
  return bench.transact((transaction) => checkBooks(transaction, bench.moves, derive));
}

/** The account balances after the entries of all moves. */
export function postedBalances(bench: Workbench): Promise<AccountBalance[]> {
  return bench.transact(async (transaction) => {
    const balances = new Balances();
    for await (const entry of entriesBetween(transaction, { from: 1, to: bench.moves })) {
      balances.post(entry);
    }
    return balances.accounts;
  });
}
