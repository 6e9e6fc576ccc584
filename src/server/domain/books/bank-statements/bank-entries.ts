import { dateIn } from '../../../../base/calendar.ts';
import type { MinorUnits } from '../../../../base/money.ts';
import type { BankStatement } from '../../../../base/schema/generated/control.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { draw } from '../settlement-files/draw.ts';
import { businessDayAfter, zoneOf } from '../settlements/business-calendar.ts';
import { providerName } from '../settlements/provider-name.ts';

export type BankEntry = BankStatement['entries'][number];
/** The scope of a statement: a bank account in one environment and currency. */
export type StatementAccount = Pick<Settlement, 'bank' | 'environment' | 'currency'>;

/** The booking days of a bank, and the name of the provider on its entries. */
export interface BookingContext {
  dayOf(at: Instant): string;
  nextBusinessDay(date: string): string;
  providerName: string;
}

export function bookingContext(fixtures: Fixtures): BookingContext {
  const zone = zoneOf(fixtures);
  return {
    dayOf: (at) => dateIn(at, zone),
    nextBusinessDay: (date) => businessDayAfter(fixtures, date),
    providerName: providerName(fixtures),
  };
}

/** The day on which the bank booked the transfer of a settlement; undefined if it has not. */
export function bookingDateOf({ history }: Settlement, { dayOf }: Pick<BookingContext, 'dayOf'>): string | undefined {
  const paidStep = history.find(({ to }) => to === 'Paid');
  return paidStep && dayOf(paidStep.at);
}

export function isPaidTo({ bank, environment, currency }: StatementAccount, settlement: StatementAccount): boolean {
  return (
    settlement.environment === environment &&
    settlement.currency === currency &&
    settlement.bank.bankBICCode === bank.bankBICCode &&
    settlement.bank.accountNumber === bank.accountNumber
  );
}

/** The members of an entry that refer to its settlement by id; an unknown credit refers to an invented id. */
export function referenceMembers(
  { businessDate }: Pick<Settlement, 'businessDate'>,
  reference: string,
): Pick<BankEntry, 'reference' | 'remittance'> & { settlementId: string } {
  return { reference, settlementId: reference, remittance: `Settlement of ${businessDate}, ${reference}` };
}

export function isReturn({ type }: Pick<BankEntry, 'type'>): boolean {
  return type === 'return' || type === 'payout-return';
}

export function withDirection(amount: MinorUnits): Pick<BankEntry, 'amount' | 'direction'> {
  return { amount, direction: amount < 0 ? 'debit' : 'credit' };
}

/** The bank's reference for an entry: sixteen characters that do not reveal a mistake. */
export function bankReference({ id }: { id: string }, ...words: string[]): string {
  return hexDigits('bank-entry', id, ...words, 'first') + hexDigits('bank-entry', id, ...words, 'second');
}

/** Eight hexadecimal digits that depend only on the words. */
export function hexDigits(...words: string[]): string {
  return draw(...words)
    .toString(16)
    .padStart(8, '0')
    .toUpperCase();
}
