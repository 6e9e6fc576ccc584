import { dateIn } from '../../../base/calendar.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { BankStatementKey, BankStatementQuery } from '../../../base/schema/control.ts';
import type { Settlement } from '../../../base/schema/records.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { camt053 } from '../../../domain/bank-statements/camt053.ts';
import { statementCsv } from '../../../domain/bank-statements/csv.ts';
import { bankCalendar, bookedSteps, bookingDateOf, isTo } from '../../../domain/bank-statements/entries.ts';
import { shownEntries } from '../../../domain/bank-statements/mistakes.ts';
import { mt940 } from '../../../domain/bank-statements/mt940.ts';
import { type BankStatement, bankStatement, statementKey } from '../../../domain/bank-statements/statement.ts';
import { CSV } from '../../../domain/settlement-files/csv.ts';
import { isKnownAtClose } from '../../../domain/settlement-files/known-at-close.ts';
import { zoneOf } from '../../../domain/settlements/calendar.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { findRecord } from '../find-record.ts';
import { type ControlOperation, one, PlainText, sessionRow } from '../operation.ts';

/** How a statement is written, by the form that is asked for. */
const FORMS: Readonly<
  Record<NonNullable<BankStatementQuery['format']>, (statement: BankStatement, fixtures: Fixtures) => unknown>
> = {
  json: (statement) => statement,
  'camt.053': (statement) => new PlainText('application/xml; charset=utf-8', camt053(statement)),
  mt940: (statement) => new PlainText('text/plain; charset=utf-8', mt940(statement)),
  csv: (statement, { settlement }) => new PlainText(CSV, statementCsv(statement, settlement.file)),
};

/** What a merchant's bank says it was paid. */
export const BANK_STATEMENT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, BankStatementQuery>({
    name: 'getSettlementStatement',
    summary: 'Get a bank statement',
    description:
      "The statement of the merchant's bank account for the day on which the bank books a settlement's transfer: JSON with money in minor units, camt.053.001.08, MT940 or CSV. 409 while the transfer has not reached the bank.",
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/statement',
    query: 'control/bank-statement-query',
    request: null,
    response: one('control/bank-statement'),
    handle: async ({ session, parameters, query: { format = 'json', as = 'shown', date } }) => {
      const statements = await session.read(async (reader) => {
        const settlement = await findRecord(reader, 'settlements', parameters['id']);
        return statementsOf(reader, settlement, dayOf(reader, settlement, date));
      });
      return FORMS[format](statements[as], session.fixtures);
    },
  }),
];

/** What is wrong in the bank statement of a settlement, or of another day of its account; null while the bank has not booked its transfer. */
export async function bankStatementKey(
  reader: Reader,
  settlement: Settlement,
  date: string | undefined,
): Promise<BankStatementKey | null> {
  if (unbookedBecause(reader, settlement) !== undefined) {
    return null;
  }
  const { booked, shown, entries } = await statementsOf(reader, settlement, dayOf(reader, settlement, date));
  return statementKey(booked, shown, entries, entries.skipped.get(settlement.id) ?? []);
}

/** The day that a statement is asked for. Throws `conflict` where the bank has not booked the transfer, or the day is yet to come. */
function dayOf(reader: Reader, settlement: Settlement, wanted: string | undefined): string {
  const reason = unbookedBecause(reader, settlement);
  if (reason !== undefined) {
    throw new Refusal('conflict', reason);
  }
  const { dayOf: dayAt } = bankCalendar(reader.fixtures);
  const date = wanted ?? bookingDateOf(settlement, { dayOf: dayAt }) ?? dayAt(reader.now);
  if (date > dayAt(reader.now)) {
    throw new Refusal(
      'conflict',
      `there is no statement of ${date} yet: the session's clock shows ${dayAt(reader.now)}`,
    );
  }
  return date;
}

/** Why there is no statement with a settlement's transfer; undefined where there is. */
function unbookedBecause({ fixtures, now }: Reader, settlement: Settlement): string | undefined {
  const { id, state, valueDate } = settlement;
  const booked = bookingDateOf(settlement, bankCalendar(fixtures));
  if (booked === undefined) {
    return (
      {
        Open: `${id} is open: nothing is transferred before it is closed, at its cut-off or by POST /settlements/close`,
        CarriedOver: `nothing of ${id} was transferred: it was carried over to the next settlement`,
      }[state as string] ?? `the transfer of ${id} is on its way: the bank books it on ${valueDate}`
    );
  }
  const today = dateIn(now, zoneOf(fixtures));
  return booked > today ? `the bank books ${id} on ${booked}, and the session's clock shows ${today}` : undefined;
}

/** The statement of a settlement's account for a day, as booked and as shown, with all entries that are shown of the account. */
async function statementsOf(reader: Reader, account: Settlement, date: string) {
  const { fixtures, now, seed } = reader;
  const found = await reader.find('settlements', 'bank.accountNumber', account.bank.accountNumber);
  const settlements = found.filter((settlement) => isTo(account, settlement));
  const calendar = bankCalendar(fixtures);
  const entries = await shownEntries(settlements, calendar, {
    seed,
    isKnown: (settlement) => isKnownAtClose(reader, settlement),
  });
  const booked = bookedSteps(settlements, calendar).map(({ entry }) => entry);
  const at = { now, zone: zoneOf(fixtures) };
  return {
    booked: bankStatement(account, booked, date, at),
    shown: bankStatement(account, entries.entries, date, at),
    entries,
  };
}
