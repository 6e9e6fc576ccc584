import { dateAfter, dateIn, instantIn, minutesOf, weekdayOf } from '../../../../base/calendar.ts';
import { type Instant, LAST_INSTANT } from '../../../../base/time.ts';
import type { Fixtures } from '../../../config/fixtures.ts';

/** Limits the search for a business day, because a calendar may have none. */
const MAX_DAYS_SEARCHED = 4000;

/** The time zone of business dates. */
export function zoneOf({ settlement, times }: Fixtures): string {
  return settlement.zone ?? times.localOffset;
}

/** The business date of an instant, and the first instant after that date. A day of 23 or 25 hours is one date. */
export function businessDateAt(fixtures: Fixtures, at: Instant): { businessDate: string; cutOff: Instant } {
  const zone = zoneOf(fixtures);
  const minutes = minutesOf(fixtures.settlement.cutOff);
  let businessDate = dateIn(at, zone);
  let cutOff = instantIn(businessDate, minutes, zone);
  while (cutOff <= at && cutOff < LAST_INSTANT) {
    businessDate = dateAfter(businessDate, 1);
    cutOff = instantIn(businessDate, minutes, zone);
  }
  return { businessDate, cutOff };
}

/** The day and time at which the transfer of a business date arrives at the bank. */
export function valueDay(fixtures: Fixtures, businessDate: string): { valueDate: string; at: Instant } {
  const { delayDays, valueTime } = fixtures.settlement;
  let valueDate = businessDate;
  for (let days = 0, daysSearched = 0; daysSearched < MAX_DAYS_SEARCHED; daysSearched += 1) {
    if (isBusinessDay(fixtures, valueDate) && days >= delayDays) {
      break;
    }
    valueDate = dateAfter(valueDate, 1);
    days += isBusinessDay(fixtures, valueDate) ? 1 : 0;
  }
  return { valueDate, at: instantIn(valueDate, minutesOf(valueTime), zoneOf(fixtures)) };
}

export function businessDayAfter(fixtures: Fixtures, date: string): string {
  let next = dateAfter(date, 1);
  for (let daysSearched = 0; daysSearched < MAX_DAYS_SEARCHED && !isBusinessDay(fixtures, next); daysSearched += 1) {
    next = dateAfter(next, 1);
  }
  return next;
}

function isBusinessDay({ settlement: { weekend, holidays } }: Fixtures, date: string): boolean {
  return !weekend.includes(weekdayOf(date)) && !holidays.includes(date);
}

export function fileLayoutOn({ settlement }: Fixtures, businessDate: string): 1 | 2 {
  const firstDate = settlement.file.nextLayout?.from;
  return firstDate !== undefined && businessDate >= firstDate ? 2 : 1;
}
