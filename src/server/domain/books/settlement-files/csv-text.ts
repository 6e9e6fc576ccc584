import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import type { Steps } from '../../../../base/steps.ts';
import type { Fixtures } from '../../../config/fixtures.ts';

/** The media type of CSV files. Source: RFC 4180. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export type CsvOptions = Fixtures['settlement']['file'];

/** The first character of a text that spreadsheets read as a formula, even if it is quoted; some also accept full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV (RFC 4180). With `escapeFormulas`, texts that look like formulas are escaped, except in columns of figures, where a sign
 * belongs to the number.
 */
export function* csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly Partial<Record<Column, string>>[],
  figures: ReadonlySet<Column>,
  { delimiter, byteOrderMark, escapeFormulas }: CsvOptions,
): Steps<string> {
  const cellOf = (row: Partial<Record<Column, string>>, column: Column) => {
    const cell = row[column] ?? '';
    return escapeFormulas && !figures.has(column) && FORMULA_START.test(cell) ? `'${cell}` : cell;
  };
  const lineOf = (cells: readonly string[]) => `${cells.map((cell) => quoteCell(cell, delimiter)).join(delimiter)}\r\n`;
  let text = lineOf(columns);
  for (const row of rows) {
    text += lineOf(columns.map((column) => cellOf(row, column)));
    yield;
  }
  return byteOrderMark ? `\uFEFF${text}` : text;
}

export function decimalOf(amount: MinorUnits, { decimalMark }: CsvOptions): string {
  return toDecimalText(amount).replace('.', decimalMark);
}

function quoteCell(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
