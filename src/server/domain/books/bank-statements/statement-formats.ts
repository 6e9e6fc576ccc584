import type { BankStatementQuery } from '../../../../base/schema/generated/control.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { CSV } from '../settlement-files/csv-text.ts';
import type { BankStatement } from './bank-statement.ts';
import { camt053 } from './camt053.ts';
import { mt940 } from './mt940.ts';
import { statementCsv } from './statement-csv.ts';

export type StatementForm = NonNullable<BankStatementQuery['format']>;
type Content = { members: BankStatement } | { mediaType: string; text: string };

/** The first is the default. */
export const STATEMENT_FORMS = ['json', 'camt.053', 'mt940', 'csv'] as const satisfies readonly StatementForm[];

const FORMS: Readonly<Record<StatementForm, (statement: BankStatement, fixtures: Fixtures) => Content>> = {
  json: (statement) => ({ members: statement }),
  'camt.053': (statement) => ({ mediaType: 'application/xml; charset=utf-8', text: camt053(statement) }),
  mt940: (statement) => ({ mediaType: 'text/plain; charset=utf-8', text: mt940(statement) }),
  csv: (statement, { settlement }) => ({ mediaType: CSV, text: statementCsv(statement, settlement.file) }),
};

export function statementIn(form: StatementForm, statement: BankStatement, fixtures: Fixtures): Content {
  return FORMS[form](statement, fixtures);
}
