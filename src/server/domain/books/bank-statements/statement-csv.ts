import { runSteps } from '../../../../base/steps.ts';
import { type CsvOptions, csvText, decimalOf } from '../settlement-files/csv-text.ts';
import type { BankStatement } from './bank-statement.ts';

const COLUMNS = [
  'record',
  'statementId',
  'status',
  'bookingDate',
  'valueDate',
  'bankBICCode',
  'accountNumber',
  'currency',
  'amount',
  'direction',
  'balance',
  'id',
  'type',
  'reference',
  'settlementId',
  'remittance',
  'counterparty',
  'code',
  'description',
  'payoutId',
  'credit',
] as const;
type Column = (typeof COLUMNS)[number];

const FIGURES: ReadonlySet<Column> = new Set(['amount', 'balance']);

/**
 * A statement as CSV in the format of settlement files: rows O (opening balance), E (an entry, with the balance after it) and C (closing
 * balance).
 */
export function statementCsv(statement: BankStatement, options: CsvOptions): string {
  const { id: statementId, status, date: bookingDate, bank, currency, opening, closing, entries } = statement;
  const commonCells = { statementId, status, bookingDate, ...bank, currency };
  let balance = opening;
  const rows: Partial<Record<Column, string>>[] = [
    { record: 'O', ...commonCells, balance: decimalOf(opening, options) },
    ...entries.map(({ amount, credit, ...texts }) => {
      balance += amount;
      const figures = { amount: decimalOf(amount, options), balance: decimalOf(balance, options) };
      const creditCell = credit === undefined ? {} : { credit: String(credit) };
      return { record: 'E', ...commonCells, ...texts, ...creditCell, ...figures };
    }),
    { record: 'C', ...commonCells, balance: decimalOf(closing, options) },
  ];
  return runSteps(csvText(COLUMNS, rows, FIGURES, options));
}
