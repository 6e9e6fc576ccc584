import type { Steps } from '../../../../base/steps.ts';
import { type CsvOptions, csvText, decimalOf } from './csv-text.ts';
import { FEE_MEMBER_NAMES, type FileLine, type SettlementFile } from './settlement-file.ts';

type Column = CsvOptions['columns'][number];
type Row = Partial<Record<Column, string>>;

const AMOUNTS = ['gross', 'fee', 'net', ...FEE_MEMBER_NAMES] as const;
const TRANSFER_AMOUNTS = ['carriedIn', 'transferred', 'carriedOut', 'invoiced'] as const;

const FIGURES: ReadonlySet<Column> = new Set([...AMOUNTS, ...TRANSFER_AMOUNTS, 'debit', 'credit', 'netMinorUnits']);

/**
 * A settlement file as CSV: rows H (header), L (one for each line) and T (totals). The fixture sets the columns of each layout, and how
 * decimals are written.
 */
export function* settlementCsv(file: SettlementFile, options: CsvOptions): Steps<string> {
  const columns = file.header.layout === 2 ? (options.nextLayout ?? options).columns : options.columns;
  const rows = [headerRow(file)];
  for (const line of file.lines) {
    rows.push(lineRow(file, line, options));
    yield;
  }
  rows.push(totalsRow(file, options));
  return yield* csvText(columns, rows, FIGURES, options);
}

function headerRow({ header: { bank, sequence, version, layout, valueDate, ...texts } }: SettlementFile): Row {
  return {
    record: 'H',
    ...texts,
    ...bank,
    sequence: String(sequence),
    version: String(version),
    layout: String(layout),
    valueDate: valueDate ?? '',
  };
}

function lineRow({ header: { settlementId } }: SettlementFile, line: FileLine, options: CsvOptions): Row {
  const texts = Object.entries(line).filter(([, value]) => typeof value === 'string');
  return {
    record: 'L',
    line: String(line.line),
    settlementId,
    ...Object.fromEntries(texts),
    ...amountsOf(line, options),
  };
}

function totalsRow({ header, totals }: SettlementFile, options: CsvOptions): Row {
  const { settlementId, businessDate, currency } = header;
  return {
    record: 'T',
    line: String(totals.count),
    settlementId,
    businessDate,
    currency,
    ...amountsOf(totals, options),
    ...Object.fromEntries(TRANSFER_AMOUNTS.map((name) => [name, decimalOf(totals[name], options)])),
  };
}

function amountsOf(line: Pick<FileLine, (typeof AMOUNTS)[number]>, options: CsvOptions): Row {
  const decimal = (amount: number) => decimalOf(amount, options);
  const { net } = line;
  return {
    ...Object.fromEntries(AMOUNTS.map((name) => [name, decimal(line[name])])),
    debit: net < 0 ? decimal(-net) : '',
    credit: net < 0 ? '' : decimal(net),
    netMinorUnits: String(Math.abs(net)),
    direction: net < 0 ? 'DR' : 'CR',
  };
}
