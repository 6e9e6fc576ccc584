import fc from 'fast-check';
import type { Invoice } from '../../../../../src/base/schema/generated/control.ts';
import {
  REPORT_TYPES,
  reportContent,
  reportsOf,
} from '../../../../../src/server/domain/books/merchant-reports/reports.ts';
import { businessDateAt } from '../../../../../src/server/domain/books/settlements/business-calendar.ts';
import { invoiceOf } from '../../../../../src/server/domain/books/settlements/month-invoice.ts';
import { closeAll } from '../../../../../src/server/domain/books/settlements/settlements.ts';
import { decidePayment } from '../../../../../src/server/domain/payments/payment.ts';
import { cases } from '../../../../cases.ts';
import { requireDefined, Workbench } from '../../workbench.ts';
import { anyFeeTerms, openBooks } from '../books-under-test.ts';
import { anyStep, moveTo, playSteps, settlementsOf } from '../settlements/random-steps.ts';

const DAY = 86_400_000;
const ID = 'INV-2026-03-M-1000-sandbox-USD';

async function issuedIn(bench: Workbench, merchantId = 'M-1000') {
  const all = await bench.transact((transaction) => reportsOf(transaction, merchantId));
  return all.filter(({ type }) => type === 'fee-invoice');
}

function contentIn(bench: Workbench, id: string, { merchantId = 'M-1000', format = 'json', version = 1 } = {}) {
  return bench.transact((transaction) =>
    reportContent(transaction, merchantId, { type: 'fee-invoice', id, version, format }),
  );
}

async function makePaidPayment(bench: Workbench): Promise<void> {
  const payment = await bench.pay({ amount: 1000 });
  await bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }));
}

it('a fee invoice is issued at the cut-off of the last day of its month, and that day is its business date', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await moveTo(bench, Date.parse('2026-03-31T21:59:59.999Z'));
  expect(await issuedIn(bench)).toEqual([]);
  await expect(contentIn(bench, ID)).rejects.toThrow(
    `the fee-invoice ${ID} does not exist yet: it will be issued when 2026-03 has ended and all its settlements are closed`,
  );
  await moveTo(bench, Date.parse('2026-03-31T22:00:00.000Z'));
  expect(await issuedIn(bench)).toEqual([
    {
      type: 'fee-invoice',
      id: ID,
      version: 1,
      environment: 'sandbox',
      currency: 'USD',
      businessDate: '2026-03-31',
      issuedAt: Date.parse('2026-03-31T22:00:00.000Z'),
    },
  ]);
});

it('a fee invoice is issued at the close of the last settlement if the close is later than the cut-off', async () => {
  const bench = await Workbench.open();
  bench.fixtures = { ...bench.fixtures, settlement: { ...bench.fixtures.settlement, automatic: false } };
  await makePaidPayment(bench);
  bench.now = Date.parse('2026-04-02T10:00:00.000Z');
  expect(await issuedIn(bench)).toEqual([]);
  await bench.transact((transaction) => closeAll(transaction, {}, async () => undefined));
  expect(await issuedIn(bench)).toMatchObject([{ id: ID, businessDate: '2026-03-31', issuedAt: bench.now }]);
});

it('a fee invoice does not exist for another merchant, in a second version or as MT940', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await moveTo(bench, Date.parse('2026-04-01T10:00:00.000Z'));
  expect(await issuedIn(bench, 'M-1001')).toEqual([]);
  await expect(contentIn(bench, ID, { merchantId: 'M-1001' })).rejects.toThrow(
    `this merchant has no fee-invoice "${ID}"`,
  );
  await expect(contentIn(bench, ID, { version: 2 })).rejects.toThrow('has no version 2');
  await expect(contentIn(bench, ID, { format: 'mt940' })).rejects.toThrow('a fee-invoice has no format mt940');
});

it('a fee invoice exists only for a month that has ended and is fully closed, and contains the fees of its settlements', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyFeeTerms,
      fc.array(anyStep, { minLength: 5, maxLength: 25 }),
      fc.nat(40),
      async (terms, steps, days) => {
        const bench = await openBooks(terms);
        await playSteps(bench, steps);
        await moveTo(bench, bench.now + days * DAY);
        const settlements = await settlementsOf(bench);
        const currentMonth = businessDateAt(bench.fixtures, bench.now).businessDate.slice(0, 7);
        for (const merchantId of new Set(settlements.map((each) => each.merchantId))) {
          const merchantSettlements = settlements.filter((each) => each.merchantId === merchantId);
          const invoiceIdOf = ({ businessDate, environment, currency }: (typeof merchantSettlements)[number]) =>
            `INV-${businessDate.slice(0, 7)}-${merchantId}-${environment}-${currency}`;
          const preliminaryIds = new Set(
            merchantSettlements
              .filter(({ totals, businessDate }) => totals === null || businessDate.slice(0, 7) >= currentMonth)
              .map(invoiceIdOf),
          );
          const finalIds = new Set(merchantSettlements.map(invoiceIdOf).filter((id) => !preliminaryIds.has(id)));
          const issued = await issuedIn(bench, merchantId);
          expect(issued.map(({ id }) => id).sort()).toEqual([...finalIds].sort());
          for (const { id, businessDate, environment, currency, issuedAt } of issued) {
            const content = await contentIn(bench, id, { merchantId });
            const invoice = ('members' in content ? content.members : {}) as Invoice;
            const month = businessDate.slice(0, 7);
            const inMonth = merchantSettlements.filter((each) => invoiceIdOf(each) === id);
            expect(invoice).toMatchObject({ number: id, status: 'final', month, openSettlements: [] });
            expect(invoice.net).toBe(0 - inMonth.reduce((sum, { totals }) => sum + (totals?.fee ?? 0), 0));
            expect(
              businessDate >=
                requireDefined(
                  inMonth
                    .map((each) => each.businessDate)
                    .sort()
                    .at(-1),
                ),
            ).toBe(true);
            expect(issuedAt).toBeGreaterThanOrEqual(
              Math.max(...inMonth.map(({ history }) => requireDefined(history[0]).at)),
            );
            const computed = await bench.transact((transaction) =>
              invoiceOf({ merchantId, environment, currency, month }, transaction),
            );
            expect([computed.status, computed.number, computed.net, computed.amountDue]).toEqual([
              'final',
              id,
              invoice.net,
              invoice.amountDue,
            ]);
          }
        }
      },
    ),
    { numRuns: cases(100) },
  );
});

it('a fee invoice has the formats JSON and CSV', async () => {
  const bench = await Workbench.open();
  await makePaidPayment(bench);
  await moveTo(bench, Date.parse('2026-04-01T10:00:00.000Z'));
  const { formats } = requireDefined(REPORT_TYPES['fee-invoice']);
  expect(formats).toEqual(['json', 'csv']);
  expect(await contentIn(bench, ID, { format: 'csv' })).toMatchObject({
    text: expect.stringMatching(/^record,line,number/),
  });
});
