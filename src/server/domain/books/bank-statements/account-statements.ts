import { dateIn } from '../../../../base/calendar.ts';
import { Refusal } from '../../../../base/refusal.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { newReferenceCheck } from '../settlement-files/reference-check.ts';
import { zoneOf } from '../settlements/business-calendar.ts';
import { applyBankMistakes, type ShownEntries } from './apply-bank-mistakes.ts';
import { bookingContext, bookingDateOf, isPaidTo, type StatementAccount } from './bank-entries.ts';
import { type BankStatement, bankStatement, endOfDay, type StatementContext, statementId } from './bank-statement.ts';
import { type BookedStep, bookedSteps } from './booked-steps.ts';

/**
 * The day of a requested statement. Default: the day on which the bank booked the settlement's transfer. Throws `conflict` if the day is in
 * the future or, without a requested day, if the transfer is not booked.
 */
export function bankDayOf(reader: Reader, settlement: Settlement, requestedDate: string | undefined): string {
  const reason = requestedDate === undefined ? explainUnbooked(reader, settlement) : undefined;
  if (reason !== undefined) {
    throw new Refusal('conflict', reason);
  }
  const { dayOf } = bookingContext(reader.fixtures);
  const date = requestedDate ?? bookingDateOf(settlement, { dayOf }) ?? dayOf(reader.now);
  if (date > dayOf(reader.now)) {
    throw new Refusal(
      'conflict',
      `there is no statement of ${date} yet: the session's clock shows ${dayOf(reader.now)}`,
    );
  }
  return date;
}

/** The reason why the bank has not booked a settlement's transfer so far, such as a clock that was set back; undefined if booked. */
export function explainUnbooked({ fixtures, now }: Reader, settlement: Settlement): string | undefined {
  const { id, state, valueDate } = settlement;
  const date = bookingDateOf(settlement, bookingContext(fixtures));
  if (date === undefined) {
    return (
      {
        Open: `${id} is open: nothing is transferred before it is closed, at its cut-off or by POST /settlements/close`,
        CarriedOver: `nothing of ${id} was transferred: it was carried over to the next settlement`,
        Invoiced: `nothing of ${id} was transferred: it was put on the month's invoice`,
      }[state as string] ?? `the transfer of ${id} is on its way: the bank books it on ${valueDate}`
    );
  }
  const today = dateIn(now, zoneOf(fixtures));
  return date > today ? `the bank books ${id} on ${date}, and the session's clock shows ${today}` : undefined;
}

/** The statement of an account for a day, as booked and as shown, with all shown entries of the account. */
export async function statementsOfDay(reader: Reader, account: StatementAccount, date: string) {
  const steps = stepsOf(reader, account);
  const shownEntries = await shownEntriesOf(reader, steps);
  const bookedEntries = steps.map(({ entry }) => entry);
  const context = contextOf(reader);
  return {
    booked: bankStatement(account, bookedEntries, date, context),
    shown: bankStatement(account, shownEntries.entries, date, context),
    shownEntries,
  };
}

/** The statement of an account for one of the days on which it has shown entries. */
export interface DailyStatement {
  id: string;
  account: StatementAccount;
  date: string;
  /** The end of the day. */
  writtenAt: Instant;
  statement(): BankStatement;
}

/** The statements of all accounts that a merchant is paid to, including those of days that have not ended. */
export async function statementsOfMerchant(reader: Reader, merchantId: string): Promise<DailyStatement[]> {
  const settlements = reader.find('settlements', 'merchantId', merchantId);
  const accounts = settlements.filter((each) => settlements.find((other) => isPaidTo(each, other)) === each);
  const context = contextOf(reader);
  const statements = accounts.map(async (account) => {
    const { entries } = await shownEntriesOf(reader, stepsOf(reader, account));
    return [...new Set(entries.map(({ bookingDate }) => bookingDate))].map((date) => {
      const facts = { id: statementId(account, date), account, date, writtenAt: endOfDay(date, context.zone) };
      return { ...facts, statement: () => bankStatement(account, entries, date, context) };
    });
  });
  return (await Promise.all(statements)).flat();
}

function stepsOf(reader: Reader, account: StatementAccount): BookedStep[] {
  const { accountNumber } = account.bank;
  const settlements = reader.find('settlements', 'bank.accountNumber', accountNumber);
  const debitedPayouts = reader.find('payouts', 'debit.accountNumber', accountNumber);
  const creditedPayouts = reader.find('payouts', 'credits.accountNumber', accountNumber);
  const payouts = [...new Map([...debitedPayouts, ...creditedPayouts].map((payout) => [payout.id, payout])).values()];
  return bookedSteps(account, { settlements, payouts }, bookingContext(reader.fixtures));
}

function shownEntriesOf(reader: Reader, steps: readonly BookedStep[]): Promise<ShownEntries> {
  return applyBankMistakes(steps, bookingContext(reader.fixtures), {
    seed: reader.seed,
    referenceCheckFor: (settlement) => newReferenceCheck(reader, settlement),
  });
}

function contextOf({ now, fixtures }: Reader): StatementContext {
  return { now, zone: zoneOf(fixtures) };
}
