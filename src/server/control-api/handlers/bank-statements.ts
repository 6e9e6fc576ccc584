import type { BankStatementKey, BankStatementQuery } from '../../../base/schema/generated/control.ts';
import type { Settlement } from '../../../base/schema/generated/records.ts';
import { bankDayOf, explainUnbooked, statementsOfDay } from '../../domain/books/bank-statements/account-statements.ts';
import { statementAnswerKey } from '../../domain/books/bank-statements/bank-statement.ts';
import { formatStatement } from '../../domain/books/bank-statements/statement-formats.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type ControlOperation, itemOf, PlainText, sessionRow } from '../control-operation.ts';
import { STATEMENT_TEXTS } from '../example-texts.ts';
import { findRecord } from '../find-record.ts';

export const BANK_STATEMENT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, BankStatementQuery>({
    name: 'getSettlementStatement',
    summary: 'Get a bank statement',
    description:
      "The statement of the merchant's bank account for the day on which the bank books a settlement's transfer (409 until then) or, with `date`, for another day (409 for a future one): JSON with money in minor units, camt.053.001.08, MT940 or CSV.",
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/statement',
    query: 'control/bank-statement-query',
    response: { ...itemOf('control/bank-statement'), texts: STATEMENT_TEXTS },
    handle: async ({ session, parameters, query: { format = 'json', as = 'shown', date } }) => {
      const statements = await session.read(async (reader) => {
        const settlement = await findRecord(reader, 'settlements', parameters['id']);
        return statementsOfDay(reader, settlement, bankDayOf(reader, settlement, date));
      });
      const content = formatStatement(format, statements[as], session.fixtures);
      return 'text' in content ? new PlainText(content.mediaType, content.text) : content.members;
    },
  }),
];

/** The answer key of the bank statement on `date`. Without `date`, on the day of the transfer; null before the bank has booked it. */
export async function bankStatementKey(
  reader: Reader,
  settlement: Settlement,
  date: string | undefined,
): Promise<BankStatementKey | null> {
  if (date === undefined && explainUnbooked(reader, settlement) !== undefined) {
    return null;
  }
  const day = bankDayOf(reader, settlement, date);
  const { booked, shown, shownEntries } = await statementsOfDay(reader, settlement, day);
  return statementAnswerKey(booked, shown, shownEntries, shownEntries.skipped.get(settlement.id) ?? []);
}
