import Big from 'big.js';
import { Refusal } from './refusal.ts';

/** Milliseconds since 1970-01-01T00:00Z. The present time is that of the session's clock, not the machine's. */
export type Instant = number;

/** The last instant with a timestamp in the interface's form, because later years have more than four digits. */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/**
 * The latest time of a clock. Jobs that are planned from a clock's time (an expiry, a retry, a payout that is paid and returned)
 * are at most two of the longest durations and some days later, and there is room for three.
 */
export const LAST_CLOCK_INSTANT: Instant = Date.UTC(6999, 11, 31, 23, 59, 59, 999);
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_DURATION = 'P1000Y';

const INSTANT_EXAMPLES = 'such as 2026-03-01T10:00:00Z or 2026-03-01T12:00:00+02:00 (UTC without an offset)';
/** The forms of a clock's instants and durations, for messages. */
export const INSTANT_WORDS = `an RFC 3339 instant from 1970 to 6999 ${INSTANT_EXAMPLES}`;
export const DURATION_WORDS = `a duration such as 15m, PT15M, 1.5s or P1M: not negative, in whole milliseconds, at most ${MAX_DURATION}`;

export class TimeRangeError extends Refusal {
  constructor(what: string) {
    super('invalid-field', `${what} leads out of the years 1970 to 6999, and no clock shows such a moment`);
    this.name = 'TimeRangeError';
  }
}

/** "+02:00" → milliseconds east of UTC. */
export function offsetMilliseconds(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -size : size;
}

/** ISO 8601 with milliseconds and offset, e.g. 2024-10-11T11:01:20.000+02:00. Source: INTERFACE.md, "timestamp with offset". */
export function formatWithOffset(instant: Instant, offset: string): string {
  return `${inLocalTime(instant, offset)}${offset}`;
}

/** yyyy-MM-dd HH:mm:ss.SSS in local time. Source: INTERFACE.md, paymentProcessedDateTime. */
export function formatLocal(instant: Instant, offset: string): string {
  return inLocalTime(instant, offset).replace('T', ' ');
}

/** Local times after LAST_INSTANT are shown as LAST_INSTANT. */
function inLocalTime(instant: Instant, offset: string): string {
  return formatUtc(Math.min(instant + offsetMilliseconds(offset), LAST_INSTANT)).slice(0, -1);
}

/** ISO 8601 in UTC with a Z, for the control API. */
export function formatUtc(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** A Date, for libraries that need one. */
export function toDate(instant: Instant): Date {
  return new Date(instant);
}

/** Reads the date of a certificate, such as "Nov 18 18:34:16 2036 GMT", or of a Date header, "Tue, 18 Nov 2036 18:34:16 GMT"; NaN for no date. */
export function parseDateInWords(text: string): Instant {
  return Date.parse(text);
}

/** Requires seconds, and capital T and Z; accepts up to nine digits of a fraction. The ranges of the numbers are checked in readInstant. */
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))?$/;

/** Parses an RFC 3339 instant; without an offset it is UTC. Throws Error with the expected form. */
export function parseInstant(text: string): Instant {
  const instant = readInstant(text);
  if (instant === undefined) {
    throw new Error(
      `expected an RFC 3339 instant up to the year 9999 ${INSTANT_EXAMPLES}, received ${JSON.stringify(text)}`,
    );
  }
  return instant;
}

/** Whether a text is an instant that parseInstant reads. */
export function isInstant(text: string): boolean {
  return readInstant(text) !== undefined;
}

/** Whether a text is an instant that a clock can show. */
export function isClockInstant(text: string): boolean {
  const instant = readInstant(text);
  return instant !== undefined && isOnClock(instant);
}

function readInstant(text: string): Instant | undefined {
  const parts = INSTANT.exec(text);
  if (!parts) {
    return undefined;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  // Not Date.UTC, which reads years up to 99 as 1900 to 1999.
  const date = new Date(0).setUTCFullYear(year, month - 1, day);
  const local = date + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  const isRealDate = new Date(date).getUTCDate() === day && month >= 1 && month <= 12;
  if (!isRealDate || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) {
    return undefined;
  }
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  const instant = parts[8] === '-' ? local + offset : local - offset;
  return instant <= LAST_INSTANT ? instant : undefined;
}

/** Whether an instant is within the range of clocks. */
export function isOnClock(instant: Instant): boolean {
  return isInRecordRange(instant) && instant <= LAST_CLOCK_INSTANT;
}

function isInRecordRange(instant: Instant): boolean {
  return Number.isSafeInteger(instant) && instant >= 0 && instant <= LAST_INSTANT;
}

/** The first millisecond of a yyyy-MM-dd day in local time. */
export function startOfDay(date: string, offset: string): Instant {
  return new Date(`${date}T00:00:00.000Z`).getTime() - offsetMilliseconds(offset);
}

/** The first millisecond after a yyyy-MM-dd day in local time, never later than LAST_INSTANT. */
export function endOfDay(date: string, offset: string): Instant {
  return Math.min(startOfDay(date, offset) + DAY_MS, LAST_INSTANT);
}

export function addDays(instant: Instant, days: number): Instant {
  return instant + days * DAY_MS;
}

interface Duration {
  months: number;
  milliseconds: number;
}

/** Decimals are only allowed in the time part. */
const DURATION =
  /^P(?=\d|T)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;
/** The short form that people type; it has no months, so that `m` can only mean minutes. */
const SHORT_DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MEAN_MONTH_MS = 30.436_875 * DAY_MS;
const MAX_DURATION_MS = 12_000 * MEAN_MONTH_MS;

/** The latest accepted time of the machine's clock, from which a session's clock can still be moved ahead. */
export const LAST_MACHINE_INSTANT: Instant = LAST_CLOCK_INSTANT - MAX_DURATION_MS;

/** Whether a text is a duration that addDuration accepts. */
export function isDuration(text: string): boolean {
  return durationOf(text) !== undefined;
}

/** The milliseconds of real time in a text that a user typed: a number of seconds, or a duration. Undefined for any other text. */
export function parseRealMilliseconds(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return Number(text) * SECOND_MS;
  }
  return isDuration(text) ? addDuration(0, text) : undefined;
}

/**
 * Adds a duration (ISO 8601, or short such as 15m) to an instant; months and years by the (UTC) calendar. Throws Error for a text
 * that is not a duration, and TimeRangeError if the sum is after LAST_INSTANT, which is impossible from a time of a clock.
 */
export function addDuration(instant: Instant, duration: string): Instant {
  const parsed = durationOf(duration);
  if (!parsed) {
    throw new Error(`expected ${DURATION_WORDS}, received ${JSON.stringify(duration)}`);
  }
  const { months, milliseconds } = parsed;
  const sum = (months > 0 ? addMonths(instant, months) : instant) + milliseconds;
  if (!isInRecordRange(sum)) {
    throw new TimeRangeError(`${duration} after ${formatUtc(instant)}`);
  }
  return sum;
}

/** The time of a clock after it was moved by a duration. Throws TimeRangeError if that is outside the range of clocks. */
export function advanceInstant(instant: Instant, duration: string): Instant {
  const target = addDuration(instant, duration);
  if (!isOnClock(target)) {
    throw new TimeRangeError(`${duration} after ${formatUtc(instant)}`);
  }
  return target;
}

/** Milliseconds as an ISO 8601 duration of days and time, to the second. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const time = parts.flatMap(([count, unit]) => (count > 0 ? `${count}${unit}` : [])).join('');
  const days = Math.floor((seconds * 1000) / DAY_MS);
  return days === 0 && time === '' ? 'PT0S' : `P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`;
}

const durations = new Map<string, Duration>();

/** Cached, because fixtures contain the same few durations again and again. */
function durationOf(text: string): Duration | undefined {
  const cached = durations.get(text);
  if (cached) {
    return cached;
  }
  const duration = readDuration(text);
  if (duration && durations.size < 1000) {
    durations.set(text, duration);
  }
  return duration;
}

function readDuration(text: string): Duration | undefined {
  const [, count, unit = ''] = SHORT_DURATION.exec(text) ?? [];
  if (count !== undefined) {
    return validDuration(0, new Big(count).times(UNIT_MS[unit] ?? 0));
  }
  const parts = DURATION.exec(text);
  if (!parts) {
    return undefined;
  }
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((part) => part?.replace(',', '.') ?? '0');
  const exact = [
    [weeks, 7 * DAY_MS],
    [days, DAY_MS],
    [hours, HOUR_MS],
    [minutes, MINUTE_MS],
    [seconds, SECOND_MS],
  ].reduce((sum, [amount, size]) => sum.plus(new Big(amount ?? 0).times(size ?? 0)), new Big(0));
  return validDuration(Number(years) * 12 + Number(months), exact);
}

/** A duration, unless it is too long or not in whole milliseconds. */
function validDuration(months: number, exact: Big): Duration | undefined {
  const duration = { months, milliseconds: exact.toNumber() };
  const isWhole = Number.isSafeInteger(duration.milliseconds) && exact.eq(duration.milliseconds);
  return isWhole && duration.months * MEAN_MONTH_MS + duration.milliseconds <= MAX_DURATION_MS ? duration : undefined;
}

/** The same day and time N months later, or the last day of that month if it is shorter. */
function addMonths(instant: Instant, months: number): Instant {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
