import type { BankStatementQuery } from '../../../../base/schema/generated/control.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { CSV_TYPE } from '../settlement-files/csv-text.ts';
import type { BankStatement } from './bank-statement.ts';
import { camt053 } from './camt053.ts';
import { mt940 } from './mt940.ts';
import { statementCsv } from './statement-csv.ts';

export type StatementFormat = NonNullable<BankStatementQuery['format']>;
type Content = { members: BankStatement } | { mediaType: string; text: string };

/** The first is the default. */
export const STATEMENT_FORMATS = ['json', 'camt.053', 'mt940', 'csv'] as const satisfies readonly StatementFormat[];

const FORMATTERS: Readonly<Record<StatementFormat, (statement: BankStatement, fixtures: Fixtures) => Content>> = {
  json: (statement) => ({ members: statement }),
  'camt.053': (statement) => ({ mediaType: 'application/xml; charset=utf-8', text: camt053(statement) }),
  mt940: (statement) => ({ mediaType: 'text/plain; charset=utf-8', text: mt940(statement) }),
  csv: (statement, { settlement }) => ({ mediaType: CSV_TYPE, text: statementCsv(statement, settlement.file) }),
};

export function formatStatement(format: StatementFormat, statement: BankStatement, fixtures: Fixtures): Content {
  return FORMATTERS[format](statement, fixtures);
}
