import { dateAfter, instantIn, MINUTES_OF_DAY } from '../../../../base/calendar.ts';
import type { BankMistake, BankStatement, BankStatementKey } from '../../../../base/schema/generated/control.ts';
import { addDays, formatUtc, type Instant, startOfDay } from '../../../../base/time.ts';
import type { ShownEntries } from './apply-bank-mistakes.ts';
import { type BankEntry, hexDigits, type StatementAccount } from './bank-entries.ts';

export type { BankStatement };

/** The time at which a statement is read, and the time zone of its days. */
export interface StatementContext {
  now: Instant;
  zone: string;
}

/** The statement of an account for a day. Needs the entries of all days, because those of earlier days are its opening balance. */
export function bankStatement(
  { bank, environment, currency }: StatementAccount,
  accountEntries: readonly BankEntry[],
  date: string,
  { now, zone }: StatementContext,
): BankStatement {
  const opening = sumOf(accountEntries.filter(({ bookingDate }) => bookingDate < date));
  const entries = accountEntries.filter(({ bookingDate }) => bookingDate === date);
  const endsAt = endOfDay(date, zone);
  return {
    id: statementId({ bank, environment, currency }, date),
    status: now < endsAt ? 'preliminary' : 'final',
    date,
    number: dayOfYear(date),
    createdAt: formatUtc(Math.min(now, endsAt)),
    environment,
    bank,
    currency,
    opening,
    closing: opening + sumOf(entries),
    entries,
  };
}

/** The id of a statement: sixteen characters, because MT940 allows no more. */
export function statementId({ bank, environment, currency }: StatementAccount, date: string): string {
  const account = [bank.bankBICCode, bank.accountNumber, environment, currency];
  return date.replaceAll('-', '') + hexDigits('bank-statement', ...account, date);
}

/** The end of a day, when a bank writes its statement. */
export function endOfDay(date: string, zone: string): Instant {
  return instantIn(date, MINUTES_OF_DAY, zone);
}

/** The findings that a reconciliation of the shown statement should report; `skipped` are planned mistakes that were not made. */
export function statementAnswerKey(
  booked: BankStatement,
  shown: BankStatement,
  { findings }: Pick<ShownEntries, 'findings'>,
  skipped: readonly BankMistake[],
): BankStatementKey {
  const findingsOfDay = findings.filter(({ date }) => date === shown.date);
  return {
    statementId: shown.id,
    date: shown.date,
    findings: findingsOfDay.map(({ date: _, ...finding }) => finding),
    skipped: [...skipped],
    booked: summaryOf(booked),
    shown: summaryOf(shown),
  };
}

/** The previous day, which is the date of an opening balance in MT940; for 1970-01-01, the same day. */
export function dayBefore(date: string): string {
  return date <= FIRST_DATE ? FIRST_DATE : dateAfter(date, -1);
}

const FIRST_DATE = '1970-01-01';

function summaryOf({ entries, opening, closing }: BankStatement): BankStatementKey['booked'] {
  return { count: entries.length, opening, closing };
}

function sumOf(entries: readonly BankEntry[]): number {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

/** The number of a day in its year, from 1; `addDays(0, 1)` is the length of a day. */
function dayOfYear(date: string): number {
  const newYear = startOfDay(`${date.slice(0, 4)}-01-01`, '+00:00');
  return (startOfDay(date, '+00:00') - newYear) / addDays(0, 1) + 1;
}
