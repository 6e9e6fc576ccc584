import type { Invoice } from '../../../../base/schema/generated/control.ts';
import { runSteps } from '../../../../base/steps.ts';
import type { MonthInvoice } from '../settlements/month-invoice.ts';
import { type CsvOptions, csvText, decimalOf } from './csv-text.ts';
import { FEE_MEMBERS } from './settlement-file.ts';

/** A month's invoice as it is sent. Kinds of fees have the same names as in settlement files. */
export function invoiceFile({ fees, ...invoice }: MonthInvoice, merchantName: string): Invoice {
  const { number, status, month, issueDate, seller, merchantId, ...others } = invoice;
  const namedFees = fees.map((fee) => ({ ...fee, kind: FEE_MEMBERS[fee.kind] }));
  return { number, status, month, issueDate, seller, merchantId, merchantName, ...others, fees: namedFees };
}

const TEXT_COLUMNS = [
  'number',
  'status',
  'month',
  'issueDate',
  'seller',
  'merchantId',
  'merchantName',
  'environment',
] as const;
const SUM_COLUMNS = ['net', 'vat', 'total', 'deducted', 'amountDue'] as const;
const COLUMNS = [
  'record',
  'line',
  ...TEXT_COLUMNS,
  'currency',
  'openSettlements',
  'lineType',
  'settlementId',
  'businessDate',
  'count',
  'amount',
  'vatPercent',
  ...SUM_COLUMNS,
  'negativeBalances',
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

const FIGURES: ReadonlySet<keyof Row> = new Set(['amount', ...SUM_COLUMNS, 'negativeBalances']);

/** The invoice as CSV: row H is the header, one row L for each kind of fee and each negative balance, row T has the sums. */
export function invoiceCsv(invoice: Invoice, options: CsvOptions): string {
  const { currency, openSettlements, fees, negativeBalances, vatPercent } = invoice;
  const decimal = (amount: number) => decimalOf(amount, options);
  const header: Row = {
    record: 'H',
    ...Object.fromEntries(TEXT_COLUMNS.map((name) => [name, invoice[name] ?? ''])),
    currency,
    openSettlements: openSettlements.join(' '),
  };
  const lines: Row[] = [
    ...fees.map(({ kind, count, amount }) => ({ lineType: kind, count: String(count), amount: decimal(amount) })),
    ...negativeBalances.map(({ amount, ...ids }) => ({ lineType: 'negativeBalance', ...ids, amount: decimal(amount) })),
  ];
  const totals: Row = {
    record: 'T',
    currency,
    vatPercent: vatPercent.replace('.', options.decimalMark),
    ...Object.fromEntries(SUM_COLUMNS.map((name) => [name, decimal(invoice[name])])),
    negativeBalances: decimal(negativeBalances.reduce((sum, { amount }) => sum + amount, 0)),
  };
  const numberedLines = lines.map((line, index) => ({ record: 'L', line: String(index + 1), currency, ...line }));
  return runSteps(csvText(COLUMNS, [header, ...numberedLines, totals], FIGURES, options));
}
