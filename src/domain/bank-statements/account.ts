import { dateIn } from '../../base/calendar.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Settlement } from '../../base/schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { isKnownAtClose } from '../settlement-files/known-at-close.ts';
import { zoneOf } from '../settlements/calendar.ts';
import { bankCalendar, bookedSteps, bookingDateOf, isTo } from './entries.ts';
import { shownEntries } from './mistakes.ts';
import { bankStatement } from './statement.ts';

/** The day that a statement is asked for. Throws `conflict` where the bank has not booked the transfer, or the day is yet to come. */
export function bankDayOf(reader: Reader, settlement: Settlement, wanted: string | undefined): string {
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
export function unbookedBecause({ fixtures, now }: Reader, settlement: Settlement): string | undefined {
  const { id, state, valueDate } = settlement;
  const booked = bookingDateOf(settlement, bankCalendar(fixtures));
  if (booked === undefined) {
    return (
      {
        Open: `${id} is open: nothing is transferred before it is closed, at its cut-off or by POST /settlements/close`,
        CarriedOver: `nothing of ${id} was transferred: it was carried over to the next settlement`,
        Invoiced: `nothing of ${id} was transferred: it was put on the month's invoice`,
      }[state as string] ?? `the transfer of ${id} is on its way: the bank books it on ${valueDate}`
    );
  }
  const today = dateIn(now, zoneOf(fixtures));
  return booked > today ? `the bank books ${id} on ${booked}, and the session's clock shows ${today}` : undefined;
}

/** The statement of a settlement's account for a day, as booked and as shown, with all entries that are shown of the account. */
export async function statementsOf(reader: Reader, account: Settlement, date: string) {
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
