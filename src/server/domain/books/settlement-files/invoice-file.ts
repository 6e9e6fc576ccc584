import type { Invoice } from '../../../../base/schema/generated/control.ts';
import { runSteps } from '../../../../base/steps.ts';
import type { MonthInvoice } from '../settlements/month-invoice.ts';
import { csvText, decimalOf, type FileOptions } from './csv-text.ts';
import { FEE_MEMBERS } from './file.ts';

/** A month's invoice as it is sent. Kinds of fees have the same names as in settlement files. */
export function invoiceFile({ fees, ...invoice }: MonthInvoice, merchantName: string): Invoice {
  const { number, status, month, issueDate, seller, merchantId, ...others } = invoice;
  const named = fees.map((fee) => ({ ...fee, kind: FEE_MEMBERS[fee.kind] }));
  return { number, status, month, issueDate, seller, merchantId, merchantName, ...others, fees: named };
}

const TEXTS = [
  'number',
  'status',
  'month',
  'issueDate',
  'seller',
  'merchantId',
  'merchantName',
  'environment',
] as const;
const SUMS = ['net', 'vat', 'total', 'deducted', 'amountDue'] as const;
const COLUMNS = [
  'record',
  'line',
  ...TEXTS,
  'currency',
  'openSettlements',
  'lineType',
  'settlementId',
  'businessDate',
  'count',
  'amount',
  'vatPercent',
  ...SUMS,
  'negativeBalances',
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

/** Columns that may have a sign. */
const FIGURES: ReadonlySet<keyof Row> = new Set(['amount', ...SUMS, 'negativeBalances']);

/** The invoice as CSV: row H is the header, one row L for each kind of fee and each negative balance, row T has the sums. */
export function invoiceCsv(invoice: Invoice, options: FileOptions): string {
  const { currency, openSettlements, fees, negativeBalances, vatPercent } = invoice;
  const decimal = (amount: number) => decimalOf(amount, options);
  const header: Row = {
    record: 'H',
    ...Object.fromEntries(TEXTS.map((name) => [name, invoice[name] ?? ''])),
    currency,
    openSettlements: openSettlements.join(' '),
  };
  const lines: Row[] = [
    ...fees.map(({ kind, count, amount }) => ({ lineType: kind, count: String(count), amount: decimal(amount) })),
    ...negativeBalances.map(({ amount, ...of }) => ({ lineType: 'negativeBalance', ...of, amount: decimal(amount) })),
  ];
  const totals: Row = {
    record: 'T',
    currency,
    vatPercent: vatPercent.replace('.', options.decimalMark),
    ...Object.fromEntries(SUMS.map((name) => [name, decimal(invoice[name])])),
    negativeBalances: decimal(negativeBalances.reduce((sum, { amount }) => sum + amount, 0)),
  };
  const numbered = lines.map((line, index) => ({ record: 'L', line: String(index + 1), currency, ...line }));
  return runSteps(csvText(COLUMNS, [header, ...numbered, totals], FIGURES, options));
}
