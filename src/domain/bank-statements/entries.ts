import { dateIn } from '../../base/calendar.ts';
import type { MinorUnits } from '../../base/money.ts';
import type { BankStatement } from '../../base/schema/control.ts';
import type { Settlement } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { draw } from '../settlement-files/draw.ts';
import { businessDayAfter, zoneOf } from '../settlements/calendar.ts';
import { providerName } from '../settlements/provider.ts';

export type BankEntry = BankStatement['entries'][number];
/** Whose entries a statement has: test money and real money never meet. */
export type Account = Pick<Settlement, 'bank' | 'environment' | 'currency'>;

/** The days of a bank, and whom it names as the one who pays settlements. */
export interface BankCalendar {
  /** The day on which it books what happens at an instant. */
  dayOf(at: Instant): string;
  nextBusinessDay(date: string): string;
  payer: string;
}

export function bankCalendar(fixtures: Fixtures): BankCalendar {
  const zone = zoneOf(fixtures);
  return {
    dayOf: (at) => dateIn(at, zone),
    nextBusinessDay: (date) => businessDayAfter(fixtures, date),
    payer: providerName(fixtures),
  };
}

/** The day on which the bank booked the transfer of a settlement; undefined while it has booked none. */
export function bookingDateOf({ history }: Settlement, { dayOf }: Pick<BankCalendar, 'dayOf'>): string | undefined {
  const paid = history.find(({ to }) => to === 'Paid');
  return paid && dayOf(paid.at);
}

/** Whether a settlement goes to an account. */
export function isTo({ bank, environment, currency }: Account, settlement: Account): boolean {
  return (
    settlement.environment === environment &&
    settlement.currency === currency &&
    settlement.bank.bankBICCode === bank.bankBICCode &&
    settlement.bank.accountNumber === bank.accountNumber
  );
}

/** A step of a settlement that its bank booked, with the settlement and its number among all moves of money. */
export interface BookedStep {
  settlement: Settlement;
  move: number;
  entry: BankEntry;
}

/**
 * What the bank booked of settlements, in the order of their moves: each transfer as it arrived (or, where it is below 0, as it was
 * collected), and with the opposite sign where it was sent back.
 */
export function bookedSteps(
  settlements: readonly Settlement[],
  { dayOf, payer }: Pick<BankCalendar, 'dayOf' | 'payer'>,
): BookedStep[] {
  const steps = settlements.flatMap((settlement) =>
    settlement.history.flatMap(({ to, at, move, code, description }): BookedStep[] => {
      const transferred = settlement.totals?.transferred ?? 0;
      if (move === undefined || transferred === 0 || (to !== 'Paid' && to !== 'Returned')) {
        return [];
      }
      const bookingDate = dayOf(at);
      const isReturn = to === 'Returned';
      const entry: BankEntry = {
        id: bankReference(settlement, isReturn ? 'return' : 'transfer'),
        type: isReturn ? 'return' : 'transfer',
        bookingDate,
        valueDate: isReturn ? bookingDate : (settlement.valueDate ?? bookingDate),
        ...signed(isReturn ? 0 - transferred : transferred),
        currency: settlement.currency,
        ...referenceMembers(settlement, settlement.id),
        counterparty: payer,
        code: code ?? '',
        description: description ?? '',
      };
      return [{ settlement, move, entry }];
    }),
  );
  return steps.sort((one, other) => one.move - other.move);
}

/** The members of an entry that say which settlement it is of. */
export function referenceMembers(
  { businessDate }: Pick<Settlement, 'businessDate'>,
  reference: string,
): Pick<BankEntry, 'reference' | 'settlementId' | 'remittance'> {
  return { reference, settlementId: reference, remittance: `Settlement of ${businessDate}, ${reference}` };
}

export function signed(amount: MinorUnits): Pick<BankEntry, 'amount' | 'direction'> {
  return { amount, direction: amount < 0 ? 'debit' : 'credit' };
}

/** Sixteen characters by which the bank names an entry. They do not tell what is wrong with it. */
export function bankReference({ id }: Pick<Settlement, 'id'>, ...words: string[]): string {
  return hex('bank-entry', id, ...words, 'first') + hex('bank-entry', id, ...words, 'second');
}

/** Eight hexadecimal digits that depend on the words alone. */
export function hex(...words: string[]): string {
  return draw(...words)
    .toString(16)
    .padStart(8, '0')
    .toUpperCase();
}
